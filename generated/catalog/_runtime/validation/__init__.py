# Copied by mcp-bindgen. Do not edit.
"""Checks values: models, scalars, and residual validation by the schema."""
