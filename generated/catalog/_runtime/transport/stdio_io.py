# Copied by mcp-bindgen. Do not edit.
"""The doors to a program's stdin and stdout, blocking and async."""

from __future__ import annotations

import math
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread

from ..errors import ClosedError, TransportError
from ..protocol.flow import Awaiting, Blocking, Flow, do, drive, drive_async
from ..protocol.messages import Reply, is_response, parse_reply
from .process import Box, Child, Command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")

_PROBE = 10.0


class Pipes:
    """MCP over stdin and stdout, one JSON text a line."""

    http = False

    def exchange(
        self,
        number: int,
        body: bytes,
        _: Mapping[str, str],
        listen: Callable[[dict[str, Any]], Flow[None]],
    ) -> Flow[Reply]:
        """Send one request and return the answer."""
        probe = b'"method":"server/discover"' in body
        yield do("send", number, body)
        while True:
            message: dict[str, Any] = yield do("receive", _PROBE if probe else None)
            if is_response(message):
                return parse_reply(message, number)
            yield from listen(message)

    def notify(self, body: bytes, _: Mapping[str, str]) -> Flow[None]:
        """Send one message that gets no answer."""
        yield do("tell", body)

    def hang_up(self, _: Mapping[str, str]) -> Flow[None]:
        """Do nothing: closing stdin ends the session."""
        yield from ()


class _Line:
    """The one request that a call waits for, on whichever child runs now."""

    def __init__(self, door: _Door) -> None:
        self._door = door
        self._child: Child | None = None
        self._number = -1
        self._box: Box = SimpleQueue()

    def start(self, number: int, body: bytes) -> None:
        self.stop()
        self._child, self._number = self._door.child(), number
        self._box = self._child.ask(number, body)

    def take(self, seconds: float | None) -> dict[str, Any]:
        message = self._box.get(timeout=seconds)
        if isinstance(message, TransportError):
            raise type(message)(message.message)
        return message

    def write(self, body: bytes) -> None:
        if self._child is not None:
            self._child.tell(body)

    def stop(self) -> None:
        if self._child is not None:
            self._child.drop(self._number)
            # Whoever still waits on the box, in a thread of its own, wakes up.
            self._box.put(TransportError("given up"))


class _Door:
    """Holds the child process: started at the first call, again when it died."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._child: Child | None = None
        self._closed = False
        self._guard = threading.Lock()

    def child(self) -> Child:
        with self._guard:
            if self._closed:
                raise ClosedError("the client is closed", outcome="not sent")
            child = self._child or Child(self._command)
            # One that has ended refuses the request; the next call gets a new one.
            self._child = None if child.ended else child
            return child

    def shut(self) -> None:
        with self._guard:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.close()


class _Io(Blocking, _Line):
    def __init__(self, door: StdioDoor, timeout: float | None) -> None:
        Blocking.__init__(self, door.mutex, timeout)
        _Line.__init__(self, door)

    def send(self, number: int, body: bytes) -> None:
        self.start(number, body)
        self.sent = True

    def tell(self, body: bytes) -> None:
        self.write(body)

    def receive(self, most: float | None) -> dict[str, Any]:
        left = self.remaining()
        brief = most is not None and (left is None or most < left)
        with suppress(Empty):
            return self.take(most if brief else left)
        if not brief:
            self.remaining()
        raise TransportError("no answer to the probe", verdict=True)


class StdioDoor(_Door):
    """Carries out flows on a child process, from any thread."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.mutex = threading.Lock()

    def run(self, flow: Flow[T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        io = _Io(self, timeout)
        try:
            return drive(flow, io)
        finally:
            io.stop()

    def close(self) -> None:
        """End the process."""
        self.shut()


class _AsyncIo(Awaiting, _Line):
    def __init__(self, door: AsyncStdioDoor) -> None:
        Awaiting.__init__(self, door.mutex)
        _Line.__init__(self, door)
        self._threads = door.threads

    async def send(self, number: int, body: bytes) -> None:
        self.start(number, body)
        self.sent = True

    async def tell(self, body: bytes) -> None:
        self.write(body)

    async def receive(self, most: float | None) -> dict[str, Any]:
        with suppress(Empty):
            return await anyio.to_thread.run_sync(
                self.take, most, abandon_on_cancel=True, limiter=self._threads
            )
        raise TransportError("no answer to the probe", verdict=True)


class AsyncStdioDoor(_Door):
    """The same for tasks; a thread waits for each of them."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.mutex = anyio.Lock()
        self.threads = anyio.CapacityLimiter(math.inf)

    async def run(self, flow: Flow[T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        io = _AsyncIo(self)
        try:
            return await drive_async(flow, io, timeout)
        finally:
            io.stop()

    async def close(self) -> None:
        """End the process."""
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self.shut)
