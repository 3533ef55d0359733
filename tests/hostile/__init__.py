"""Hostile recordings of our own: positions times payloads, and bombs."""
