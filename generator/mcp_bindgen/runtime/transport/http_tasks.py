"""The async HTTP driver of the sans-I/O protocol, for asyncio and trio."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import anyio

from .. import limits
from ..protocol.steps import Drain, Head, HttpStep, Open, Post, Read
from .connections import Connection, HttpOptions, Pool, Requests, httpx, through
from .exchange import AsyncExchange, drive_async
from .http_faults import FAULTS, closed, translated
from .log_redaction import ours
from .loops import running_loop
from .unclosed import warn_unclosed
from .waiting import Turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ..errors import TransportError
    from ..protocol.steps import Flow

T = TypeVar("T")


class AsyncHttpExchange(AsyncExchange[HttpStep]):
    """One call over HTTP, in a task."""

    def __init__(self, driver: AsyncHttpDriver, timeout: float | None) -> None:
        super().__init__(driver.turns, timeout)
        self._here = driver.here
        self._driver = driver
        self._connection: Connection | None = None
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes]
        self._ended = False

    async def perform(self, step: HttpStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Open():
                return await self._open(step)
            case Read():
                return await self._read()
            case Drain():
                await self._drain()
            case Post():
                return await self._post(step)
            case _:
                return await self.common(step)
        return None

    async def _open(self, step: Open) -> Head:
        await self._leave()
        connection = await self._driver.take(self._here)
        self._connection, self._ended = connection, False
        response = await self._send(connection, step, None)
        self._response, self._chunks = response, _async_chunks(response)
        return Head(response.status_code, response.headers)

    async def _send(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Response:
        delivery = step.delivery if isinstance(step, Open) else None
        fault: TransportError
        request = self._driver.request(connection, step, left)
        if delivery is not None:
            delivery.sending()
        mine = ours.set(True)
        try:
            response: httpx.Response = await connection.send(request)
        except FAULTS as error:
            fault = translated(error, request)
        else:
            self._driver.keep_cookies(request, response)
            return response
        finally:
            ours.reset(mine)
        if delivery is not None and fault.outcome == "not sent":
            delivery.unsent()
        raise fault

    async def _read(self) -> bytes:
        fault: TransportError
        chunk: bytes | None = b""
        try:
            while chunk == b"":
                chunk = await anext(self._chunks, None)
        except FAULTS as error:
            fault = translated(error)
        else:
            self._ended = chunk is None
            return chunk or b""
        raise fault

    async def _drain(self) -> None:
        with anyio.move_on_after(limits.DRAIN), suppress(*FAULTS):
            async for _ in self._chunks:
                pass
            self._ended = True

    async def _post(self, step: Post) -> int:
        connection = self._driver.beside(self._here)
        ended = False
        try:
            response = await self._send(connection, step, self.grace)
            chunks, size = _async_chunks(response), 0
            with suppress(*FAULTS):
                async for chunk in chunks:
                    size += len(chunk)
                    if size > limits.SIDE_BODY:
                        break
                else:
                    ended = True
            await _close(response, chunks)
            return response.status_code
        finally:
            with anyio.CancelScope(shield=True):
                await self._driver.release(self._here, connection, ended=ended)

    async def _leave(self) -> None:
        """Close the response; keep the connection if it was read to its end."""
        response, self._response = self._response, None
        connection, self._connection = self._connection, None
        ended, self._ended = self._ended, False
        if connection is None:
            return
        with anyio.CancelScope(shield=True):
            if response is not None:
                await _close(response, self._chunks)
            await self._driver.release(self._here, connection, ended=ended)

    async def finish(self) -> None:
        """Give back all that the call holds."""
        try:
            await self._leave()
        finally:
            await super().finish()


class _Here:
    """What one event loop has of a client: connections belong to a loop."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.waiting: list[anyio.Event] = []
        self.timed = False
        self.closing: asyncio.Task[None] | None = None

    def ring(self) -> None:
        """Wake up the task that waits longest for a connection."""
        if self.waiting:
            self.waiting.pop(0).set()


class AsyncHttpDriver:
    """Runs flows over HTTP, from any task of any event loop."""

    def __init__(self, options: HttpOptions[httpx.AsyncClient]) -> None:
        self._options = options
        self._transport = options.transport
        self._requests = Requests(options.url)
        self.turns = Turns()
        self._new = partial(_async_connection, self._transport, options.auth)
        self._loops: WeakKeyDictionary[object, _Here] = WeakKeyDictionary()
        self._parents: list[WeakKeyDictionary[object, _Here]] = []
        self._closed = self._used = False

    @property
    def here(self) -> _Here:
        """What the running event loop has."""
        loop = running_loop()
        here = self._loops.get(loop)
        if here is None:
            here = self._loops[loop] = _Here(Pool(self._new, self._options.most))
            here.pool.closed = self._closed
        return here

    def forked(self) -> None:
        """Leave the connections to the parent process; begin with none."""
        self._parents.append(self._loops)
        self.turns = Turns()
        self._loops = WeakKeyDictionary()

    async def run(self, flow: Flow[HttpStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        self._used = self._options.client is None
        return await drive_async(flow, AsyncHttpExchange(self, timeout))

    async def take(self, here: _Here) -> Connection:
        """Return a free connection; wait for one where there are too many."""
        if (client := self._options.client) is not None:
            if (fault := closed(client)) is not None:
                raise fault
            return through(client, _nothing, self._options.auth)
        while (connection := here.pool.take()) is None:
            event = anyio.Event()
            here.waiting.append(event)
            try:
                await event.wait()
            except BaseException:
                if event.is_set():  # it was for us, and we are cancelled
                    here.ring()
                else:
                    here.waiting.remove(event)
                raise
        return connection

    def beside(self, here: _Here) -> Connection:
        """Return a connection for a message beside a call, which must not wait."""
        if (client := self._options.client) is not None:
            return through(client, _nothing, self._options.auth)
        return here.pool.beside()

    async def release(
        self, here: _Here, connection: Connection, *, ended: bool
    ) -> None:
        """Take a connection back, or close it."""
        if not (ended and here.pool.give_back(connection)):
            here.pool.drop(connection)
            with suppress(*FAULTS):
                await connection.close()
        elif len(here.pool.idle) > limits.IDLE_FEW:
            await self._close_surplus(here)
        here.ring()

    def request(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Request:
        """Return a request; its time is a cancel scope's business."""
        return self._requests.build(connection, step, (limits.CONNECT, left))

    def keep_cookies(self, request: httpx.Request, response: httpx.Response) -> None:
        """Keep cookies, unless the HTTP client is the caller's own."""
        if self._options.client is None:
            self._requests.keep_cookies(request, response)

    def __del__(self) -> None:
        if self._used and not self._closed:
            warn_unclosed(self._options.server)

    async def close(self) -> None:
        """Close this loop's connections, unless the HTTP client is the caller's own."""
        self._closed = True
        for connection in self.here.pool.shut():
            await connection.close()

    def _time(self, here: _Here) -> None:
        """Close surplus connections later; on trio, when the next call ends."""
        with suppress(RuntimeError):  # trio, which has no task of its own for it
            loop = asyncio.get_running_loop()
            if not here.timed:
                here.timed = True
                loop.call_later(limits.IDLE_SECONDS, self._begin_closing, loop, here)

    def _begin_closing(self, loop: asyncio.AbstractEventLoop, here: _Here) -> None:
        here.timed = False
        here.closing = loop.create_task(self._close_surplus(here))

    async def _close_surplus(self, here: _Here) -> None:
        for connection in here.pool.surplus():
            with suppress(*FAULTS):
                await connection.close()
        if len(here.pool.idle) > limits.IDLE_FEW:
            self._time(here)


def _async_connection(options: dict[str, Any], auth: httpx.Auth | None) -> Connection:
    transport = httpx.AsyncHTTPTransport(**options)
    if auth is None:
        send, close = transport.handle_async_request, transport.aclose
        return Connection(httpx.Request, send, close)
    client = httpx.AsyncClient(transport=transport, auth=auth)
    return through(client, client.aclose)


async def _nothing() -> None:
    """Leave the caller's own HTTP client open."""


def _async_chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    if response.is_stream_consumed:
        return _once(response.content)
    return response.aiter_raw()


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _close(response: httpx.Response, chunks: AsyncIterator[bytes]) -> None:
    with suppress(*FAULTS):
        await response.aclose()
    with suppress(*FAULTS, RuntimeError):
        async for _ in chunks:  # ends the generators too, which trio asks for
            pass
