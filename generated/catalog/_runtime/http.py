# Copied by mcp-bindgen. Do not edit.
"""The HTTP doors, blocking and async: the only module that knows the HTTP client."""

from __future__ import annotations

import os
import ssl
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.request import getproxies, proxy_bypass

import anyio
import httpx

from .errors import ClosedError, ConfigError, TransportError
from .flow import GRACE, Awaiting, Blocking, Flow, drive, drive_async
from .streamable import Head

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

__all__ = ["AsyncHttpDoor", "HttpDoor", "check_url", "httpx"]

T = TypeVar("T")

_CONNECT = 10.0
_SIDE_BODY = 65_536
_IDLE = 64
# How long to wait, in seconds, for the end of a stream that has given its answer: then
# the connection can be used again.
_DRAIN = 0.1
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


def _fault(error: Exception) -> TransportError:
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
    return TransportError(
        f"the connection to the server broke ({name})", transient=True
    )


class _Lane:
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
        if event in (
            "connection.connect_tcp.complete",
            "connection.start_tls.complete",
        ):
            self.stream = info["return_value"]

    def cut(self) -> None:
        """Wake up whoever waits on the connection."""
        with suppress(AttributeError, OSError):
            self.stream.get_extra_info("socket").shutdown(2)


def _through(
    client: httpx.Client | httpx.AsyncClient, close: Callable[[], Any]
) -> _Lane:
    send = partial(client.send, stream=True, follow_redirects=False)
    return _Lane(client.build_request, send, close)


class _Door:
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
        self.url = url
        self.own = None if client is None else _through(client, lambda: None)
        self._cookies = httpx.Cookies()
        self._auth = auth
        self._idle: list[_Lane] = []
        self._parents: list[_Lane] = []
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
            "limits": httpx.Limits(max_connections=1, keepalive_expiry=60.0),
            "proxy": proxies.get(url.scheme) or proxies.get("all"),
        }

    def _new(self) -> _Lane:
        if self._blocking:
            transport = httpx.HTTPTransport(**self._options)
            if self._auth is None:  # the client's own layers would cost a fifth
                return _Lane(httpx.Request, transport.handle_request, transport.close)
            client = httpx.Client(transport=transport, auth=self._auth)
            return _through(client, client.close)
        below = httpx.AsyncHTTPTransport(**self._options)
        if self._auth is None:
            return _Lane(httpx.Request, below.handle_async_request, below.aclose)
        above = httpx.AsyncClient(transport=below, auth=self._auth)
        return _through(above, above.aclose)

    def take(self) -> _Lane:
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

    def free(self, lane: _Lane) -> _Lane | None:
        """Take a lane back; return one that is to be closed, if there is."""
        if lane is self.own:
            return None
        self._idle.append(lane)
        if self._closed or len(self._idle) > _IDLE:
            return self._idle.pop(0)
        return None

    def shut(self) -> list[_Lane]:
        """Refuse further calls; return the lanes that are to be closed."""
        self._closed = True
        idle, self._idle = self._idle, []
        return idle

    def request(
        self,
        lane: _Lane,
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
        if self.own is None:
            headers = {"user-agent": "mcp-bindgen", **headers}
            if self._blocking:
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


class _Watch:
    """Cuts connections whose call is over time: drips defeat a socket's own timeout."""

    def __init__(self) -> None:
        self._due: dict[_Lane, float] = {}
        self._changed = threading.Condition()
        self._next = 0.0
        self._thread: threading.Thread | None = None

    def add(self, lane: _Lane, left: float) -> None:
        """Cut a lane so many seconds from now."""
        with self._changed:
            due = self._due[lane] = time.monotonic() + left
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
            elif due < self._next:
                self._changed.notify()

    def remove(self, lane: _Lane) -> None:
        """Leave a lane alone."""
        with self._changed:
            self._due.pop(lane, None)

    def _work(self) -> None:
        with self._changed:
            while self._due:
                now = time.monotonic()
                for lane in [lane for lane, due in self._due.items() if due <= now]:
                    del self._due[lane]
                    lane.cut()
                self._next = min(self._due.values(), default=now)
                self._changed.wait(self._next - now)
            self._thread = None


_watch = _Watch()


class _Io(Blocking):
    def __init__(self, door: HttpDoor, timeout: float | None) -> None:
        super().__init__(door.mutex, timeout)
        self._door = door
        self._lane: _Lane | None = None
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def open(self, method: str, headers: Mapping[str, str], body: bytes) -> Head:
        self.shut()
        self._lane = self._door.take()
        left = self.remaining()
        if left is not None:
            _watch.add(self._lane, left)
        response = self._send(self._lane, left, (method, headers, body))
        self._response, self._chunks = response, response.iter_raw()
        return Head(response.status_code, response.headers)

    def read(self) -> bytes:
        fault = None
        try:
            chunk = next(self._chunks, b"")
        except httpx.HTTPError as error:
            chunk, fault = b"", _fault(error)
        self.remaining()
        if fault is not None:
            raise fault
        return chunk

    def post(self, method: str, headers: Mapping[str, str], body: bytes) -> int:
        lane = self._door.take()
        _watch.add(lane, GRACE)
        try:
            response = self._send(lane, GRACE, (method, headers, body))
            size = 0
            with suppress(httpx.HTTPError):
                for chunk in response.iter_raw():
                    size += len(chunk)
                    if size > _SIDE_BODY:
                        break
            response.close()
            return response.status_code
        finally:
            self._free(lane)

    def _send(
        self,
        lane: _Lane,
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Response:
        self.sent = True
        try:
            request = self._door.request(lane, left, fields)
            response: httpx.Response = lane.send(request)
        except (httpx.HTTPError, RuntimeError) as error:
            fault = _fault(error)
        else:
            return self._door.kept(request, response)
        self.sent = fault.outcome != "not sent"
        if left is not GRACE:
            self.remaining()
        raise fault

    def drain(self) -> None:
        if self._lane is not None and self._lane.stream is not None:
            _watch.add(self._lane, _DRAIN)
            with suppress(httpx.HTTPError):
                for _ in self._chunks:
                    pass

    def _free(self, lane: _Lane) -> None:
        _watch.remove(lane)
        if spare := self._door.free(lane):
            spare.close()

    def shut(self) -> None:
        if self._response is not None:
            with suppress(httpx.HTTPError):
                self._response.close()
        if self._lane is not None:
            self._free(self._lane)
        self._response = self._lane = None


class HttpDoor(_Door):
    """Carries out flows over HTTP, from any thread."""

    def __init__(
        self, url: httpx.URL, auth: httpx.Auth | None, client: httpx.Client | None
    ) -> None:
        super().__init__(url, auth, client)
        self.mutex = threading.Lock()

    def run(self, flow: Flow[T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        io = _Io(self, timeout)
        try:
            return drive(flow, io)
        finally:
            io.shut()

    def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own."""
        for lane in self.shut():
            lane.close()


class _AsyncIo(Awaiting):
    def __init__(self, door: AsyncHttpDoor) -> None:
        super().__init__(door.mutex)
        self._door = door
        self._lane: _Lane | None = None
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes]

    async def open(self, method: str, headers: Mapping[str, str], body: bytes) -> Head:
        await self.shut()
        self._lane = self._door.take()
        response = await self._send(self._lane, None, (method, headers, body))
        self._response, self._chunks = response, response.aiter_raw()
        return Head(response.status_code, response.headers)

    async def read(self) -> bytes:
        try:
            return await anext(self._chunks, b"")
        except httpx.HTTPError as error:
            fault = _fault(error)
        raise fault

    async def post(self, method: str, headers: Mapping[str, str], body: bytes) -> int:
        lane = self._door.take()
        try:
            response = await self._send(lane, GRACE, (method, headers, body))
            chunks, size = response.aiter_raw(), 0
            with suppress(httpx.HTTPError):
                async for chunk in chunks:
                    size += len(chunk)
                    if size > _SIDE_BODY:
                        break
            await _end(response, chunks)
            return response.status_code
        finally:
            await self._free(lane)

    async def _send(
        self,
        lane: _Lane,
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Response:
        self.sent = True
        try:
            request = self._door.request(lane, left, fields)
            response: httpx.Response = await lane.send(request)
        except (httpx.HTTPError, RuntimeError) as error:
            fault = _fault(error)
        else:
            return self._door.kept(request, response)
        self.sent = fault.outcome != "not sent"
        raise fault

    async def _free(self, lane: _Lane) -> None:
        if spare := self._door.free(lane):
            await spare.close()

    async def drain(self) -> None:
        with anyio.move_on_after(_DRAIN), suppress(httpx.HTTPError):
            async for _ in self._chunks:
                pass

    async def shut(self) -> None:
        if self._response is not None:
            await _end(self._response, self._chunks)
        if self._lane is not None:
            await self._free(self._lane)
        self._response = self._lane = None


async def _end(response: httpx.Response, chunks: AsyncIterator[bytes]) -> None:
    with suppress(httpx.HTTPError):
        await response.aclose()
    with suppress(httpx.HTTPError, RuntimeError):
        async for _ in chunks:  # ends the generators too, which trio asks for
            pass


class AsyncHttpDoor(_Door):
    """Carries out flows over HTTP, from any task."""

    _blocking = False

    def __init__(
        self,
        url: httpx.URL,
        auth: httpx.Auth | None,
        client: httpx.AsyncClient | None,
    ) -> None:
        super().__init__(url, auth, client)
        self.mutex = anyio.Lock()

    async def run(self, flow: Flow[T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        io = _AsyncIo(self)
        try:
            return await drive_async(flow, io, timeout)
        finally:
            with anyio.CancelScope(shield=True):
                await io.shut()

    async def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own."""
        for lane in self.shut():
            await lane.close()
