"""MCP without I/O: messages, sessions, flows of both eras."""
