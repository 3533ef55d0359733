"""Makes one package from one recording."""
