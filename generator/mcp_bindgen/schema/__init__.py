"""JSON Schema to Python types."""
