"""Packages on the disk."""
