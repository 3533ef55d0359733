"""Tools handed to agent frameworks."""
