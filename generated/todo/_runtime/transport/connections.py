# Copied by mcp-bindgen. Do not edit.
"""The HTTP client: connections, their requests, its errors; nothing else knows it."""

from __future__ import annotations

import os
import ssl
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies, proxy_bypass

import httpx

from ..errors import ClosedError, ConfigError, TransportError
from .log_redaction import hush

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Lane", "Lanes", "check_url", "httpx", "translated"]

_CONNECT = 10.0
_IDLE = 64
# Many servers close a connection after 5 idle seconds; a call sent at that moment is
# lost, and nobody knows whether it ran.
_KEPT = 4.0
_LOCAL = ("localhost", "127.0.0.1", "::1")
_UNREACHED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)
_UNSENT = (httpx.PoolTimeout, httpx.LocalProtocolError, httpx.UnsupportedProtocol)


def check_url(url: str, *, allow_http: bool) -> tuple[httpx.URL, str]:
    """Return the URL, and the part of it that may be shown.

    Raises:
        ConfigError: If it is not https, nor http to this machine.
    """
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError):
        parsed = httpx.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ConfigError("the URL is not one of http:// or https://")
    if parsed.userinfo:
        raise ConfigError("the URL holds a user name", hint="pass headers= or auth=")
    if parsed.scheme == "http" and parsed.host not in _LOCAL and not allow_http:
        raise ConfigError(
            "the URL is http://, which anybody on the way can read",
            hint="use https://, or allow_http=True within a trusted network",
        )
    return parsed, f"{parsed.scheme}://{parsed.netloc.decode('ascii')}"


def translated(error: Exception) -> TransportError:
    """Return our error for one of the HTTP client, without what was sent."""
    name = type(error).__name__
    if isinstance(error, _UNREACHED):
        return TransportError(
            f"cannot connect to the server ({name})",
            outcome="not sent",
            hint="is the server running, and the URL right?",
            transient=True,
        )
    if isinstance(error, _UNSENT):
        return TransportError(f"the request was not sent ({name})", outcome="not sent")
    if isinstance(error, RuntimeError):  # what a closed httpx client raises
        return ClosedError("the client is closed", outcome="not sent")
    broken = f"the connection to the server broke ({name})"
    return TransportError(broken, transient=True)


class Lane:
    """One connection: how to send on it, how to close it, its socket where known."""

    def __init__(
        self,
        build: Callable[..., httpx.Request],
        send: Callable[[httpx.Request], Any],
        close: Callable[[], Any],
    ) -> None:
        self.build = build
        self.send = send
        self.close = close
        self.stream: Any = None

    def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember a new connection; the HTTP client calls this (`trace`)."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.stream = info["return_value"]

    def cut(self) -> None:
        """Wake up whoever waits on the connection."""
        with suppress(AttributeError, OSError):
            self.stream.get_extra_info("socket").shutdown(2)


def _through(
    client: httpx.Client | httpx.AsyncClient, close: Callable[[], Any]
) -> Lane:
    send = partial(client.send, stream=True, follow_redirects=False)
    return Lane(client.build_request, send, close)


class Lanes:
    """Lanes of one connection each, the last one used first.

    A pool's cost for each call grows with its connections; this does not.
    """

    _blocking = True

    def __init__(
        self,
        url: httpx.URL,
        auth: httpx.Auth | None,
        client: httpx.Client | httpx.AsyncClient | None,
    ) -> None:
        hush(httpx.__name__)
        self.url = url
        self.own = None if client is None else _through(client, lambda: None)
        self._cookies = httpx.Cookies()
        self._auth = auth
        self._idle: list[Lane] = []
        self._parents: list[Lane] = []
        self._closed = False
        self._owner = os.getpid()
        plain = url.scheme == "http" or client is not None
        proxies = {} if proxy_bypass(url.host) else getproxies()
        self._options: dict[str, Any] = {
            # Made once: loading the certificates takes longer than many a call.
            "verify": (
                ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                if plain
                else httpx.create_ssl_context()
            ),
            "limits": httpx.Limits(max_connections=1, keepalive_expiry=_KEPT),
            "proxy": proxies.get(url.scheme) or proxies.get("all"),
        }

    def _new(self) -> Lane:
        if self._blocking:
            transport = httpx.HTTPTransport(**self._options)
            if self._auth is None:  # the client's own layers would cost a fifth
                return Lane(httpx.Request, transport.handle_request, transport.close)
            client = httpx.Client(transport=transport, auth=self._auth)
            return _through(client, client.close)
        below = httpx.AsyncHTTPTransport(**self._options)
        if self._auth is None:
            return Lane(httpx.Request, below.handle_async_request, below.aclose)
        above = httpx.AsyncClient(transport=below, auth=self._auth)
        return _through(above, above.aclose)

    def take(self) -> Lane:
        """Return a free lane, or a new one."""
        if self._closed:
            raise ClosedError("the client is closed", outcome="not sent")
        if self.own is not None:
            return self.own
        if self._owner != os.getpid():  # a fork must not share connections
            self._parents, self._idle = self._idle, []
            self._owner = os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self._new()

    def free(self, lane: Lane) -> Lane | None:
        """Take a lane back; return one that is to be closed, if there is."""
        if lane is self.own:
            return None
        self._idle.append(lane)
        if self._closed or len(self._idle) > _IDLE:
            return self._idle.pop(0)
        return None

    def shut(self) -> list[Lane]:
        """Refuse further calls; return the lanes that are to be closed."""
        self._closed = True
        idle, self._idle = self._idle, []
        return idle

    def request(
        self,
        lane: Lane,
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Request:
        """Return a request, timed, that goes through a lane."""
        method, headers, body = fields
        extensions: dict[str, Any] = {
            "timeout": {
                "connect": min(left or _CONNECT, _CONNECT),
                **dict.fromkeys(("read", "write", "pool"), left),
            }
        }
        if self.own is None and self._blocking:
            extensions["trace"] = lane.note
        content = body if method == "POST" else None
        request = lane.build(
            method, self.url, headers=headers, content=content, extensions=extensions
        )
        if self._cookies:
            self._cookies.set_cookie_header(request)
        return request

    def kept(self, request: httpx.Request, response: httpx.Response) -> httpx.Response:
        """Return a response; keep what a load balancer knows its servers by."""
        if self.own is None and "set-cookie" in response.headers:
            response.request = request
            self._cookies.extract_cookies(response)
        return response
