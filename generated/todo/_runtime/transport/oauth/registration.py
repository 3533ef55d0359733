# Copied by mcp-bindgen. Do not edit.
"""The client of an authorization server: configured, documented or registered."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import OAuthError, printable
from .fetch import post_json
from .records import AuthorizationServer, Client, Record, seconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .settings import Settings

__all__ = ["client_of", "configured_client", "require_same_issuer", "stored_client"]

_METHODS = ("none", "client_secret_basic", "client_secret_post")


def configured_client(settings: Settings, server: AuthorizationServer) -> Client | None:
    """Return the client in the user's settings, None without one.

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


def require_same_issuer(record: Record | None, server: AuthorizationServer) -> None:
    """Refuse another authorization server than the one of a configured client.

    A secret must not go to a server that somebody else has named since.

    Raises:
        OAuthError: The server names another one than before.
    """
    if record and record.server.issuer != server.issuer:
        raise OAuthError(
            f"the server now names the authorization server"
            f" {printable(server.issuer, 200)}, and the client id was given for"
            f" {printable(record.server.issuer, 200)}",
            hint="if that is right, run mcp-bindgen logout NAME, or OAuth.logout(URL)",
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
        record: The stored record, None without one.
        redirect_uri: The URL that the browser comes back to.
        scope: The scopes to ask for, separated by spaces.

    Raises:
        OAuthError: There is no client, and the server registers none.
        TransportError: The server does not answer.
    """
    if (client := configured_client(settings, server)) is not None:
        require_same_issuer(record, server)
        return replace(client, redirect_uri=redirect_uri)
    if settings.document and server.reads_documents:
        return Client(settings.document, redirect_uri=redirect_uri)
    former = stored_client(record, server)
    if former is not None and former.redirect_uri == redirect_uri:
        return former
    if not server.registration_endpoint:
        raise OAuthError(
            f"{printable(server.issuer, 200)} registers no clients by itself",
            hint="register one there, and give its client id",
        )
    return _registered(settings, server, redirect_uri, scope)


def _registered(
    settings: Settings, server: AuthorizationServer, redirect_uri: str, scope: str
) -> Client:
    """Register a client (RFC 7591)."""
    metadata = _metadata(settings, server, redirect_uri, scope)
    answer = post_json(server.registration_endpoint, metadata)
    value: dict[str, Any] = answer.value
    client_id, secret = value.get("client_id"), value.get("client_secret")
    created = answer.status in (200, 201)
    if not created or not isinstance(client_id, str) or not client_id:
        raise _refusal(answer.status, value)
    secret = secret if isinstance(secret, str) else ""
    method = value.get("token_endpoint_auth_method")
    return Client(
        client_id,
        secret,
        method if isinstance(method, str) and method else _method(secret, server),
        redirect_uri,
        registered=True,
        expires_at=seconds(value.get("client_secret_expires_at")) or 0.0,
    )


def _metadata(
    settings: Settings, server: AuthorizationServer, redirect_uri: str, scope: str
) -> dict[str, object]:
    """Return the metadata of the client to register (RFC 7591, 2)."""
    offered = server.methods or ("none",)
    method = next((m for m in _METHODS if m in offered), "none")
    metadata: dict[str, object] = {
        "client_name": settings.name,
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "application_type": "native",
    }
    if scope:
        metadata["scope"] = scope
    return metadata


def _refusal(status: int, value: Mapping[str, Any]) -> OAuthError:
    """Return the error of a registration that made no client (RFC 7591, 3.2.2)."""
    reason = value.get("error_description") or value.get("error") or ""
    return OAuthError(
        f"the client was not registered (HTTP {status})"
        + (f": {printable(reason, 300)}" if reason else ""),
        hint="register a client by hand, and give its client id",
        error=printable(value.get("error") or "", 80),
    )


def _method(secret: str, server: AuthorizationServer) -> str:
    """Return the default method by which a client proves itself (RFC 7591, 2)."""
    if not secret:
        return "none"
    offered = server.methods or ("client_secret_basic",)
    return next((m for m in _METHODS[1:] if m in offered), "client_secret_basic")
