# Copied by mcp-bindgen. Do not edit.
"""Values judged: models, scalars, and residual validation by the schema."""
