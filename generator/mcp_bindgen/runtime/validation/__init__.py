"""Checks values: models, scalars, and residual validation by the schema."""
