"""HTTP drivers of the sans-I/O protocol, blocking and async."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio.lowlevel import RunVar

from .. import limits
from ..protocol.steps import Drain, Head, HttpStep, Open, Post, Read
from .connections import Connection, HttpOptions, Pool, Requests, httpx, through
from .deadline_watch import watch
from .exchange import AsyncExchange, BlockingExchange, drive, drive_async
from .http_faults import FAULTS, closed, translated
from .log_redaction import ours
from .waiting import Bells, Turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from ..errors import TransportError
    from ..protocol.steps import Flow, LockName

T = TypeVar("T")


class HttpExchange(BlockingExchange[HttpStep]):
    """One call over HTTP, on a thread."""

    def __init__(self, driver: HttpDriver, timeout: float | None) -> None:
        super().__init__(driver.turns, timeout)
        self._driver = driver
        self._connection: Connection | None = None
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())
        self._ended = False

    def perform(self, step: HttpStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Open():
                return self._open(step)
            case Read():
                return self._read()
            case Drain():
                self._drain()
            case Post():
                return self._post(step)
            case _:
                return self.common(step)
        return None

    def _open(self, step: Open) -> Head:
        self._leave()
        connection = self._driver.take(self.remaining)
        self._connection, self._ended = connection, False
        left = self.remaining()
        if left is not None:
            watch.at(connection, left, connection.cut)
        response = self._send(connection, step, left)
        self._response, self._chunks = response, _chunks(response)
        if connection.stream is None:
            connection.stream = response.extensions.get("network_stream")
        return Head(response.status_code, response.headers)

    def _send(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Response:
        delivery = step.delivery if isinstance(step, Open) else None
        fault: TransportError
        request = self._driver.request(connection, step, left)
        if delivery is not None:
            delivery.sending()
        mine = ours.set(True)
        try:
            response: httpx.Response = connection.send(request)
        except FAULTS as error:
            fault = translated(error, request)
        else:
            self._driver.keep_cookies(request, response)
            return response
        finally:
            ours.reset(mine)
        if delivery is not None and fault.outcome == "not sent":
            delivery.unsent()
        if isinstance(step, Open):
            self.remaining()
        raise fault

    def _read(self) -> bytes:
        fault: TransportError | None = None
        chunk: bytes | None = b""
        try:
            while chunk == b"":
                chunk = next(self._chunks, None)
        except FAULTS as error:
            fault = translated(error)
        self.remaining()
        if fault is not None:
            raise fault
        self._ended = chunk is None
        return chunk or b""

    def _drain(self) -> None:
        if self._connection is not None and self._connection.stream is not None:
            watch.at(self._connection, limits.DRAIN, self._connection.cut)
            with suppress(*FAULTS):
                for _ in self._chunks:
                    pass
                self._ended = True

    def _post(self, step: Post) -> int:
        connection = self._driver.beside()
        watch.at(connection, self.grace, connection.cut)
        ended = False
        try:
            response = self._send(connection, step, self.grace)
            size = 0
            with suppress(*FAULTS):
                for chunk in _chunks(response):
                    size += len(chunk)
                    if size > limits.SIDE_BODY:
                        break
                else:
                    ended = True
                response.close()
            return response.status_code
        finally:
            self._driver.release(connection, ended=ended)

    def _leave(self) -> None:
        """Close the response; keep the connection if it was read to its end."""
        response, self._response = self._response, None
        connection, self._connection = self._connection, None
        ended, self._ended = self._ended, False
        try:
            if response is not None:
                with suppress(*FAULTS):
                    response.close()
        except BaseException:
            ended = False
            raise
        finally:
            if connection is not None:
                self._driver.release(connection, ended=ended)

    def finish(self) -> None:
        """Give back all that the call holds."""
        try:
            self._leave()
        finally:
            super().finish()


class HttpDriver:
    """Runs flows over HTTP, from any thread."""

    def __init__(self, options: HttpOptions[httpx.Client]) -> None:
        self._options = options
        self._transport = options.transport
        self._requests = Requests(options.url)
        self._host = httpx.URL(options.url)
        self._parents: list[Pool] = []
        self.turns = Turns()
        self.pool = Pool(self._new, options.most)
        self._bells = Bells()

    def forked(self) -> None:
        """Leave the connections to the parent process; begin with none."""
        self._parents.append(self.pool)
        self.turns = Turns()
        self.pool = Pool(self._new, self._options.most)
        self._bells = Bells()

    def run(self, flow: Flow[HttpStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        return drive(flow, HttpExchange(self, timeout))

    def take(self, remaining: Callable[[], float | None]) -> Connection:
        """Return a free connection; wait for one where there are too many."""
        if (client := self._options.client) is not None:
            if (fault := closed(client)) is not None:
                raise fault
            return through(client, lambda: None, self._options.auth)
        while (connection := self.pool.take()) is None:
            self._bells.wait(remaining())
        return connection

    def beside(self) -> Connection:
        """Return a connection for a message beside a call, which must not wait."""
        if (client := self._options.client) is not None:
            return through(client, lambda: None, self._options.auth)
        return self.pool.beside()

    def release(self, connection: Connection, *, ended: bool) -> None:
        """Take a connection back, or close it."""
        watch.forget(connection)
        if not (ended and self.pool.give_back(connection)):
            self.pool.drop(connection)
            connection.close()
        elif len(self.pool.idle) > limits.IDLE_FEW:
            watch.at(self.pool, limits.IDLE_SECONDS, self._close_surplus)
        self._bells.ring()

    def request(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Request:
        """Return a request, timed."""
        connect = limits.CONNECT if left is None else min(left, limits.CONNECT)
        if connection.since < time.monotonic() - limits.KEEP_ALIVE:
            connect /= self._addresses()
        return self._requests.build(connection, step, (connect, left), traced=True)

    def keep_cookies(self, request: httpx.Request, response: httpx.Response) -> None:
        """Keep cookies, unless the HTTP client is the caller's own."""
        if self._options.client is None:
            self._requests.keep_cookies(request, response)

    def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own."""
        for connection in self.pool.shut():
            connection.close()

    def _addresses(self) -> int:
        """Return how many addresses may be tried, each with its share of the time."""
        proxy = self._transport["proxy"]
        url = self._host if proxy is None else proxy.url
        try:
            port = url.port or url.scheme
            found = socket.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
        except OSError:
            return 1
        return max(len(found), 1)

    def _new(self) -> Connection:
        transport = httpx.HTTPTransport(**self._transport)
        if self._options.auth is None:  # the client's own layers would cost a fifth
            return Connection(httpx.Request, transport.handle_request, transport.close)
        client = httpx.Client(transport=transport, auth=self._options.auth)
        return through(client, client.close)

    def _close_surplus(self) -> None:
        for connection in self.pool.surplus():
            connection.close()
        if len(self.pool.idle) > limits.IDLE_FEW:
            watch.at(self.pool, limits.IDLE_SECONDS, self._close_surplus)


class AsyncHttpExchange(AsyncExchange[HttpStep]):
    """One call over HTTP, in a task."""

    def __init__(self, driver: AsyncHttpDriver, timeout: float | None) -> None:
        self._here = driver.here
        super().__init__(self._here.lock, timeout)
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
    """What one event loop has of a client: connections and locks belong to a loop."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.waiting: list[anyio.Event] = []
        self.timed = False
        self.closing: asyncio.Task[None] | None = None
        self._locks: dict[LockName, anyio.Lock] = {}

    def lock(self, name: LockName) -> anyio.Lock:
        """Return one of the locks."""
        return self._locks.setdefault(name, anyio.Lock())

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
        self._loops: RunVar[_Here] = RunVar("connections")
        self._parents: list[RunVar[_Here]] = []
        self._closed = False

    @property
    def here(self) -> _Here:
        """What the running event loop has."""
        try:
            return self._loops.get()
        except LookupError:
            here = _Here(Pool(self._new, self._options.most))
            here.pool.closed = self._closed
            self._loops.set(here)
            return here

    def forked(self) -> None:
        """Leave the connections to the parent process; begin with none."""
        self._parents.append(self._loops)
        self._loops = RunVar("connections")

    async def run(self, flow: Flow[HttpStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
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

    async def close(self) -> None:
        """Close this loop's connections, unless the HTTP client is the caller's own."""
        self._closed = True
        for connection in self.here.pool.shut():
            await connection.close()

    def _new(self) -> Connection:
        below = httpx.AsyncHTTPTransport(**self._transport)
        if self._options.auth is None:
            return Connection(httpx.Request, below.handle_async_request, below.aclose)
        above = httpx.AsyncClient(transport=below, auth=self._options.auth)
        return through(above, above.aclose)

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


async def _nothing() -> None:
    """Leave the caller's own HTTP client open."""


def _chunks(response: httpx.Response) -> Iterator[bytes]:
    """Return the body; one that was read already, by `auth=` or a hook, at once."""
    if response.is_stream_consumed:
        return iter((response.content,))
    return response.iter_raw()


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
