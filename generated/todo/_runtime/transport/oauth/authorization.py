# Copied by mcp-bindgen. Do not edit.
"""The question to a person and its answer: PKCE, state, issuer (RFC 7636, 9207)."""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from ...errors import SERVER_FAULT, OAuthError, printable
from .advice import after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .records import AuthorizationServer, Client

__all__ = ["Question", "checked_code", "question", "require_pkce", "wanted_scope"]

_OFFLINE = "offline_access"


@dataclass(frozen=True, slots=True)
class Question:
    """The question to a person, whether the client may act for them.

    Attributes:
        url: The URL at which the person answers.
        state: The secret that the answer must hold.
        verifier: The secret for the token endpoint (RFC 7636).
    """

    url: str = field(repr=False)
    state: str = field(repr=False)
    verifier: str = field(repr=False)


def require_pkce(server: AuthorizationServer) -> None:
    """Refuse an authorization server that does not say that it checks PKCE.

    Raises:
        OAuthError: It does not list S256.
    """
    if "S256" not in (server.challenges or ()):
        raise OAuthError(
            f"{printable(server.issuer, 200)} does not say that it checks PKCE (S256),"
            " so that others could use a stolen code",
            hint="report it to the authors of the authorization server",
        )
    if not server.authorization_endpoint:
        missing = "the authorization server names no authorization endpoint"
        raise OAuthError(missing, hint=SERVER_FAULT)


def wanted_scope(
    chosen: tuple[str, ...] | None,
    challenged: str,
    listed: tuple[str, ...] | None,
    server: AuthorizationServer,
) -> str:
    """Return the scopes to ask for, separated by spaces; "" for none.

    Args:
        chosen: The user's scopes, which come first.
        challenged: The scopes in the server's challenge.
        listed: The scopes in the resource's metadata.
        server: The authorization server, which may list `offline_access`.
    """
    if chosen is not None:
        return " ".join(chosen)
    scopes = challenged.split() or [*(listed or ())]
    if scopes and _OFFLINE in (server.scopes or ()) and _OFFLINE not in scopes:
        scopes.append(_OFFLINE)
    return " ".join(dict.fromkeys(scopes))


def question(
    server: AuthorizationServer,
    client: Client,
    resource: str,
    scope: str,
    state: str,
) -> Question:
    """Return the question for a person."""
    verifier = secrets.token_urlsafe(64)
    digest = hashlib.sha256(verifier.encode("ascii")).digest()
    parameters = {
        "response_type": "code",
        "client_id": client.id,
        "redirect_uri": client.redirect_uri,
        "state": state,
        "code_challenge": urlsafe_b64encode(digest).rstrip(b"=").decode("ascii"),
        "code_challenge_method": "S256",
        "resource": resource,
    }
    if scope:
        parameters["scope"] = scope
    if _OFFLINE in scope.split():
        parameters["prompt"] = "consent"  # OpenID Connect Core, section 11
    endpoint = server.authorization_endpoint
    joint = "&" if "?" in endpoint else "?"
    return Question(f"{endpoint}{joint}{urlencode(parameters)}", state, verifier)


def checked_code(server: AuthorizationServer, answer: Mapping[str, str]) -> str:
    """Return the code of an answer whose state is right.

    Raises:
        OAuthError: It comes from another server, or says that the person declined.
    """
    issuer = answer.get("iss")
    if issuer is None and server.says_issuer:
        raise OAuthError(
            "the answer does not say which authorization server it is from (iss)",
            hint=SERVER_FAULT,
        )
    if issuer is not None and issuer != server.issuer:
        raise OAuthError(
            "the answer is from another authorization server:"
            f" {printable(issuer, 200)}, not {printable(server.issuer, 200)}",
            hint="log in again",
        )
    if error := answer.get("error"):
        reason = answer.get("error_description") or error
        raise OAuthError(
            f"the login was not completed: {printable(reason, 300)}",
            hint=after(error),
            error=printable(error, 80),
        )
    code = answer.get("code")
    if not code:
        none = "the answer of the authorization server has no code"
        raise OAuthError(none, hint=SERVER_FAULT)
    return code
