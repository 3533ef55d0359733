"""Compares two recordings: each change with its grade on the wire and in source."""
