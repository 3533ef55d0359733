"""JSON read strictly and written in one form."""
