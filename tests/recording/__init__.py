"""Recordings: read, recorded, linted."""
