# Copied by mcp-bindgen. Do not edit.
"""The client that an authorization server knows: given, documented or registered."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import OAuthError, shown
from .fetch import post_json
from .records import AuthorizationServer, Client, Record

if TYPE_CHECKING:
    from .settings import Settings

__all__ = ["client_of", "configured_client", "stored_client"]

_METHODS = ("none", "client_secret_basic", "client_secret_post")


def configured_client(settings: Settings, server: AuthorizationServer) -> Client | None:
    """Return the client that the user gives, None where there is none.

    Example: `configured_client(Settings(client_id="a"), server).method == "none"`.
    """
    if not settings.client_id:
        return None
    method = settings.method
    if not method and settings.private_key:
        method = "private_key_jwt"
    elif not method:
        method = _method(settings.client_secret, server)
    return Client(
        settings.client_id,
        settings.client_secret,
        method,
        settings.redirect_uri,
    )


def stored_client(record: Record | None, server: AuthorizationServer) -> Client | None:
    """Return the client that was registered at this very server before."""
    client = record.client if record else None
    if client is None or not client.registered:
        return None
    if record is None or record.server.issuer != server.issuer:
        return None
    over = client.expires_at and client.expires_at <= time.time()
    return None if over else client


def client_of(
    settings: Settings,
    server: AuthorizationServer,
    record: Record | None,
    redirect_uri: str,
    scope: str,
) -> Client:
    """Return the client to log in with.

    Args:
        settings: The settings of the user.
        server: The authorization server.
        record: What the store has, None for nothing.
        redirect_uri: Where the browser comes back to.
        scope: The scopes to ask for, separated by spaces.

    Raises:
        OAuthError: There is no client, and the server registers none.
        TransportError: The server does not answer.
    """
    if (client := configured_client(settings, server)) is not None:
        if record and record.server.issuer != server.issuer:
            raise OAuthError(
                f"the server now names the authorization server"
                f" {shown(server.issuer, 200)}, and the client id was given for"
                f" {shown(record.server.issuer, 200)}",
                hint="run mcp-bindgen logout NAME if the change is right",
            )
        return replace(client, redirect_uri=redirect_uri)
    if settings.document and server.reads_documents:
        return Client(settings.document, redirect_uri=redirect_uri)
    former = stored_client(record, server)
    if former is not None and former.redirect_uri == redirect_uri:
        return former
    if not server.registration_endpoint:
        raise OAuthError(
            f"{shown(server.issuer, 200)} registers no clients by itself",
            hint="register one there, and pass its client_id=",
        )
    return _registered(settings, server, redirect_uri, scope)


def _registered(
    settings: Settings, server: AuthorizationServer, redirect_uri: str, scope: str
) -> Client:
    """Register a client (RFC 7591)."""
    offered = server.methods or ("none",)
    method = next((m for m in _METHODS if m in offered), "none")
    wanted: dict[str, object] = {
        "client_name": settings.name,
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "application_type": "native",
    }
    if scope:
        wanted["scope"] = scope
    answer = post_json(server.registration_endpoint, wanted)
    value: dict[str, Any] = answer.value
    client_id, secret = value.get("client_id"), value.get("client_secret") or ""
    if (
        answer.status not in (200, 201)
        or not isinstance(client_id, str)
        or not client_id
    ):
        reason = value.get("error_description") or value.get("error") or ""
        raise OAuthError(
            f"the client was not registered (HTTP {answer.status})"
            + (f": {shown(reason, 300)}" if reason else ""),
            hint="register a client by hand, and pass its client_id=",
            error=shown(value.get("error") or "", 80),
        )
    secret = secret if isinstance(secret, str) else ""
    said = value.get("token_endpoint_auth_method")
    over = value.get("client_secret_expires_at")
    return Client(
        client_id,
        secret,
        said if isinstance(said, str) and said else _method(secret, server),
        redirect_uri,
        registered=True,
        expires_at=float(over) if isinstance(over, int | float) else 0.0,
    )


def _method(secret: str, server: AuthorizationServer) -> str:
    """Return how a client proves itself where nobody says (RFC 7591, 2)."""
    if not secret:
        return "none"
    offered = server.methods or ("client_secret_basic",)
    return next((m for m in _METHODS[1:] if m in offered), "client_secret_basic")
