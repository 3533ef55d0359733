"""Tests, as a package, so that they can import the example servers' helper."""
