"""The catalogue to the files of a package."""
