# Copied by mcp-bindgen. Do not edit.
"""The async HTTP driver of the sans-I/O protocol, for asyncio and trio."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial
from queue import Empty
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread

from .. import limits
from ..errors import TransportError
from ..protocol.steps import (
    Await,
    Drain,
    Head,
    HttpStep,
    Lock,
    Open,
    Post,
    Read,
    Sleep,
    Subscribe,
    Unlock,
)
from .bodies_tasks import chunks_of, end_response
from .connections_tasks import AsyncConnections
from .drive import drive_async, weakly
from .exchange import AsyncExchange, taken
from .http_faults import FAULTS, translated
from .loops import begin_task, running_loop, runs, soon_in
from .request_builder import RequestBuilder
from .task_boxes import message_in
from .unclosed import warn_unclosed
from .waiting import Turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator

    from ..protocol.steps import Flow
    from .beside import TaskCompanions
    from .connections import Connection, HttpOptions, httpx
    from .subscription import Subscription

T = TypeVar("T")


class AsyncHttpExchange(AsyncExchange[HttpStep]):
    """One call over HTTP, in a task."""

    def __init__(self, driver: AsyncHttpDriver, timeout: float | None) -> None:
        super().__init__(driver.turns, timeout)
        self._driver = driver
        self._connections = driver.connections
        self._connection: Connection | None = None
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes]
        self._ended = False
        self._subscription: Subscription | None = None

    async def perform(self, step: HttpStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Open():
                return await self._open(step)
            case Read():
                return await self._read(step.seconds)
            case Drain():
                await self._drain()
            case Post():
                return await self._connections.post(step, self.grace)
            case Subscribe():
                self._subscribe(step)
            case Await():
                return await self._await(step)
            case Lock(name="session") | Sleep():
                # Nothing is left to read; and others may need the connection first.
                await self._leave()
                return await self.common(step)
            case _:
                return await self.common(step)
        return None

    async def _open(self, step: Open) -> Head:
        await self._leave()
        connection = await self._connections.take()
        self._connection, self._ended = connection, False
        if step.lasting:
            self._connections.set_apart(connection)
        response = await self._connections.send(connection, step, None)
        self._response, self._chunks = response, chunks_of(response)
        return Head(response.status_code, response.headers)

    async def _read(self, seconds: float | None) -> bytes:
        if seconds is None:
            return await self._next()
        with anyio.move_on_after(seconds):
            return await self._next()
        raise TransportError(f"nothing came within {seconds:g} seconds")

    async def _next(self) -> bytes:
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

    def _subscribe(self, step: Subscribe) -> None:
        response, self._response = self._response, None
        connection, self._connection = self._connection, None
        if response is not None and connection is not None:
            self._subscription = self._connections.subscribe(
                connection, response, self._chunks, step.incoming
            )

    async def _await(self, step: Await) -> dict[str, Any]:
        # The stream may be read in another event loop than this, which may stop.
        while True:
            with suppress(Empty):
                return taken(await message_in(step.box, limits.LOOP_POLL))
            self._driver.check_loops()

    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""
        driver = weakly(self._driver)
        companions = self._driver.companions()
        companions.begin(flow, partial(AsyncHttpExchange, driver, None))

    async def _leave(self) -> None:
        """Leave the connection of a call that goes on; nothing interrupts it."""
        if self._connection is not None:
            with anyio.CancelScope(shield=True):
                await self._give_back()

    async def _give_back(self) -> None:
        """Close the response; keep the connection if it was read to its end."""
        response, self._response = self._response, None
        connection, self._connection = self._connection, None
        ended, self._ended = self._ended, False
        try:
            if response is not None:
                await end_response(response, self._chunks)
        except BaseException:  # asyncio may cancel it, shielded or not
            ended = False
            raise
        finally:
            if connection is not None:
                await self._connections.release(connection, ended=ended)

    def unlock(self, step: Unlock) -> None:
        """Give a lock back."""
        if step.name == "session":
            self._settle(opened=not step.failed)
        super().unlock(step)

    async def finish(self) -> None:
        """Give back the locks and connections of the call; `drive_async` shields it."""
        try:
            await self._give_back()
            if self._subscription is not None:
                self._settle(opened=not self._turns.has("session", self))
        finally:
            await super().finish()

    def _settle(self, *, opened: bool) -> None:
        """End the stream of a session that was begun and not opened."""
        subscription, self._subscription = self._subscription, None
        if subscription is not None and not opened:
            subscription.cut()


async def _close_elsewhere(
    connections: AsyncConnections, ended: threading.Event
) -> None:
    """Close the connections of the running loop, for a client in another one."""
    try:
        await connections.close()
    finally:
        ended.set()


class AsyncHttpDriver:
    """Runs flows over HTTP, from any task of any event loop."""

    def __init__(self, options: HttpOptions[httpx.AsyncClient]) -> None:
        self._closed = True  # until all is made
        self._used = False
        self._options = options
        self._transport = options.transport
        self._requests = RequestBuilder(options.url)
        self.turns = Turns()
        self._loops: WeakKeyDictionary[object, AsyncConnections]
        self._loops = WeakKeyDictionary()
        self._parents: list[object] = []
        self._companions: TaskCompanions | None = None
        self._closed = False

    @property
    def connections(self) -> AsyncConnections:
        """The connections of the running event loop."""
        loop = running_loop()
        connections = self._loops.get(loop)
        if connections is None:
            connections = AsyncConnections(
                self._options, self._transport, self._requests
            )
            connections.pool.closed = self._closed
            self._loops[loop] = connections
        return connections

    def check_loops(self) -> None:
        """End the streams of event loops that have stopped, and so read none."""
        for loop, connections in [*self._loops.items()]:
            if not runs(loop):
                connections.stop()

    def forked(self) -> None:
        """Leave the connections to the parent process; begin with none."""
        self._parents.append(self._loops)
        self.turns = Turns()
        self._loops = WeakKeyDictionary()
        self._companions = None

    def companions(self) -> TaskCompanions:
        """Return the companions: they run flows beside the calls, and are made late."""
        from .beside import TaskCompanions

        if self._companions is None:
            self._companions = TaskCompanions()
        return self._companions

    async def run(self, flow: Flow[HttpStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        if self._companions is not None:
            self._companions.check_loops()
        self._used = self._options.client is None
        exchange = AsyncHttpExchange(self, timeout)
        if len(self._loops) > 1:
            self.check_loops()
        return await drive_async(flow, exchange)

    async def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own.

        They belong to event loops, and each loop closes its own. A loop that is paused
        is not waited for; it closes them when it continues, or ends.
        """
        self._closed = True
        if self._companions is not None:
            self._companions.close()
        here, ends = running_loop(), list[threading.Event]()
        for loop, connections in [*self._loops.items()]:
            connections.shut()
            if loop is not here:
                ended = threading.Event()
                work = partial(_close_elsewhere, connections, ended)
                soon_in(loop, partial(begin_task, work))
                ends += [ended] if runs(loop) else []
        await self.connections.close()
        with anyio.move_on_after(limits.GRACE):
            for ended in ends:
                await anyio.to_thread.run_sync(
                    ended.wait, limits.GRACE, abandon_on_cancel=True
                )

    def __del__(self) -> None:
        if self._closed:
            return
        if self._used:
            warn_unclosed(self._options.server)
        for connections in [*self._loops.values()]:
            connections.shut()
