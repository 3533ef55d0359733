"""Tests of what packages give to frameworks."""
