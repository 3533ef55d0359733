"""Generates packages from the recordings of real servers, and checks them."""
