# Copied by mcp-bindgen. Do not edit.
"""MCP without I/O: messages, sessions, flows of both eras."""
