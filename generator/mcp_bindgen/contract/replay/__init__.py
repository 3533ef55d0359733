"""Answers in place of a server: recorded ones, and ones that fit its schemas."""
