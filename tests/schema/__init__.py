"""JSON Schema to types."""
