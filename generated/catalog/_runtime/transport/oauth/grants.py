# Copied by mcp-bindgen. Do not edit.
"""The ways to the first tokens: a person, the client itself, an identity provider."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from ... import limits
from ...errors import ConfigError, LoginRequiredError, OAuthError
from .authorization import checked_code, question, require_pkce, wanted_scope
from .records import Record
from .registration import (
    client_of,
    configured_client,
    require_same_issuer,
    stored_client,
)
from .token_endpoint import ask_for_tokens

if TYPE_CHECKING:
    from .discovery import Discovered
    from .records import Client
    from .settings import Settings

__all__ = ["obtained"]


def obtained(
    settings: Settings, discovered: Discovered, record: Record | None, challenged: str
) -> Record:
    """Return a record with new tokens.

    Args:
        settings: The settings of the user.
        discovered: The authorization server.
        record: The stored record, None without one.
        challenged: The scopes that the server asks for, separated by spaces.

    Raises:
        OAuthError: A server refuses, or behaves otherwise than the RFCs say.
        LoginRequiredError: A person would have to log in, and there is none.
        TransportError: A server does not answer.
    """
    scope = wanted_scope(
        settings.scopes, challenged, discovered.scopes, discovered.server
    )
    if settings.grant == "authorization_code":
        return _by_person(settings, discovered, record, scope)
    client = configured_client(settings, discovered.server)
    if client is None:
        raise ConfigError("this grant needs a client_id", hint="give a client id")
    require_same_issuer(record, discovered.server)
    scope = scope.replace("offline_access", "").strip()
    return _by_itself(settings, discovered, client, scope)


def _by_itself(
    settings: Settings, discovered: Discovered, client: Client, scope: str
) -> Record:
    """Get tokens for the client's own account, or with an assertion (RFC 7523)."""
    form = {"grant_type": "client_credentials", "resource": discovered.resource}
    if settings.assertion is not None:
        form["grant_type"] = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        form["assertion"] = settings.assertion(
            discovered.server.issuer, discovered.resource
        )
    if scope:
        form["scope"] = scope
    tokens = ask_for_tokens(discovered.server, client, form, scope, settings)
    # RFC 6749, 4.4.3: the client can always ask again, so a refresh token is not used.
    tokens = replace(tokens, refresh="")
    bare = replace(client, secret="")
    return Record(discovered.resource, discovered.server, bare, tokens, scope)


def _by_person(
    settings: Settings, discovered: Discovered, record: Record | None, scope: str
) -> Record:
    """Ask a person in a browser (RFC 6749, 4.1; RFC 8252)."""
    if settings.on_login is None:
        raise LoginRequiredError("somebody has to log in", hint=settings.next_step)
    require_pkce(discovered.server)
    from .loopback import Loopback  # a program with tokens never needs it

    former = stored_client(record, discovered.server)
    last = former.redirect_uri if former else ""
    with closing(Loopback(settings.redirect_uri, last)) as loopback:
        client = client_of(
            settings, discovered.server, record, loopback.redirect_uri, scope
        )
        login = question(
            discovered.server, client, discovered.resource, scope, loopback.state
        )
        answer = loopback.wait(settings.on_login, login.url, limits.OAUTH_LOGIN)
    form = {
        "grant_type": "authorization_code",
        "code": checked_code(discovered.server, answer),
        "redirect_uri": client.redirect_uri,
        "code_verifier": login.verifier,
        "resource": discovered.resource,
    }
    try:
        tokens = ask_for_tokens(discovered.server, client, form, scope, settings)
    except OAuthError as error:
        if error.error == "invalid_client" and client.registered:
            error.hint = "log in again: the client will be registered anew"
        raise
    stored = client if client.registered else replace(client, secret="")
    return Record(discovered.resource, discovered.server, stored, tokens, scope)
