# Copied by mcp-bindgen. Do not edit.
"""Models of the tools, one module for each: arguments and results."""
