# Copied by mcp-bindgen. Do not edit.
"""A last-in-first-out pool of single HTTP connections.

A pool's cost for each call grows with its connections; this does not. The rule: a
connection is idle only after an answer was read to its end, and nothing came behind it.
Any other is closed and dropped, also where its call succeeds.
"""

from __future__ import annotations

import ssl
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.request import getproxies, proxy_bypass
from weakref import WeakSet

import httpx

from .. import limits
from ..errors import ClosedError, ConfigError
from .log_redaction import hush

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Connection", "HttpOptions", "Pool", "check_url", "httpx"]

DELIVERY = "mcp_delivery"
"""The extension of an HTTP request that names the call it carries."""

POOL = "_pool"  # of an `httpx` transport ...
_PARSER = "_h11_state"  # ... and what reads the answers of a connection in it

_LAST_PORT = 65_535
_LOCAL = ("localhost", "127.0.0.1", "::1")
ClientT = TypeVar("ClientT", httpx.Client, httpx.AsyncClient)


def check_url(url: str, *, allow_http: bool) -> tuple[str, str]:
    """Return the URL, and the part of it that may be shown.

    Raises:
        ConfigError: If it is not https, nor http to this machine; or no host listens
            on its port.
    """
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError, UnicodeEncodeError) as _:
        parsed = httpx.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ConfigError(
            "expected a URL that begins with http:// or https:// and names a host",
            hint="write it like https://catalog.example/mcp",
        )
    if parsed.port is not None and not 0 < parsed.port <= _LAST_PORT:
        raise ConfigError(
            f"expected a URL with a port from 1 to {_LAST_PORT}, got {parsed.port}",
            hint="correct the number behind the host",
        )
    if parsed.userinfo:
        hint = "remove it; send a header, such as Authorization, or log in with auth"
        raise ConfigError("the URL holds a user name", hint=hint)
    if parsed.scheme == "http" and parsed.host not in _LOCAL and not allow_http:
        raise ConfigError(
            "the URL is http://, which anybody on the way can read",
            hint="use https://, or allow_http=True within a trusted network",
        )
    return str(parsed), f"{parsed.scheme}://{parsed.netloc.decode('ascii')}"


class Connection:
    """One connection: how to send on it, how to close it, its socket where known.

    Attributes:
        since: When it became idle; 0 before it was used.
        pool: Its pool in `httpcore`; None for the caller's own HTTP client.
    """

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
        self.since = 0.0
        self.pool: Any = None
        self._link: Any = None
        self._parser: Any = None

    @property
    def has_rest(self) -> bool:
        """Whether bytes came behind the answer, which the next call would read."""
        links = getattr(self.pool, "connections", None)  # one at most
        if not links:
            return False
        if links[0] is not self._link:
            self._link, self._parser = links[0], _parser(links[0])
        return self._parser is not None and bool(self._parser.trailing_data[0])

    def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember a new connection; the HTTP client calls this (`trace`)."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.stream = info["return_value"]

    def cut(self) -> None:
        """Wake up all who wait on the connection."""
        with suppress(AttributeError, OSError):
            self.stream.get_extra_info("socket").shutdown(2)

    def abandon(self) -> None:
        """Close the socket itself, past the HTTP client's pool.

        An exception out of a signal handler may have left the lock of that pool held
        for ever, and then the usual way to close it never returns.
        """
        self.cut()
        with suppress(AttributeError, OSError):
            self.stream.close()


def _parser(link: object) -> Any:
    """Return the parser of a connection of `httpcore`; a proxy's wraps another."""
    while link is not None and not hasattr(link, _PARSER):
        link = getattr(link, "_connection", None)
    return getattr(link, _PARSER, None)


@dataclass(frozen=True, slots=True)
class HttpOptions(Generic[ClientT]):
    """The options of a client's HTTP.

    Attributes:
        url: The endpoint.
        auth: Signs each request.
        client: The caller's own HTTP client, used instead of a pool.
        most: Connections at most.
    """

    url: str
    auth: httpx.Auth | None = field(default=None, repr=False)
    client: ClientT | None = field(default=None, repr=False)
    most: int = limits.CONNECTIONS

    @property
    def server(self) -> str:
        """Scheme and host, which may be shown."""
        url = httpx.URL(self.url)
        return f"{url.scheme}://{url.netloc.decode('ascii')}"

    @property
    def transport(self) -> dict[str, Any]:
        """The arguments for an `httpx` transport of one connection."""
        url = httpx.URL(self.url)
        plain = url.scheme == "http" or self.client is not None
        return {
            # Made once: loading the certificates takes longer than many a call.
            "verify": (
                ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                if plain
                else httpx.create_ssl_context()
            ),
            "limits": httpx.Limits(
                max_connections=1, keepalive_expiry=limits.KEEP_ALIVE
            ),
            "proxy": None if self.client is not None else _proxy(url),
        }


def _proxy(url: httpx.URL) -> httpx.Proxy | None:
    """Return the proxy that the environment names; one without scheme as curl does.

    Raises:
        ConfigError: If it is no URL of a proxy.
    """
    proxies = {} if proxy_bypass(url.host) else getproxies()
    text = proxies.get(url.scheme) or proxies.get("all")
    if not text:
        return None
    try:
        proxy = httpx.Proxy(text if "://" in text else f"http://{text}")
        # This only shows whether it works: a proxy of SOCKS needs another package.
        httpx.HTTPTransport(proxy=proxy, verify=ssl.create_default_context()).close()
    except (ImportError, ValueError, httpx.InvalidURL) as _:
        proxy = None
    if proxy is not None and proxy.url.host:
        return proxy
    fault = f"the environment names a proxy for {url.scheme} that is not usable"
    name = f"{url.scheme}_proxy or all_proxy"
    raise ConfigError(fault, hint=f"set {name} to http://HOST:PORT, or unset it")


class Pool:
    """The connections of one client, the last one used first.

    Args:
        new: Makes a connection.
        most: How many there may be.
    """

    def __init__(self, new: Callable[[], Connection], most: int) -> None:
        hush(httpx.__name__)
        self.closed = False
        self.idle: list[Connection] = []
        self._new = new
        self._most = most
        # Connections that an interrupt lost leave by themselves.
        self._made: WeakSet[Connection] = WeakSet()

    def take(self) -> Connection | None:
        """Return an idle connection or a new one; None if there are too many."""
        if self.closed:
            raise ClosedError("the client is closed", outcome="not sent")
        try:
            connection = self.idle.pop()
        except IndexError:
            if len(self._made) >= self._most:
                return None
            connection = self._new()
            self._made.add(connection)
            if len(self._made) > self._most:  # threads made theirs at the same time
                self.drop(connection)
                return None
        return connection

    def beside(self) -> Connection:
        """Return a connection for a message beside a call, which must not wait."""
        return self.take() or self._new()

    def give_back(self, connection: Connection, *, ended: bool) -> bool:
        """Take back a connection; return whether it is idle, and not to be closed.

        Args:
            connection: One that `take` or `beside` gave.
            ended: Whether its answer was read to the end.
        """
        known = not self.closed and connection in self._made
        if not known or not ended or connection.has_rest:
            self.drop(connection)
            return False
        connection.since = time.monotonic()
        self.idle.append(connection)
        if self.closed:  # by another thread, just now
            with suppress(ValueError):
                self.idle.remove(connection)
            return False
        return True

    def drop(self, connection: Connection) -> None:
        """Make room for another connection."""
        self._made.discard(connection)

    def surplus(self) -> list[Connection]:
        """Remove and return connections that were idle for long, except a few."""
        old = time.monotonic() - limits.IDLE_SECONDS
        surplus: list[Connection] = []
        with suppress(IndexError):
            while len(self.idle) > limits.IDLE_FEW and self.idle[0].since <= old:
                connection = self.idle.pop(0)
                self.drop(connection)
                surplus.append(connection)
        return surplus

    def shut(self) -> list[Connection]:
        """Refuse further calls; return the connections that are to be closed."""
        self.closed = True
        idle, self.idle = self.idle, []
        return idle
