# Copied by mcp-bindgen. Do not edit.
"""Requests to the token endpoint, and their answers (RFC 6749, 5)."""

from __future__ import annotations

import json
import re
import time
from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

from ...errors import SERVER_FAULT, OAuthError, printable
from .advice import after
from .fetch import post_form
from .records import Tokens, seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .records import AuthorizationServer, Client, Record
    from .settings import Settings

__all__ = ["ask_for_tokens", "redeemed", "without"]

_BEARER = re.compile(r"[A-Za-z0-9\-._~+/]+=*")  # RFC 6750, 2.1
_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def redeemed(record: Record, client: Client, settings: Settings) -> Tokens:
    """Return new tokens for the refresh token of a record (RFC 6749, 6).

    Raises:
        OAuthError: The server refuses; `error` says why.
        TransportError: It does not answer.
    """
    old = record.tokens or Tokens("")
    form = {"grant_type": "refresh_token", "refresh_token": old.refresh}
    form |= {"resource": record.resource}
    fresh = ask_for_tokens(record.server, client, form, old.scope, settings)
    # A server that does not rotate answers without a refresh token.
    return fresh if fresh.refresh else replace(fresh, refresh=old.refresh)


def ask_for_tokens(
    server: AuthorizationServer,
    client: Client,
    form: Mapping[str, str],
    scope: str,
    settings: Settings,
) -> Tokens:
    """Ask the token endpoint for tokens.

    Args:
        server: The authorization server.
        client: The client, which proves itself.
        form: The grant and its parameters.
        scope: The scopes of the tokens if the answer names none.
        settings: The settings, with the private key of the client.

    Raises:
        OAuthError: The server refuses, or answers otherwise than RFC 6749 says.
        TransportError: It does not answer.
    """
    if not server.token_endpoint:
        missing = "the authorization server names no token endpoint"
        raise OAuthError(missing, hint=SERVER_FAULT)
    headers, more = _proof(server, client, settings)
    whole = {**form, **more}
    answer = post_form(server.token_endpoint, whole, headers)
    values = [client.secret, *(v for k, v in whole.items() if k in _SECRET)]
    proof = headers.get("authorization", "").partition(" ")[2]
    hidden = [proof, *(form for value in values for form in _spellings(value))]
    if answer.status not in (200, 201):
        raise _refused(answer.status, answer.value, hidden)
    return _tokens(answer.value, scope)


_SECRET = frozenset(
    {
        *("refresh_token", "code", "code_verifier", "client_secret"),
        *("assertion", "client_assertion", "subject_token"),
    }
)


def _proof(
    server: AuthorizationServer, client: Client, settings: Settings
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the header fields and the parameters by which a client proves itself."""
    match client.method:
        case "client_secret_basic":
            # RFC 6749, 2.3.1: each part is encoded before they are joined.
            pair = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
            basic = b64encode(pair.encode()).decode("ascii")
            return {"authorization": f"Basic {basic}"}, {}
        case "client_secret_post":
            return {}, {"client_id": client.id, "client_secret": client.secret}
        case "private_key_jwt" if settings.private_key:
            from .signed_assertion import signed_assertion

            text = signed_assertion(
                client.id, server.issuer, settings.private_key, settings.algorithm
            )
            proof = {"client_assertion_type": _ASSERTION, "client_assertion": text}
            return {}, {"client_id": client.id, **proof}
        case "none":
            return {}, {"client_id": client.id}
        case other:
            raise OAuthError(
                "the authorization server wants the client to authenticate by"
                f" {printable(other, 80)!r}, which this client cannot do",
                hint="give the client id and the secret of a client of another kind",
            )


def _tokens(value: Mapping[str, Any], scope: str) -> Tokens:
    access, kind = value.get("access_token"), value.get("token_type")
    if not isinstance(access, str) or not _BEARER.fullmatch(access):
        none = "the token endpoint gave no access token"
        raise OAuthError(none, hint=SERVER_FAULT)
    if not isinstance(kind, str) or kind.lower() != "bearer":
        other = "the token endpoint gave a token that is not of type Bearer"
        raise OAuthError(other, hint=SERVER_FAULT)
    refresh, granted = value.get("refresh_token"), value.get("scope")
    lifetime = seconds(value.get("expires_in"))
    return Tokens(
        access,
        refresh if isinstance(refresh, str) else "",
        granted if isinstance(granted, str) and granted else scope,
        None if lifetime is None else time.time() + lifetime,
        lifetime or 0.0,
    )


def _refused(
    status: int, value: Mapping[str, Any], hidden: Iterable[str]
) -> OAuthError:
    error = value.get("error")
    code = without(error, hidden)[:80] if isinstance(error, str) else ""
    reason = value.get("error_description") or code
    text = f": {printable(without(str(reason), hidden), 300)}" if reason else ""
    return OAuthError(
        f"the authorization server refused (HTTP {status}){text}",
        hint=after(error),
        error=printable(code),
    )


def _spellings(secret: str) -> tuple[str, ...]:
    """Return a secret as it stands in a form, a URL and a JSON text."""
    quoted = {json.dumps(secret, ensure_ascii=plain)[1:-1] for plain in (True, False)}
    forms = {quote_plus(secret), quote(secret), quote(secret, safe=""), secret, *quoted}
    return tuple(sorted(forms, key=len, reverse=True))


def without(text: str, secrets: Iterable[str]) -> str:
    """Return a foreign text without secrets that we sent, which it may repeat."""
    for secret in secrets:
        if len(secret) > 3:
            text = text.replace(secret, "...")
    return text
