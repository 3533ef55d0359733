# Copied by mcp-bindgen. Do not edit.
"""Finds the authorization server of an MCP server (RFC 9728, RFC 8414, OpenID)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...errors import SERVER_FAULT, OAuthError, TransportError, printable
from ...strict_json import dumps
from .fetch import challenge_at, get_json
from .records import AuthorizationServer, texts
from .urls import (
    canonical,
    checked_endpoint,
    covers,
    origin,
    resource_places,
    server_places,
    url_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Discovered", "configured_server", "discover", "first_challenge"]

_OURS = "client_id redirect_uri state code_challenge response_type resource scope"
_PROBE = "server/discover"
_REDIRECTS = range(300, 400)


@dataclass(frozen=True, slots=True)
class Discovered:
    """The result of a discovery.

    Attributes:
        resource: The identifier of the protected resource.
        scopes: The scopes that the resource lists, None where it lists none.
        server: The authorization server.
    """

    resource: str
    scopes: tuple[str, ...] | None
    server: AuthorizationServer


def discover(
    url: str, challenge: Mapping[str, str], allowed: str, *, legacy: bool
) -> Discovered:
    """Find the authorization server of an MCP server.

    Args:
        url: The MCP endpoint.
        challenge: The fields of its WWW-Authenticate.
        allowed: An issuer that is allowed although another was named, or "".
        legacy: Whether a server without any metadata is one of 2025-03-26.

    Raises:
        OAuthError: The metadata is missing, wrong or of another server.
        TransportError: A server does not answer.
    """
    resource = _resource(url, challenge)
    if resource is not None:
        listed = texts(resource.get("authorization_servers")) or ()
        issuer = allowed if allowed in listed or not listed else listed[0]
        if not issuer:
            raise OAuthError(
                "the server names no authorization server", hint=SERVER_FAULT
            )
        server = _server(issuer, allowed, url)
        if server is None:
            raise OAuthError(
                f"{url_text(issuer)} has no metadata of an authorization server",
                hint=SERVER_FAULT,
            )
        scopes = texts(resource.get("scopes_supported"))
        return Discovered(str(resource["resource"]), scopes, server)
    if not legacy:
        raise OAuthError(
            "the server wants a token and does not say where to get one",
            hint="give it a token; or the era legacy, if it is a server of 2025-03-26",
        )
    return Discovered(canonical(url), None, _server_of_2025_03_26(url, allowed))


def first_challenge(url: str) -> dict[str, str]:
    """Return the fields by which a server refuses its first request, {} without any."""
    message = {"jsonrpc": "2.0", "id": 0, "method": _PROBE}
    fields = {"content-type": "application/json", "mcp-method": _PROBE}
    accept = {"accept": "application/json, text/event-stream"}
    try:
        return challenge_at(url, {**fields, **accept}, dumps(message))
    except TransportError:
        return {}  # the metadata may be there


def configured_server(issuer: str, url: str) -> AuthorizationServer:
    """Return the metadata of an authorization server that the user names.

    Args:
        issuer: The issuer.
        url: The MCP endpoint; no request is sent to it.

    Raises:
        OAuthError: It has no metadata, or that of another server.
        TransportError: It does not answer.
    """
    checked_endpoint(issuer, "issuer", issuer, by_user=True)
    server = _server(issuer, issuer, issuer or url)
    if server is None:
        hint = "check the issuer"
        raise OAuthError(f"{url_text(issuer)} has no metadata", hint=hint)
    return server


def _resource(url: str, challenge: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the metadata of the protected resource, None where there is none."""
    places = [*resource_places(url)]
    if named := challenge.get("resource_metadata"):
        places.insert(0, checked_endpoint(named, "resource metadata", url))
    redirected = ""
    for address in places:
        answer = get_json(address)
        if answer.status in _REDIRECTS:
            redirected = address
        if not (value := answer.value):
            continue
        resource = value.get("resource")
        if not isinstance(resource, str) or not covers(resource, url):
            raise OAuthError(
                f"the metadata at {url_text(address)} is of another resource:"
                f" {printable(resource, 200)}",
                hint=SERVER_FAULT,
            )
        return value
    _refuse_redirect(redirected)
    return None


def _refuse_redirect(address: str) -> None:
    """Refuse metadata that is a redirect; "" for none."""
    if address:
        raise OAuthError(
            f"the metadata at {url_text(address)} is a redirect, which is not followed",
            hint=SERVER_FAULT,
        )


def _server(issuer: str, allowed: str, url: str) -> AuthorizationServer | None:
    """Return the metadata of an issuer, None where it has none."""
    checked_endpoint(issuer, "issuer", url)
    redirected = ""
    for address in server_places(issuer):
        answer = get_json(address)
        if answer.status in _REDIRECTS:
            redirected = address
        if not (value := answer.value):
            continue
        claimed = value.get("issuer")
        if not isinstance(claimed, str):
            raise OAuthError(
                f"the metadata at {url_text(address)} names no issuer",
                hint=SERVER_FAULT,
            )
        if claimed not in _same(issuer) and claimed != (allowed or issuer):
            name = printable(claimed, 200)
            raise OAuthError(
                f"the metadata of {printable(issuer, 200)} names another issuer:"
                f" {name}",
                hint=f"if you trust it, allow it: issuer={name!r}, or login --issuer",
            )
        return _parsed(value, url)
    _refuse_redirect(redirected)
    return None


def _same(issuer: str) -> tuple[str, ...]:
    """Return an issuer, and its other spelling.

    Issuers are compared as plain strings, but for the slash after a bare host: both
    have one well-known place, so that both are the very same document, and libraries
    add it to the URLs of others.
    """
    bare = issuer.removesuffix("/")
    return (bare, f"{bare}/") if bare == origin(issuer) else (issuer,)


def _parsed(value: dict[str, Any], url: str) -> AuthorizationServer:
    def endpoint(key: str, own: str = "") -> str:
        listed = value.get(key)
        name = key.replace("_", " ")
        return checked_endpoint(listed, name, url, own) if listed is not None else ""

    return AuthorizationServer(
        issuer=value["issuer"],
        token_endpoint=endpoint("token_endpoint"),
        authorization_endpoint=endpoint("authorization_endpoint", _OURS),
        registration_endpoint=endpoint("registration_endpoint"),
        scopes=texts(value.get("scopes_supported")),
        methods=texts(value.get("token_endpoint_auth_methods_supported")),
        challenges=texts(value.get("code_challenge_methods_supported")),
        says_issuer=value.get("authorization_response_iss_parameter_supported") is True,
        reads_documents=value.get("client_id_metadata_document_supported") is True,
    )


def _server_of_2025_03_26(url: str, allowed: str) -> AuthorizationServer:
    """Return the authorization server at the origin, with its default endpoints."""
    home = origin(url)
    server = _server(home, allowed, url)
    if server is not None:
        return server
    checked_endpoint(home, "server", url)
    return AuthorizationServer(
        issuer=home,
        token_endpoint=f"{home}/token",
        authorization_endpoint=f"{home}/authorize",
        registration_endpoint=f"{home}/register",
        challenges=("S256",),
    )
