"""One recording to one package."""
