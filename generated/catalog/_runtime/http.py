# Copied by mcp-bindgen. Do not edit.
"""The HTTP doors, blocking and async: the only module that knows the HTTP client."""

from __future__ import annotations

import os
import ssl
import threading
import time
from contextlib import suppress
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import anyio
import httpx

from .errors import ClosedError, ConfigError, TransportError
from .flow import GRACE, Awaiting, Blocking, Flow, drive, drive_async
from .streamable import Head

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

__all__ = ["AsyncHttpDoor", "HttpDoor", "check_url", "httpx"]

T = TypeVar("T")
HttpT = TypeVar("HttpT", bound=httpx.Client | httpx.AsyncClient)

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


class _Lane(Generic[HttpT]):
    """An HTTP client, and the socket of its one connection where that is known."""

    def __init__(self, client: HttpT) -> None:
        self.client = client
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


class _Door(Generic[HttpT]):
    """HTTP clients of one connection each, the last one used first.

    A pool's cost for each call grows with its connections; this does not.
    """

    def __init__(
        self,
        kind: type[HttpT],
        url: httpx.URL,
        auth: httpx.Auth | None,
        client: HttpT | None,
    ) -> None:
        self.url = url
        self._kind = kind
        self._own = None if client is None else _Lane(client)
        self._idle: list[_Lane[HttpT]] = []
        self._closed = False
        self._owner = os.getpid()
        secure = url.scheme == "https" and client is None
        self._options: dict[str, Any] = {
            "auth": auth,
            "cookies": CookieJar(),
            "verify": (
                httpx.create_ssl_context()
                if secure
                else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            ),
            "limits": httpx.Limits(max_connections=1, keepalive_expiry=60.0),
        }

    def take(self) -> _Lane[HttpT]:
        """Return a free lane, or a new one."""
        if self._closed:
            raise ClosedError("the client is closed", outcome="not sent")
        if self._own is not None:
            return self._own
        if self._owner != os.getpid():  # a fork must not share connections
            self._idle, self._owner = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return _Lane(self._kind(**self._options))

    def free(self, lane: _Lane[HttpT]) -> _Lane[HttpT] | None:
        """Take a lane back; return one that is to be closed, if there is."""
        if lane is self._own:
            return None
        self._idle.append(lane)
        if self._closed or len(self._idle) > _IDLE:
            return self._idle.pop(0)
        return None

    def shut(self) -> list[_Lane[HttpT]]:
        """Refuse further calls; return the lanes that are to be closed."""
        self._closed = True
        idle, self._idle = self._idle, []
        return idle

    def request(
        self,
        lane: _Lane[HttpT],
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Request:
        """Return a request, timed, that goes through a lane."""
        method, headers, body = fields
        timeout = httpx.Timeout(left, connect=min(left or _CONNECT, _CONNECT))
        content = body if method == "POST" else None
        traced = self._kind is httpx.Client and self._own is None
        return lane.client.build_request(
            method,
            self.url,
            headers=headers,
            content=content,
            timeout=timeout,
            extensions={"trace": lane.note} if traced else None,
        )


class _Watch:
    """Cuts connections whose call is over time: drips defeat a socket's own timeout."""

    def __init__(self) -> None:
        self._due: dict[_Lane[httpx.Client], float] = {}
        self._changed = threading.Condition()
        self._next = 0.0
        self._thread: threading.Thread | None = None

    def add(self, lane: _Lane[httpx.Client], left: float) -> None:
        """Cut a lane so many seconds from now."""
        with self._changed:
            due = self._due[lane] = time.monotonic() + left
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
            elif due < self._next:
                self._changed.notify()

    def remove(self, lane: _Lane[httpx.Client]) -> None:
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
        self._lane: _Lane[httpx.Client] | None = None
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
        lane: _Lane[httpx.Client],
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Response:
        self.sent = True
        try:
            request = self._door.request(lane, left, fields)
            return lane.client.send(request, stream=True, follow_redirects=False)
        except (httpx.HTTPError, RuntimeError) as error:
            fault = _fault(error)
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

    def _free(self, lane: _Lane[httpx.Client]) -> None:
        _watch.remove(lane)
        if spare := self._door.free(lane):
            spare.client.close()

    def shut(self) -> None:
        if self._response is not None:
            with suppress(httpx.HTTPError):
                self._response.close()
        if self._lane is not None:
            self._free(self._lane)
        self._response = self._lane = None


class HttpDoor(_Door[httpx.Client]):
    """Carries out flows over HTTP, from any thread."""

    def __init__(
        self, url: httpx.URL, auth: httpx.Auth | None, client: httpx.Client | None
    ) -> None:
        super().__init__(httpx.Client, url, auth, client)
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
            lane.client.close()


class _AsyncIo(Awaiting):
    def __init__(self, door: AsyncHttpDoor) -> None:
        super().__init__(door.mutex)
        self._door = door
        self._lane: _Lane[httpx.AsyncClient] | None = None
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
            size = 0
            with suppress(httpx.HTTPError):
                async for chunk in response.aiter_raw():
                    size += len(chunk)
                    if size > _SIDE_BODY:
                        break
            await response.aclose()
            return response.status_code
        finally:
            await self._free(lane)

    async def _send(
        self,
        lane: _Lane[httpx.AsyncClient],
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Response:
        self.sent = True
        try:
            request = self._door.request(lane, left, fields)
            return await lane.client.send(request, stream=True, follow_redirects=False)
        except (httpx.HTTPError, RuntimeError) as error:
            fault = _fault(error)
        self.sent = fault.outcome != "not sent"
        raise fault

    async def _free(self, lane: _Lane[httpx.AsyncClient]) -> None:
        if spare := self._door.free(lane):
            await spare.client.aclose()

    async def drain(self) -> None:
        with anyio.move_on_after(_DRAIN):
            await self._rest()

    async def _rest(self) -> None:
        with suppress(httpx.HTTPError, RuntimeError):
            async for _ in self._chunks:
                pass

    async def shut(self) -> None:
        if self._response is not None:
            with suppress(httpx.HTTPError):
                await self._response.aclose()
            await self._rest()  # ends the generators, which trio asks for
        if self._lane is not None:
            await self._free(self._lane)
        self._response = self._lane = None


class AsyncHttpDoor(_Door[httpx.AsyncClient]):
    """Carries out flows over HTTP, from any task."""

    def __init__(
        self,
        url: httpx.URL,
        auth: httpx.Auth | None,
        client: httpx.AsyncClient | None,
    ) -> None:
        super().__init__(httpx.AsyncClient, url, auth, client)
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
            await lane.client.aclose()
