"""Writes files and packages as a whole, or not at all."""
