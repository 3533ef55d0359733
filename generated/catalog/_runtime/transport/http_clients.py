# Copied by mcp-bindgen. Do not edit.
"""Sends through an HTTP client; its `auth=` never repeats a call that may have run.

It may do so only where the server turned the request down, with a status of 3xx or 4xx.
After any other answer the call may have run, so that answer is final.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from ..protocol.delivery import is_refusal
from .connections import DELIVERY, Connection, httpx

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator

    from ..protocol.delivery import Delivery

__all__ = ["through"]


def through(
    client: httpx.Client | httpx.AsyncClient,
    close: Callable[[], Any],
    auth: httpx.Auth | None = None,
) -> Connection:
    """Return a connection that sends through an HTTP client."""
    options: dict[str, Any] = {}
    if (signs := auth or getattr(client, "auth", None)) is not None:
        options["auth"] = _DecidedAuth(signs)
    send = partial(client.send, stream=True, follow_redirects=False, **options)
    return Connection(client.build_request, send, close)


class _DecidedAuth(httpx.Auth):
    """Signs as another `httpx.Auth` does, but never repeats a call that may have run.

    Args:
        auth: The other one.
    """

    def __init__(self, auth: httpx.Auth) -> None:
        self._auth = auth

    def sync_auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Yield the requests of the other `auth=`, until the rule forbids one."""
        flow = self._auth.sync_auth_flow(request)
        sendings = _Sendings(request)
        try:
            with sendings.before_the_first():
                following = next(flow)
            while sendings.allow(following):
                response = yield following
                sendings.note(following, response)
                following = flow.send(response)
        except StopIteration:
            return
        finally:
            flow.close()

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Yield the requests of the other `auth=`, as `sync_auth_flow`, in a task."""
        flow = self._auth.async_auth_flow(request)
        sendings = _Sendings(request)
        try:
            with sendings.before_the_first():
                following = await anext(flow)
            while sendings.allow(following):
                response = yield following
                sendings.note(following, response)
                following = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()


class _Sendings:
    """The sendings of one call; other requests do not count."""

    def __init__(self, request: httpx.Request) -> None:
        self._request = request
        self._delivery: Delivery | None = request.extensions.get(DELIVERY)
        self._refused: bool | None = None  # None before the first

    @contextmanager
    def before_the_first(self) -> Generator[None]:
        """Note that nothing was sent, if there is no first request."""
        try:
            yield
        except BaseException:
            if self._delivery is not None:
                self._delivery.unsent()
            raise

    def allow(self, following: httpx.Request) -> bool:
        """Return whether a request may be sent; note it if it repeats the call.

        Raises:
            McpError: The call must not be sent any more.
        """
        if self._refused is None or not self._has_call(following):
            return True
        if self._refused and self._delivery is not None:
            self._delivery.again()
            self._delivery.sending()
        return self._refused

    def note(self, sent: httpx.Request, response: httpx.Response) -> None:
        """Note how the server answered."""
        if self._has_call(sent):
            self._refused = is_refusal(response.status_code)
            if self._refused and self._delivery is not None:
                self._delivery.refused()

    def _has_call(self, other: httpx.Request) -> bool:
        request = self._request
        same = (request.method, request.url) == (other.method, other.url)
        return other is request or same
