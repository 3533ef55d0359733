# Copied by mcp-bindgen. Do not edit.
"""The connections of a blocking client: taken, used, given back."""

from __future__ import annotations

import threading
import weakref
from contextlib import nullcontext, suppress
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import ENDING, ClosedError
from ..protocol.steps import Open
from .connections import (
    DELIVERY,
    POOL,
    Connection,
    HttpOptions,
    Pool,
    httpx,
)
from .deadline_watch import watch
from .host_names import BoundedConnect
from .http_clients import through
from .http_faults import FAULTS, closed, translated
from .log_redaction import in_request
from .request_builder import RequestBuilder, no_cookies
from .waiting import Queue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..errors import TransportError
    from ..protocol.steps import Incoming, Post
    from .subscription import Subscription

__all__ = ["Connections", "chunks_of"]

_POOL_LOCK = "_optional_thread_lock"  # of httpcore, which has none where it is async
_BACKEND = "_network_backend"  # of httpcore, too


class Connections:
    """The connections of one client to its server, for any thread.

    Attributes:
        pool: The connections that no call uses.
    """

    def __init__(self, options: HttpOptions[httpx.Client]) -> None:
        self._options = options
        self._requests = RequestBuilder(options.url)
        self._new = partial(_connection, options.transport, options.auth)
        self.pool = Pool(self._new, options.most)
        self._queue = Queue()
        self._subscriptions: list[Subscription] = []
        self._parents: list[object] = []

    def forked(self) -> None:
        """Leave the connections to the parent process; begin with none."""
        self._parents += [self.pool, self._subscriptions]
        self.pool = Pool(self._new, self._options.most)
        self._queue = Queue()
        self._subscriptions = []

    def take(self, remaining: Callable[[], float | None]) -> Connection:
        """Return a free connection; wait for one where there are too many."""
        if (client := self._options.client) is not None:
            if (fault := closed(client)) is not None:
                raise fault
            return through(client, lambda: None, self._options.auth)
        queue = self._queue
        if queue.is_first() and (connection := self.pool.take()) is not None:
            return connection
        connection = None
        try:
            with queue.waiting() as ticket:
                while connection is None:
                    if queue.is_first(ticket):
                        connection = self.pool.take()
                    if connection is None:
                        queue.wait(ticket, remaining())
        except ENDING:
            self._lose(connection)
            raise
        return connection

    def release(self, connection: Connection, *, ended: bool) -> None:
        """Put a connection back into the pool, or close it."""
        try:
            watch.forget(connection)
            if self._options.client is not None:
                return
            if not self.pool.give_back(connection, ended=ended):
                connection.abandon()
            elif len(self.pool.idle) > limits.IDLE_FEW:
                watch.at(self.pool, limits.IDLE_SECONDS, self._close_surplus)
        except ENDING:
            self._lose(connection)
            raise
        self._queue.ring()

    def _lose(self, connection: Connection | None) -> None:
        """Make room for another connection where an interrupt took this one away.

        The interrupt's traceback would hold it for as long as it is handled.
        """
        if connection is not None and connection not in self.pool.idle:
            self.pool.drop(connection)
        self._queue.ring()

    def set_apart(self, connection: Connection) -> None:
        """Make room for another connection; this one has a stream that lasts."""
        self.pool.drop(connection)
        self._queue.ring()

    def send(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Response:
        """Send a request and return the response, whose body is still to be read.

        Args:
            connection: Where to send it.
            step: The request.
            left: Seconds for it.

        Raises:
            TransportError: There is no response.
        """
        delivery = step.delivery if isinstance(step, Open) else None
        fault: TransportError
        request = self._request(connection, step, left)
        if delivery is not None:
            request.extensions[DELIVERY] = delivery
            delivery.sending()
        token = in_request.set(True)
        try:
            response = self._response(connection, request, left)
        except FAULTS as error:
            fault = translated(error, request)
        else:
            if self._options.client is None:
                self._requests.keep_cookies(request, response)
            return response
        finally:
            in_request.reset(token)
        raise fault

    def post(self, step: Post, seconds: float = limits.GRACE) -> int:
        """Send a message beside the calls, which must not wait; return the status."""
        if (client := self._options.client) is not None:
            connection = through(client, lambda: None, self._options.auth)
        else:
            connection = self.pool.beside()
        watch.at(connection, seconds, connection.cut)
        ended = False
        try:
            response = self.send(connection, step, seconds)
            size = 0
            with suppress(*FAULTS):
                for chunk in chunks_of(response):
                    size += len(chunk)
                    if size > limits.SIDE_BODY:
                        break
                else:
                    ended = True
            self.close_response(response)
            return response.status_code
        finally:
            self.release(connection, ended=ended)

    def subscribe(
        self, connection: Connection, chunks: Iterator[bytes], incoming: Incoming
    ) -> Subscription:
        """Read a stream in a thread, on a connection that calls no longer use."""
        from .subscription import Subscription

        for former in self._subscriptions:
            if former.idle:
                former.cut()
        subscription = Subscription(connection, incoming)
        self._subscriptions = [
            *(former for former in self._subscriptions if not former.idle),
            subscription,
        ]
        watch.forget(connection)
        self.set_apart(connection)
        # A client that is dropped is not held by the thread, and answers nothing.
        post = partial(late_post, weakref.ref(self))
        work = partial(subscription.read, chunks, post)
        threading.Thread(target=work, daemon=True).start()
        return subscription

    def close_response(self, response: httpx.Response) -> None:
        """End a response of the caller's own HTTP client.

        One of ours has ended by itself, or goes with its connection.
        """
        if self._options.client is not None:
            with suppress(*FAULTS):
                response.close()

    def close(self) -> bool:
        """Close the connections; return whether any was open.

        Those of the caller's own HTTP client stay open.
        """
        idle = self.pool.shut()
        streams, self._subscriptions = self._subscriptions, []
        for subscription in streams:
            subscription.end(ClosedError("the client was closed"))
        for connection in idle:
            connection.close()
        return bool(idle or streams)

    def _request(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Request:
        connect = limits.CONNECT if left is None else min(left, limits.CONNECT)
        rest = None if isinstance(step, Open) and step.lasting else left
        return self._requests.build(connection, step, (connect, rest), traced=True)

    def _response(
        self, connection: Connection, request: httpx.Request, left: float | None
    ) -> httpx.Response:
        """Send a request and return the head of the response.

        The caller's own HTTP client waits in a thread: its connections cannot be cut,
        and a head that drips would hold the call up for ever.
        """
        if self._options.client is None or left is None:
            response: httpx.Response = connection.send(request)
            return response
        box: SimpleQueue[httpx.Response | BaseException] = SimpleQueue()
        late = threading.Event()

        def work() -> None:
            try:
                response: httpx.Response = connection.send(request)
            except ENDING as error:  # the caller's thread raises it
                box.put(error)
            else:
                box.put(response)
                if late.is_set():
                    response.close()

        run = partial(copy_context().run, work)
        threading.Thread(target=run, daemon=True).start()
        try:
            outcome = box.get(timeout=left)
        except Empty:
            late.set()
            outcome = httpx.ReadTimeout("no head in time")
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def _close_surplus(self) -> None:
        for connection in self.pool.surplus():
            connection.close()
        if len(self.pool.idle) > limits.IDLE_FEW:
            watch.at(self.pool, limits.IDLE_SECONDS, self._close_surplus)


def late_post(owner: weakref.ref[Connections], step: Post) -> None:
    connections = owner()
    if connections is not None:
        connections.post(step)


def _connection(options: dict[str, Any], auth: httpx.Auth | None) -> Connection:
    transport = httpx.HTTPTransport(**options)
    # One call at a time has the connection, so its pool needs no lock; an exception
    # out of a signal handler could leave that held, and the call waiting for itself.
    pool = getattr(transport, POOL, None)
    if hasattr(pool, _POOL_LOCK):
        setattr(pool, _POOL_LOCK, nullcontext())
    if hasattr(pool, _BACKEND):
        setattr(pool, _BACKEND, BoundedConnect(getattr(pool, _BACKEND)))
    if auth is None:  # the client's own layers would cost a fifth
        send, close = transport.handle_request, transport.close
        connection = Connection(httpx.Request, send, close)
    else:
        client = httpx.Client(transport=transport, auth=auth, cookies=no_cookies())
        connection = through(client, client.close)
    connection.pool = pool
    return connection


def chunks_of(response: httpx.Response) -> Iterator[bytes]:
    """Return the body; one that was read already, by `auth=` or a hook, at once."""
    if response.is_stream_consumed:
        return iter((response.content,))
    return response.iter_raw()
