# Copied by mcp-bindgen. Do not edit.
"""Subscribes to changes of a resource, in both eras of the protocol."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError, DeadlineError, ProtocolError
from ..json_values import elements, members
from ..protocol.messages import METHOD_NOT_FOUND
from ..protocol.request import Request
from ..protocol.watching import is_within, watch
from .text_params import uri_text

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from ..protocol.session import Session
    from ..protocol.steps import Flow

__all__ = ["AsyncListening", "Listening"]

_SUBSCRIBED = "resourceSubscriptions"
_UPDATED = "notifications/resources/updated"
_SILENT = "the server does not tell of changes of resources"
_HINT = "read the resource again from time to time"


class _EndError(Exception):
    """The user's function ends the subscription."""


class Listening:
    """One subscription, and its messages.

    Args:
        session: The session of the client, which is open.
        capabilities: The server's capabilities.
        uri: The resource.
        on_update: Takes the URI of the change; False ends the subscription.

    Raises:
        ConfigError: The server does not tell of changes of resources (legacy).
        InvalidArgumentsError: The URI is no string.
    """

    def __init__(
        self,
        session: Session[Any],
        capabilities: Mapping[str, Any],
        uri: str,
        on_update: Callable[[str], Any],
    ) -> None:
        negotiated = session.negotiated
        self._modern = negotiated is not None and negotiated.modern
        if not self._modern and not members(capabilities.get("resources")).get(
            "subscribe"
        ):
            raise ConfigError(_SILENT, hint=_HINT)
        self._session = session
        self._uri = uri_text("resources/subscribe", uri)
        self._on_update = on_update
        self._heard = False

    @property
    def method(self) -> str:
        """The request that begins the subscription."""
        return "subscriptions/listen" if self._modern else "resources/subscribe"

    @property
    def params(self) -> dict[str, Any]:
        """The params of the requests that begin and end the subscription."""
        if self._modern:
            return {"notifications": {_SUBSCRIBED: [self._uri]}}
        return {"uri": self._uri}

    def flow(self, request: Request) -> Flow[Any, object]:
        """Return the flow that listens.

        Args:
            request: A request of `method` with `params`, on which policies decide.
        """
        if not self._modern:
            back = Request("resources/unsubscribe", request.params)
            return watch(self._session, request, self.updated, partial(self.end, back))
        return self._session.request(replace(request, on_notice=self.notice))

    def end(self, request: Request) -> Flow[Any, None]:
        """Return the flow that ends the subscription; it is over in the later era.

        No policy decides about it: it only takes back.
        """
        return _nothing() if self._modern else self._session.tell(request)

    @contextmanager
    def ending(self) -> Generator[None]:
        """End quietly where the time is over, or the user's function says so.

        Raises:
            ConfigError: The server knows no subscriptions.
        """
        try:
            with suppress(_EndError, DeadlineError):
                yield
        except ProtocolError as error:
            # The user's function may raise such an error of a call of its own.
            if self._heard or error.code != METHOD_NOT_FOUND:
                raise
            raise ConfigError(_SILENT, hint=_HINT) from error

    def notice(self, method: str, params: dict[str, Any]) -> Any:
        """Take a notification of the server."""
        uri = self._changed(method, params)
        if uri is not None:
            self.updated(uri)

    def updated(self, uri: str) -> Any:
        """Take a change of a resource."""
        self._heard = True
        if self._on_update(uri) is False:
            raise _EndError

    def _changed(self, method: str, params: dict[str, Any]) -> str | None:
        """Return the URI of a change, None for any other message.

        Raises:
            ConfigError: The server does not tell of changes of this resource.
        """
        if method == "notifications/subscriptions/acknowledged":
            accepted = members(params.get("notifications")).get(_SUBSCRIBED)
            # Some servers write the URI in another way: the host in lower case.
            uris = [uri for uri in elements(accepted) if isinstance(uri, str)]
            if not any(is_within(uri, self._uri) for uri in uris):
                raise ConfigError(
                    "the server does not tell of changes of the resource",
                    hint="read the resource from time to time",
                )
        uri = params.get("uri")
        if not isinstance(uri, str) or method != _UPDATED:
            return None
        return uri if is_within(uri, self._uri) else None


class AsyncListening(Listening):
    """One subscription of an async client; the user's function may be async."""

    async def notice(self, method: str, params: dict[str, Any]) -> None:
        """Take a notification of the server."""
        uri = self._changed(method, params)
        if uri is not None:
            await self.updated(uri)

    async def updated(self, uri: str) -> None:
        """Take a change of a resource."""
        self._heard = True
        result = self._on_update(uri)
        if isawaitable(result):
            result = await result
        if result is False:
            raise _EndError


def _nothing() -> Flow[Any, None]:
    yield from ()
