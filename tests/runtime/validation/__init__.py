"""Values checked against schemas and models."""
