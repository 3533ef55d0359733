# Copied by mcp-bindgen. Do not edit.
"""The clients, and how a call of a tool is made, observed and approved."""
