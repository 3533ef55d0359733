# Copied by mcp-bindgen. Do not edit.
"""The blocking HTTP driver of the sans-I/O protocol."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty
from typing import TYPE_CHECKING, Any, TypeVar

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
from .connections_io import Connections, chunks_of
from .deadline_watch import watch
from .drive import drive, weakly
from .exchange import BlockingExchange, taken
from .http_faults import FAULTS, translated
from .unclosed import warn_unclosed
from .waiting import Turns

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ..protocol.steps import Flow
    from .beside import Companions
    from .connections import Connection, HttpOptions, Pool, httpx
    from .subscription import Subscription

T = TypeVar("T")


class HttpExchange(BlockingExchange[HttpStep]):
    """One call over HTTP, on a thread."""

    def __init__(self, driver: HttpDriver, timeout: float | None) -> None:
        super().__init__(driver.turns, timeout)
        self._driver = driver
        self._connections = driver.connections
        self._connection: Connection | None = None
        self._response: httpx.Response | None = None
        self._chunks: Iterator[bytes] = iter(())
        self._ended = False
        self._subscription: Subscription | None = None

    def perform(self, step: HttpStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Open():
                return self._open(step)
            case Read():
                return self._read(step.seconds)
            case Drain():
                self._drain()
            case Post():
                return self._connections.post(step, self.grace)
            case Subscribe():
                self._subscribe(step)
            case Await():
                return self._await(step)
            case Lock(name="session") | Sleep():
                # Nothing is left to read; and others may need the connection first.
                self._leave()
                return self.common(step)
            case _:
                return self.common(step)
        return None

    def _open(self, step: Open) -> Head:
        self._leave()
        connection = self._connections.take(self.remaining)
        self._connection, self._ended = connection, False
        if step.lasting:
            self._connections.set_apart(connection)
        left = self.remaining()
        if left is not None:
            watch.at(connection, left, connection.cut)
        try:
            response = self._connections.send(connection, step, left)
        except TransportError:
            self.remaining()
            raise
        self._response, self._chunks = response, chunks_of(response)
        if connection.stream is None:
            connection.stream = response.extensions.get("network_stream")
        return Head(response.status_code, response.headers)

    def _read(self, seconds: float | None) -> bytes:
        if seconds is not None and self._connection is not None:
            left = self.remaining()
            soon = seconds if left is None else min(seconds, left)
            watch.at(self._connection, soon, self._connection.cut)
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

    def _subscribe(self, step: Subscribe) -> None:
        connection, self._connection = self._connection, None
        self._response = None
        if connection is not None:
            self._subscription = self._connections.subscribe(
                connection, self._chunks, step.incoming
            )

    def _await(self, step: Await) -> dict[str, Any]:
        with suppress(Empty):
            return taken(step.box.get(timeout=self.remaining()))
        self.remaining()
        raise TransportError("no answer in time")

    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""
        driver = weakly(self._driver)
        self._driver.companions().begin(flow, HttpExchange(driver, None))

    def cut(self) -> None:
        """End a flow that runs beside the calls, from another thread."""
        super().cut()
        if self._connection is not None:
            self._connection.cut()

    def _leave(self) -> None:
        """Close the response; keep the connection if it was read to its end."""
        response, self._response = self._response, None
        connection, self._connection = self._connection, None
        ended, self._ended = self._ended, False
        try:
            if response is not None:
                self._connections.close_response(response)
        finally:
            if connection is not None:
                self._connections.release(connection, ended=ended)

    def unlock(self, step: Unlock) -> None:
        """Give a lock back."""
        if step.name == "session":
            self._settle(opened=not step.failed)
        super().unlock(step)

    def finish(self) -> None:
        """Give back the locks and connections of the call."""
        try:
            self._leave()
            if self._subscription is not None:
                self._settle(opened=not self._turns.has("session", self))
        finally:
            super().finish()

    def _settle(self, *, opened: bool) -> None:
        """End the stream of a session that was begun and not opened."""
        subscription, self._subscription = self._subscription, None
        if subscription is not None and not opened:
            subscription.cut()


class HttpDriver:
    """Runs flows over HTTP, from any thread."""

    def __init__(self, options: HttpOptions[httpx.Client]) -> None:
        self._server = options.server
        self.turns = Turns()
        self.connections = Connections(options)
        self._companions: Companions | None = None

    @property
    def pool(self) -> Pool:
        """The connections that no call uses now."""
        return self.connections.pool

    def forked(self) -> None:
        """Leave the connections to the parent process; begin with none."""
        self.turns = Turns()
        self._companions = None
        self.connections.forked()

    def companions(self) -> Companions:
        """Return the companions: they run flows beside the calls, and are made late."""
        from .beside import Companions

        if self._companions is None:
            self._companions = Companions()
        return self._companions

    def run(self, flow: Flow[HttpStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        return drive(flow, HttpExchange(self, timeout))

    def exchange(self, timeout: float | None) -> HttpExchange:
        """Return the exchange that carries out the steps of one call."""
        return HttpExchange(self, timeout)

    def close(self) -> None:
        """Close the connections, unless the HTTP client is the caller's own."""
        if self._companions is not None:
            self._companions.close()
        self.connections.close()

    def __del__(self) -> None:
        connections: Connections | None = vars(self).get("connections")
        if companions := vars(self).get("_companions"):
            companions.close()
        if connections is not None and connections.close():
            warn_unclosed(self._server)
