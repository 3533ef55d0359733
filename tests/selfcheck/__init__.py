"""The check of generated files."""
