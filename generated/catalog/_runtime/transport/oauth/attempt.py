# Copied by mcp-bindgen. Do not edit.
"""One request and its refusals: decides about the next token, or the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ... import limits
from ...protocol.http_errors import challenge
from ...protocol.steps import Head

if TYPE_CHECKING:
    from ..connections import httpx
    from .session import Session

__all__ = ["Attempt", "Refusal"]

_PROBE = "server/discover"


class Refusal(NamedTuple):
    """A refusal of a server.

    Attributes:
        token: The token that was refused, "" for none.
        challenge: The fields of its WWW-Authenticate.
        wider: Whether the token is good, and has too few scopes.
    """

    token: str
    challenge: dict[str, str]
    wider: bool


class Attempt:
    """One request, sent again with other tokens while that may help.

    Args:
        session: The tokens.
        request: The request.
    """

    def __init__(self, session: Session, request: httpx.Request) -> None:
        self._session = session
        self._wider = 0
        self._refreshed = self._logged_in = False
        # The end of a session is no reason for a login.
        self._renews = request.method != "DELETE"
        self._legacy = request.headers.get("mcp-method", _PROBE) == _PROBE

    @property
    def ready(self) -> str | None:
        """The first token; None if it takes work to get."""
        return self._session.ready

    def first(self) -> str:
        """Return the first token, "" for none."""
        return self._session.token()

    def refusal(self, response: httpx.Response, token: str) -> Refusal | None:
        """Return the refusal if another token may help, None for any other answer."""
        if response.status_code not in (401, 403) or not self._renews:
            return None
        fields = challenge(Head(response.status_code, response.headers))
        if response.status_code == 401:
            return None if self._logged_in else Refusal(token, fields, wider=False)
        if fields.get("error") != "insufficient_scope":
            return None
        if self._wider >= limits.OAUTH_STEP_UPS:
            return None
        return Refusal(token, fields, wider=True)

    def better(self, refusal: Refusal) -> str | None:
        """Return the token for the next try, None if there is no use in one.

        Raises:
            OAuthError: There is none.
            TransportError: A server does not answer.
        """
        if refusal.wider:
            self._wider += 1
            return self._session.wider(
                refusal.token, refusal.challenge, legacy=self._legacy
            )
        refresh, self._refreshed = not self._refreshed, True
        renewal = self._session.renewed(
            refusal.token, refusal.challenge, refresh=refresh, legacy=self._legacy
        )
        self._logged_in = renewal.logged_in
        return renewal.token
