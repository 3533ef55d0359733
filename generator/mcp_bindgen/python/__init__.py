"""Python text from untrusted text."""
