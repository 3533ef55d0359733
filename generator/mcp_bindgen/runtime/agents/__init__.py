"""Tools for models and agent frameworks: chosen, described, called."""
