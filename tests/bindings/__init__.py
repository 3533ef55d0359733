"""What a generated package is to its user: calls, types, HTTP clients."""
