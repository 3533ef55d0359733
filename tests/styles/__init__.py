"""Packages in the styles of projects: black, ruff and --check find nothing in them."""
