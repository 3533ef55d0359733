# Copied by mcp-bindgen. Do not edit.
"""The next steps after an authorization server refuses, by its code."""

from __future__ import annotations

__all__ = ["after"]

_ADVICE = {
    "access_denied": "log in again, and allow the access",
    "invalid_client": "check the client id and the client secret",
    "invalid_grant": "log in again",
    "invalid_scope": "ask for other scopes",
    "server_error": "try again later",
    "temporarily_unavailable": "try again later",
}


def after(code: object) -> str:
    """Return the next step after a code of a server: `after("invalid_scope")`.

    Args:
        code: The error code of an answer (RFC 6749, 4.1.2.1 and 5.2).
    """
    ask = "ask the people who run the authorization server"
    return _ADVICE.get(code, ask) if isinstance(code, str) else ask
