"""Typed static bindings for MCP servers."""
