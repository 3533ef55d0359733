# Copied by mcp-bindgen. Do not edit.
"""The connections of an async client in one event loop: taken, used, given back."""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio

from .. import limits
from ..errors import ClosedError, TransportError
from ..protocol.steps import Open
from .bodies_tasks import WholeBody, end_response, read_to_end
from .connections import (
    DELIVERY,
    POOL,
    Connection,
    HttpOptions,
    Pool,
    httpx,
)
from .http_clients import through
from .http_faults import FAULTS, closed, translated
from .idle_tasks import close_idle, closed_at_end
from .log_redaction import in_request
from .request_builder import no_cookies

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from ..protocol.steps import Incoming, Post
    from .request_builder import RequestBuilder
    from .subscription import Subscription

    _Subscribed = tuple[Subscription, anyio.CancelScope]

__all__ = ["AsyncConnections"]


@dataclass(eq=False, slots=True)
class _Waiting:
    """A task that waits for a connection; the event says that it has one, or none."""

    event: anyio.Event
    connection: Connection | None = None


class AsyncConnections:
    """The connections of one client to its server, for the tasks of one event loop.

    Attributes:
        pool: The connections that no call uses.
    """

    def __init__(
        self,
        options: HttpOptions[httpx.AsyncClient],
        transport: dict[str, Any],
        requests: RequestBuilder,
    ) -> None:
        self._options = options
        self._requests = requests
        new = partial(_connection, transport, options.auth)
        self.pool = Pool(new, options.most)
        self._waiting: deque[_Waiting] = deque()
        self._timed = False
        self._closing: asyncio.Task[None] | None = None
        self._subscriptions: list[_Subscribed] = []
        self._until_end: AsyncGenerator[None, None] | None = None

    async def take(self) -> Connection:
        """Return a free connection; wait for one where there are too many."""
        if (client := self._options.client) is not None:
            if (fault := closed(client)) is not None:
                raise fault
            return through(client, _nothing, self._options.auth)
        if self._until_end is None:
            await self._watch_end()
        connection = None if self._waiting else self.pool.take()
        return await self._turn() if connection is None else connection

    async def _turn(self) -> Connection:
        """Wait for a connection behind the tasks that came before.

        Raises:
            ClosedError: The client was closed meanwhile.
        """
        mine = _Waiting(anyio.Event())
        self._waiting.append(mine)
        try:
            await mine.event.wait()
        except BaseException:
            with suppress(ValueError):
                self._waiting.remove(mine)
            if mine.connection is not None:  # it came, and we are cancelled
                with anyio.CancelScope(shield=True):
                    await self.release(mine.connection, ended=True)
            raise
        if mine.connection is None:
            raise ClosedError("the client is closed", outcome="not sent")
        return mine.connection

    async def release(self, connection: Connection, *, ended: bool) -> None:
        """Put a connection back into the pool, or close it."""
        try:
            if not self.pool.give_back(connection, ended=ended):
                with suppress(*FAULTS):
                    await connection.close()
            elif len(self.pool.idle) > limits.IDLE_FEW:
                await self._close_surplus()
        finally:  # asyncio may cancel the lines above, shielded or not
            self._ring()

    def set_apart(self, connection: Connection) -> None:
        """Make room for another connection; this one has a stream that lasts."""
        self.pool.drop(connection)
        self._ring()

    async def send(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Response:
        """Send a request and return the response, whose body is still to be read.

        Args:
            connection: Where to send it.
            step: The request.
            left: Seconds for it; None where a cancel scope bounds it.

        Raises:
            TransportError: There is no response.
        """
        delivery = step.delivery if isinstance(step, Open) else None
        fault: TransportError
        times = (limits.CONNECT, left)
        request = self._requests.build(connection, step, times)
        request.stream = WholeBody(request.content)
        if delivery is not None:
            request.extensions[DELIVERY] = delivery
            delivery.sending()
        token = in_request.set(True)
        try:
            response: httpx.Response = await connection.send(request)
        except FAULTS as error:
            fault = translated(error, request)
        else:
            if self._options.client is None:
                self._requests.keep_cookies(request, response)
            return response
        finally:
            in_request.reset(token)
        raise fault

    async def post(self, step: Post, seconds: float = limits.GRACE) -> int:
        """Send a message beside the calls, which must not wait; return the status."""
        if (client := self._options.client) is not None:
            connection = through(client, _nothing, self._options.auth)
        else:
            await self._watch_end()
            connection = self.pool.beside()
        status: int | None = None
        ended = False
        try:
            with anyio.move_on_after(seconds):
                response = await self.send(connection, step, seconds)
                status = response.status_code
                ended = await read_to_end(response)
        finally:
            with anyio.CancelScope(shield=True):
                await self.release(connection, ended=ended)
        if status is None:
            raise TransportError("no answer in time")
        return status

    def subscribe(
        self,
        connection: Connection,
        response: httpx.Response,
        chunks: AsyncIterator[bytes],
        incoming: Incoming,
    ) -> Subscription:
        """Read a stream in a task, on a connection that calls no longer use."""
        from .lingering import begin_lingering
        from .subscription import Subscription

        for former, _ in self._subscriptions:
            if former.idle:
                former.cut()
        connection.stream = response.extensions.get("network_stream")
        subscription, scope = Subscription(connection, incoming), anyio.CancelScope()
        self._subscriptions = [
            *(pair for pair in self._subscriptions if not pair[0].idle),
            (subscription, scope),
        ]
        self.set_apart(connection)
        # A client that is dropped is not held by the task, and answers nothing.
        post = partial(late_post, weakref.ref(self))

        async def work() -> None:
            try:
                with scope:
                    await subscription.read_async(chunks, post)
            finally:
                with anyio.CancelScope(shield=True):
                    await end_response(response, chunks)
                    with suppress(*FAULTS):
                        await connection.close()

        begin_lingering(work, subscription.needed)
        return subscription

    def shut(self) -> None:
        """Refuse further calls and end the streams, from any thread."""
        self.pool.closed = True
        for subscription, _ in self._subscriptions:
            subscription.end(ClosedError("the client was closed"))

    def stop(self) -> None:
        """End the streams of an event loop that no longer runs, and so reads none."""
        self._subscriptions = [
            pair for pair in self._subscriptions if not pair[0].stop()
        ]

    async def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own."""
        self.shut()
        self._ring()
        streams, self._subscriptions = self._subscriptions, []
        for _, scope in streams:
            scope.cancel()
        await close_idle(self.pool)
        until_end, self._until_end = self._until_end, None
        if until_end is not None:
            with suppress(RuntimeError):  # the event loop is ending it
                await until_end.aclose()

    async def _watch_end(self) -> None:
        """Have the event loop close the idle connections when it ends."""
        if self._until_end is None and not self.pool.closed:
            self._until_end = closed_at_end(self.pool)
            await anext(self._until_end)

    def _ring(self) -> None:
        """Give free connections to the tasks that wait longest."""
        while self._waiting:
            connection = None
            with suppress(ClosedError):  # then they get none
                if (connection := self.pool.take()) is None:
                    return
            first = self._waiting.popleft()
            first.connection = connection
            first.event.set()

    def _time(self) -> None:
        """Close surplus connections later; on trio, when the next call ends."""
        with suppress(RuntimeError):  # trio, which has no task of its own for it
            loop = asyncio.get_running_loop()
            if not self._timed:
                self._timed = True
                loop.call_later(limits.IDLE_SECONDS, self._begin_closing, loop)

    def _begin_closing(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timed = False
        self._closing = loop.create_task(self._close_surplus())

    async def _close_surplus(self) -> None:
        for connection in self.pool.surplus():
            with suppress(*FAULTS):
                await connection.close()
        if len(self.pool.idle) > limits.IDLE_FEW:
            self._time()


async def late_post(owner: weakref.ref[AsyncConnections], step: Post) -> None:
    connections = owner()
    if connections is not None:
        await connections.post(step)


def _connection(options: dict[str, Any], auth: httpx.Auth | None) -> Connection:
    transport = httpx.AsyncHTTPTransport(**options)
    if auth is None:
        send, close = transport.handle_async_request, transport.aclose
        connection = Connection(httpx.Request, send, close)
    else:
        client = httpx.AsyncClient(transport=transport, auth=auth, cookies=no_cookies())
        connection = through(client, client.aclose)
    connection.pool = getattr(transport, POOL, None)
    return connection


async def _nothing() -> None:
    """Leave the caller's own HTTP client open."""
