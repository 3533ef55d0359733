# Copied by mcp-bindgen. Do not edit.
"""Tools handed to agent frameworks."""
