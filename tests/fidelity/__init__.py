"""Measures whether generated models accept and send exactly what schemas say."""
