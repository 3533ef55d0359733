# Copied by mcp-bindgen. Do not edit.
"""OAuth 2.1 for clients: finds the authorization server, logs in, renews tokens."""
