"""Grades how a server differs from the recording, for `client.verify()`."""
