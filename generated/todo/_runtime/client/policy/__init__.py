# Copied by mcp-bindgen. Do not edit.
"""Obeys a policy file: which tools may run, when, with which arguments."""
