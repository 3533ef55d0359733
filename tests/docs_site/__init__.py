"""The project's own documentation as a site."""
