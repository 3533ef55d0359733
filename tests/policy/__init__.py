"""Tests of policies: no denied call reaches a server, whatever way it takes."""
