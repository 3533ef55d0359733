# Copied by mcp-bindgen. Do not edit.
"""The doors to HTTP, blocking and async: they carry out the steps of flows."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import anyio

from ..protocol.flow import GRACE, Awaiting, Blocking, Flow, drive, drive_async
from ..protocol.streamable_http import Head
from .connections import Lane, Lanes, httpx, translated
from .deadline_watch import watch
from .log_redaction import ours

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

T = TypeVar("T")

_SIDE_BODY = 65_536
# How long to wait, in seconds, for the end of a stream that has given its answer: then
# the connection can be used again.
_DRAIN = 0.1


class _Io(Blocking):
    def __init__(self, door: HttpDoor, timeout: float | None) -> None:
        super().__init__(door.mutex, timeout)
        self._door = door
        self._lane: Lane | None = None
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())

    def open(self, method: str, headers: Mapping[str, str], body: bytes) -> Head:
        self.shut()
        self._lane = self._door.take()
        left = self.remaining()
        if left is not None:
            watch.add(self._lane, left)
        response = self._send(self._lane, left, (method, headers, body))
        self._response, self._chunks = response, response.iter_raw()
        return Head(response.status_code, response.headers)

    def read(self) -> bytes:
        fault = None
        try:
            chunk = next(self._chunks, b"")
        except httpx.HTTPError as error:
            chunk, fault = b"", translated(error)
        self.remaining()
        if fault is not None:
            raise fault
        return chunk

    def post(self, method: str, headers: Mapping[str, str], body: bytes) -> None:
        lane = self._door.take()
        watch.add(lane, GRACE)
        try:
            response = self._send(lane, GRACE, (method, headers, body))
            size = 0
            with suppress(httpx.HTTPError):
                for chunk in response.iter_raw():
                    size += len(chunk)
                    if size > _SIDE_BODY:
                        break
            response.close()
        finally:
            self._free(lane)

    def _send(
        self,
        lane: Lane,
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Response:
        self.sent, mine = True, ours.set(True)
        try:
            request = self._door.request(lane, left, fields)
            response: httpx.Response = lane.send(request)
        except (httpx.HTTPError, RuntimeError) as error:
            fault = translated(error)
        else:
            return self._door.kept(request, response)
        finally:
            ours.reset(mine)
        self.sent = fault.outcome != "not sent"
        if left is not GRACE:
            self.remaining()
        raise fault

    def drain(self) -> None:
        if self._lane is not None and self._lane.stream is not None:
            watch.add(self._lane, _DRAIN)
            with suppress(httpx.HTTPError):
                for _ in self._chunks:
                    pass

    def _free(self, lane: Lane) -> None:
        watch.remove(lane)
        if spare := self._door.free(lane):
            spare.close()

    def shut(self) -> None:
        if self._response is not None:
            with suppress(httpx.HTTPError):
                self._response.close()
        if self._lane is not None:
            self._free(self._lane)
        self._response = self._lane = None


class HttpDoor(Lanes):
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
        self._lane: Lane | None = None
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
            fault = translated(error)
        raise fault

    async def post(self, method: str, headers: Mapping[str, str], body: bytes) -> None:
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
        finally:
            await self._free(lane)

    async def _send(
        self,
        lane: Lane,
        left: float | None,
        fields: tuple[str, Mapping[str, str], bytes],
    ) -> httpx.Response:
        self.sent, mine = True, ours.set(True)
        try:
            request = self._door.request(lane, left, fields)
            response: httpx.Response = await lane.send(request)
        except (httpx.HTTPError, RuntimeError) as error:
            fault = translated(error)
        else:
            return self._door.kept(request, response)
        finally:
            ours.reset(mine)
        self.sent = fault.outcome != "not sent"
        raise fault

    async def _free(self, lane: Lane) -> None:
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


class AsyncHttpDoor(Lanes):
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
