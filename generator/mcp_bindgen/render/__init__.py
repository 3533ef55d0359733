"""Renders the files of a package from its catalogue."""
