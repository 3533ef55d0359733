# Copied by mcp-bindgen. Do not edit.
"""Listens to changes of a resource: `subscriptions/listen` of MCP 2026-07-28."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError, DeadlineError
from ..protocol.messages import MODERN
from ..strict_json import elements, members

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ..protocol.request import Request

__all__ = ["AsyncListening", "Listening"]

_SUBSCRIBED = "resourceSubscriptions"


class _EndError(Exception):
    """The user's function wants no more."""


class Listening:
    """One subscription, and what becomes of its messages.

    Args:
        version: The protocol version of the session.
        uri: The resource.
        on_update: Takes the URI of what changed; False ends the subscription.

    Raises:
        ConfigError: The version is older than 2026-07-28.
    """

    def __init__(
        self, version: str | None, uri: str, on_update: Callable[[str], Any]
    ) -> None:
        if version not in MODERN:
            raise ConfigError(
                f"the server speaks MCP {version}, which cannot be listened to",
                hint="read the resource again from time to time",
            )
        self._uri = str(uri)
        self._on_update = on_update

    def request(self, request: Request) -> Request:
        """Return a request with what is listened to, and its listener."""
        params = {**request.params, "notifications": {_SUBSCRIBED: [self._uri]}}
        return replace(request, params=params, on_notice=self.notice)

    @contextmanager
    def ending(self) -> Generator[None]:
        """End quietly where the time is over, or the user's function says so."""
        with suppress(_EndError, DeadlineError):
            yield

    def notice(self, method: str, params: dict[str, Any]) -> Any:
        """Take a notification of the server."""
        uri = self._changed(method, params)
        if uri is not None and self._on_update(uri) is False:
            raise _EndError

    def _changed(self, method: str, params: dict[str, Any]) -> str | None:
        """Return what changed, None where nothing did.

        Raises:
            ConfigError: The server does not tell of changes of this resource.
        """
        if method == "notifications/subscriptions/acknowledged":
            accepted = members(params.get("notifications")).get(_SUBSCRIBED)
            if self._uri not in elements(accepted):
                raise ConfigError("the server does not tell of changes of the resource")
        uri = params.get("uri")
        updated = method == "notifications/resources/updated"
        return uri if updated and isinstance(uri, str) else None


class AsyncListening(Listening):
    """The same for tasks: the user's function may be async."""

    async def notice(self, method: str, params: dict[str, Any]) -> None:
        """Take a notification of the server."""
        uri = self._changed(method, params)
        if uri is None:
            return
        result = self._on_update(uri)
        if isawaitable(result):
            result = await result
        if result is False:
            raise _EndError
