# Copied by mcp-bindgen. Do not edit.
"""The hand-written part of every generated package, copied there as `_runtime`."""
