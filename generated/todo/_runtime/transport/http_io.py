# Copied by mcp-bindgen. Do not edit.
"""The blocking HTTP driver of the sans-I/O protocol."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import nullcontext, suppress
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from .. import limits
from ..errors import ENDING
from ..protocol.steps import Drain, Head, HttpStep, Open, Post, Read
from .connections import Connection, HttpOptions, Pool, Requests, httpx, through
from .deadline_watch import watch
from .exchange import BlockingExchange, drive
from .http_faults import FAULTS, closed, translated
from .log_redaction import ours
from .unclosed import warn_unclosed
from .waiting import Bells, Turns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..errors import TransportError
    from ..protocol.steps import Flow

T = TypeVar("T")
_POOL_LOCK = "_optional_thread_lock"  # of httpcore, which has none where it is async


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
            response: httpx.Response = self._driver.send(connection, request, left)
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
            self._driver.close_response(response)
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
                self._driver.close_response(response)
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
        self._new = partial(_connection, self._transport, options.auth)
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
        if self._options.client is not None:
            return
        if not (ended and self.pool.give_back(connection)):
            self.pool.drop(connection)
            connection.abandon()
        elif len(self.pool.idle) > limits.IDLE_FEW:
            watch.at(self.pool, limits.IDLE_SECONDS, self._close_surplus)
        self._bells.ring()

    def close_response(self, response: httpx.Response) -> None:
        """End a response of the caller's own HTTP client.

        One of ours has ended by itself, or goes with its connection.
        """
        if self._options.client is not None:
            with suppress(*FAULTS):
                response.close()

    def request(
        self, connection: Connection, step: Open | Post, left: float | None
    ) -> httpx.Request:
        """Return a request, timed."""
        connect = limits.CONNECT if left is None else min(left, limits.CONNECT)
        if connection.since < time.monotonic() - limits.KEEP_ALIVE:
            connect /= self._addresses()
        return self._requests.build(connection, step, (connect, left), traced=True)

    def send(
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
            except ENDING as error:  # whatever it is, the caller's thread raises it
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

    def keep_cookies(self, request: httpx.Request, response: httpx.Response) -> None:
        """Keep cookies, unless the HTTP client is the caller's own."""
        if self._options.client is None:
            self._requests.keep_cookies(request, response)

    def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own."""
        for connection in self.pool.shut():
            connection.close()

    def __del__(self) -> None:
        if idle := self.pool.shut():
            warn_unclosed(self._options.server)
        for connection in idle:
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

    def _close_surplus(self) -> None:
        for connection in self.pool.surplus():
            connection.close()
        if len(self.pool.idle) > limits.IDLE_FEW:
            watch.at(self.pool, limits.IDLE_SECONDS, self._close_surplus)


def _connection(options: dict[str, Any], auth: httpx.Auth | None) -> Connection:
    transport = httpx.HTTPTransport(**options)
    # One call at a time has the connection, so its pool needs no lock; an exception
    # out of a signal handler could leave that held, and the call waiting for itself.
    pool = vars(transport).get("_pool")
    if hasattr(pool, _POOL_LOCK):
        setattr(pool, _POOL_LOCK, nullcontext())
    if auth is None:  # the client's own layers would cost a fifth
        return Connection(httpx.Request, transport.handle_request, transport.close)
    client = httpx.Client(transport=transport, auth=auth)
    return through(client, client.close)


def _chunks(response: httpx.Response) -> Iterator[bytes]:
    """Return the body; one that was read already, by `auth=` or a hook, at once."""
    if response.is_stream_consumed:
        return iter((response.content,))
    return response.iter_raw()
