# Copied by mcp-bindgen. Do not edit.
"""The drivers: HTTP and stdio, blocking and async."""
