"""The way of a newcomer, with servers of npm and PyPI."""
