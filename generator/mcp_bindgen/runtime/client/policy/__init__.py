"""Obeys a policy file: which tools may run, when, with which arguments."""
