"""Names of Python."""
