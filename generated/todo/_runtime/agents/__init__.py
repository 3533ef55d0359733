# Copied by mcp-bindgen. Do not edit.
"""Tools for models and agent frameworks: chosen, described, called."""
