"""The HTTP doors, blocking and async: the only module that knows the HTTP client."""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar
from urllib.request import getproxies, proxy_bypass

import anyio
import httpx

from .errors import ClosedError, ConfigError, TransportError
from .flow import GRACE, Awaiting, Blocking, Flow, drive, drive_async
from .streamable import Head

T = TypeVar("T")

_CONNECT = 10.0
_SIDE_BODY = 65_536
_IDLE = 64
_LOCAL = ("localhost", "127.0.0.1", "::1")


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
    port = "" if parsed.port is None else f":{parsed.port}"
    host = f"[{parsed.host}]" if ":" in parsed.host else parsed.host
    return parsed, f"{parsed.scheme}://{host}{port}"


def _transport_options(url: httpx.URL) -> dict[str, Any]:
    """Return what each lane is made with; they share one TLS context."""
    secure = url.scheme == "https"
    proxies = {} if proxy_bypass(url.host) else getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return {
        "verify": (
            httpx.create_ssl_context()
            if secure
            else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        ),
        "limits": httpx.Limits(max_connections=1, keepalive_expiry=60.0),
        "proxy": httpx.Proxy(proxy) if proxy else None,
    }


class _Lane(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, done: Callable[[], None]) -> None:
        self._stream, self._done = stream, done

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._stream.close()
        self._done()


class Lanes(httpx.BaseTransport):
    """One connection each, last used first: a pool whose cost does not grow."""

    def __init__(self, url: httpx.URL) -> None:
        self._options = _transport_options(url)
        self._idle: list[httpx.HTTPTransport] = []
        self._owner = os.getpid()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request on a free connection, or on a new one."""
        if self._owner != os.getpid():  # a fork must not share connections
            self._idle, self._owner = [], os.getpid()
        try:
            lane = self._idle.pop()
        except IndexError:
            lane = httpx.HTTPTransport(**self._options)
        try:
            response = lane.handle_request(request)
        except BaseException:
            self._idle.append(lane)
            raise
        stream = response.stream
        assert isinstance(stream, httpx.SyncByteStream)
        response.stream = _Lane(stream, lambda: self._free(lane))
        return response

    def _free(self, lane: httpx.HTTPTransport) -> None:
        self._idle.append(lane)
        if len(self._idle) > _IDLE:
            self._idle.pop(0).close()

    def close(self) -> None:
        """Close all connections that are free."""
        while self._idle:
            self._idle.pop().close()


class _AsyncLane(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, done: Callable[[], None]) -> None:
        self._stream, self._done = stream, done

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
        self._done()


class AsyncLanes(httpx.AsyncBaseTransport):
    """The same for tasks."""

    def __init__(self, url: httpx.URL) -> None:
        self._options = _transport_options(url)
        self._idle: list[httpx.AsyncHTTPTransport] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request on a free connection, or on a new one."""
        lane = (
            self._idle.pop()
            if self._idle
            else httpx.AsyncHTTPTransport(**self._options)
        )
        try:
            response = await lane.handle_async_request(request)
        except BaseException:
            self._idle.append(lane)
            raise
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        response.stream = _AsyncLane(stream, lambda: self._idle.append(lane))
        return response

    async def aclose(self) -> None:
        """Close all connections that are free."""
        while self._idle:
            await self._idle.pop().aclose()


def _fault(error: Exception) -> TransportError:
    """Return our error for one of the HTTP client, without what was sent."""
    name = type(error).__name__
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError)):
        return TransportError(
            f"cannot connect to the server ({name})",
            outcome="not sent",
            hint="is the server running, and the URL right?",
            transient=True,
        )
    if isinstance(
        error, (httpx.PoolTimeout, httpx.LocalProtocolError, httpx.UnsupportedProtocol)
    ):
        return TransportError(f"the request was not sent ({name})", outcome="not sent")
    return TransportError(
        f"the connection to the server broke ({name})", transient=True
    )


def _request(
    method: str, url: httpx.URL, headers: Mapping[str, str], body: bytes
) -> dict[str, Any]:
    fields = {"method": method, "url": url, "headers": headers}
    return {**fields, "content": body} if method == "POST" else fields


class _Io(Blocking):
    def __init__(self, door: HttpDoor, timeout: float | None) -> None:
        super().__init__(door.mutex, timeout)
        self._door = door
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def open(self, method: str, headers: Mapping[str, str], body: bytes) -> Head:
        self.shut()
        response = self._send(self.remaining(), method, headers, body)
        self._response, self._chunks = response, response.iter_raw()
        return Head(response.status_code, response.headers)

    def read(self) -> bytes:
        left = self.remaining()
        try:
            return next(self._chunks, b"")
        except httpx.HTTPError as error:
            fault = _fault(error)
        if left is not None:
            self.remaining()
        raise fault

    def post(self, method: str, headers: Mapping[str, str], body: bytes) -> int:
        response = self._send(GRACE, method, headers, body)
        try:
            with suppress(httpx.HTTPError):
                size = 0
                for chunk in response.iter_raw():
                    size += len(chunk)
                    if size > _SIDE_BODY:
                        break
        finally:
            response.close()
        return response.status_code

    def _send(
        self,
        left: float | None,
        method: str,
        headers: Mapping[str, str],
        body: bytes,
    ) -> httpx.Response:
        client = self._door.client
        timeout = httpx.Timeout(left, connect=min(left or _CONNECT, _CONNECT))
        fields = _request(method, self._door.url, headers, body)
        try:
            self.sent = True
            request = client.build_request(**fields, timeout=timeout)
            return client.send(request, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            fault = _fault(error)
        except RuntimeError:
            fault = ClosedError("the client is closed", outcome="not sent")
        if fault.outcome == "not sent":
            self.sent = False
        self.remaining()
        raise fault

    def shut(self) -> None:
        if self._response is not None:
            with suppress(httpx.HTTPError):
                self._response.close()


class HttpDoor:
    """Carries out flows over HTTP, from any thread."""

    def __init__(
        self,
        url: httpx.URL,
        *,
        auth: httpx.Auth | None = None,
        client: httpx.Client | None = None,
    ) -> None:
        self.url = url
        self.mutex = threading.Lock()
        self._owned = client is None
        self.client = client or httpx.Client(transport=Lanes(url), auth=auth)

    def run(self, flow: Flow[T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        io = _Io(self, timeout)
        try:
            return drive(flow, io)
        finally:
            io.shut()

    def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own."""
        if self._owned:
            self.client.close()


class _AsyncIo(Awaiting):
    def __init__(self, door: AsyncHttpDoor) -> None:
        super().__init__(door.mutex)
        self._door = door
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None

    async def open(self, method: str, headers: Mapping[str, str], body: bytes) -> Head:
        await self.shut()
        response = await self._send(None, method, headers, body)
        self._response, self._chunks = response, response.aiter_raw()
        return Head(response.status_code, response.headers)

    async def read(self) -> bytes:
        assert self._chunks is not None
        try:
            return await anext(self._chunks, b"")
        except httpx.HTTPError as error:
            fault = _fault(error)
        raise fault

    async def post(self, method: str, headers: Mapping[str, str], body: bytes) -> int:
        response = await self._send(GRACE, method, headers, body)
        try:
            with suppress(httpx.HTTPError):
                size = 0
                async for chunk in response.aiter_raw():
                    size += len(chunk)
                    if size > _SIDE_BODY:
                        break
        finally:
            await response.aclose()
        return response.status_code

    async def _send(
        self,
        left: float | None,
        method: str,
        headers: Mapping[str, str],
        body: bytes,
    ) -> httpx.Response:
        client = self._door.client
        timeout = httpx.Timeout(left, connect=min(left or _CONNECT, _CONNECT))
        fields = _request(method, self._door.url, headers, body)
        try:
            self.sent = True
            request = client.build_request(**fields, timeout=timeout)
            return await client.send(request, stream=True, follow_redirects=False)
        except httpx.HTTPError as error:
            fault = _fault(error)
        except RuntimeError:
            fault = ClosedError("the client is closed", outcome="not sent")
        if fault.outcome == "not sent":
            self.sent = False
        raise fault

    async def shut(self) -> None:
        if self._response is not None:
            with suppress(httpx.HTTPError):
                await self._response.aclose()


class AsyncHttpDoor:
    """Carries out flows over HTTP, from any task."""

    def __init__(
        self,
        url: httpx.URL,
        *,
        auth: httpx.Auth | None = None,
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self.url = url
        self.mutex = anyio.Lock()
        self._owned = client is None
        self.client = client or httpx.AsyncClient(transport=AsyncLanes(url), auth=auth)

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
        if self._owned:
            await self.client.aclose()
