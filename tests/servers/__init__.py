"""Example MCP servers that tests, the demo and the release script run as processes."""
