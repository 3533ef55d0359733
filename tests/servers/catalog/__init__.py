"""A metadata catalogue: search, details, lineage, glossaries and JSON Patch."""
