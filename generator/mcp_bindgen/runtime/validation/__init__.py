"""Values judged: models, scalars, and residual validation by the schema."""
