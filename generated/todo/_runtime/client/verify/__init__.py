# Copied by mcp-bindgen. Do not edit.
"""Grades how a server differs from the recording, for `client.verify()`."""
