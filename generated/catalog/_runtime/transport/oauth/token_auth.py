# Copied by mcp-bindgen. Do not edit.
"""Signs the requests of a client with tokens that it gets by itself."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from ...errors import ConfigError
from ..connections import httpx
from .attempt import Attempt
from .discovery import first_challenge
from .session import Session
from .token_endpoint import without
from .urls import origin
from .waits import Bounded, beside, in_thread

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator

    from .settings import Settings
    from .stores import Store

__all__ = ["TokenAuth"]


class TokenAuth(httpx.Auth):
    """The login at one server, and the tokens in its requests.

    Args:
        settings: How to log in.
        store: The store of the tokens.
    """

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._session: Session | None = None
        self._guard = threading.Lock()

    def login(self, url: str, *, probe: bool = False) -> str:
        """Log in now, outside of a call, and return the issuer of the tokens.

        Args:
            url: The MCP endpoint.
            probe: Whether to send it a request without a token first: its refusal may
                name fewer scopes than its metadata, or another place of them.

        Raises:
            OAuthError: There is no login.
            TransportError: A server does not answer.
        """
        session = self._session_for(url)
        session.begin(first_challenge(session.url) if probe else {})
        record = session.record
        return record.server.issuer if record else ""

    def secrets(self, url: str) -> tuple[str, ...]:
        """Return the tokens for a server, to hide them from files and screens.

        Args:
            url: The MCP endpoint.

        Returns:
            The stored ones, and those that they replaced.
        """
        return self._session_for(url).secrets()

    def hide(self, text: str) -> str:
        """Return a foreign text without our tokens, which a server may repeat."""
        return without(text, self._session.past if self._session else ())

    def logout(self, url: str) -> bool:
        """Remove the credentials for a server from the store.

        Args:
            url: The MCP endpoint.

        Returns:
            Whether there were any.
        """
        return self._session_for(url).forget()

    def sync_auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Send a request with a token; get a first or a better one where needed."""
        seconds = request.extensions.get("seconds")
        attempt = Attempt(self._session_for(str(request.url)), request)
        token = attempt.ready
        if token is None:
            token = in_thread(attempt.first, seconds)
        while True:
            response = yield _signed(request, token)
            refusal = attempt.refusal(response, token)
            if refusal is None:
                return
            response.stream = Bounded(response.stream)
            better = in_thread(partial(attempt.better, refusal), seconds)
            if better is None:
                return
            token = better

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Send a request with a token, from a task; a thread gets the token."""
        attempt = Attempt(self._session_for(str(request.url)), request)
        token = attempt.ready
        if token is None:
            token = await beside(attempt.first)
        while True:
            response = yield _signed(request, token)
            refusal = attempt.refusal(response, token)
            if refusal is None:
                return
            response.stream = Bounded(response.stream)
            better = await beside(partial(attempt.better, refusal))
            if better is None:
                return
            token = better

    def _session_for(self, url: str) -> Session:
        """Return the session of a server; tokens never go to another origin.

        Raises:
            ConfigError: This object belongs to another server.
        """
        url = str(httpx.URL(url))  # as in the requests of a client
        with self._guard:
            if self._session is None:
                self._session = Session(url, self._settings, self._store)
            if origin(self._session.url) != origin(url):
                raise ConfigError(
                    f"this OAuth is that of {origin(self._session.url)}",
                    hint="make one OAuth for each client",
                )
            return self._session


def _signed(request: httpx.Request, token: str) -> httpx.Request:
    """Return a request with a token, or with none."""
    if token:
        request.headers["authorization"] = f"Bearer {token}"
    else:
        request.headers.pop("authorization", None)
    return request
