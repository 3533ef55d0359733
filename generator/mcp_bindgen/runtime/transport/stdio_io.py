"""Stdio drivers of the sans-I/O protocol, blocking and async."""

from __future__ import annotations

import atexit
import math
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from .. import limits
from ..errors import ClosedError, TransportError
from ..protocol.request import SessionLostError
from ..protocol.steps import Receive, Send, StdioStep, Tell
from .exchange import AsyncExchange, BlockingExchange, drive, drive_async
from .process import Box, Command, Program
from .waiting import Turns

if TYPE_CHECKING:
    from ..protocol.steps import Flow, LockName

T = TypeVar("T")


class _Line:
    """The one request that a call waits for, on the program that it was sent to."""

    def __init__(self, owner: _Owner) -> None:
        self._owner = owner
        self._program: Program | None = None
        self._number = -1
        self._opens = False
        self._box: Box = SimpleQueue()

    def start(self, step: Send) -> None:
        """Send a request."""
        self.stop()
        self._opens = step.delivery is None
        self._program = self._owner.program(start=self._opens)
        self._number = step.number
        if step.delivery is not None:
            step.delivery.sending()
        try:
            self._box = self._program.ask(step.number, step.body)
        except SessionLostError:
            if step.delivery is not None:
                step.delivery.unsent()
            raise

    def take(self, seconds: float | None) -> dict[str, Any]:
        """Wait for a message; raise what ended the wait."""
        message = self._box.get(timeout=seconds)
        if isinstance(message, TransportError):
            raise type(message)(message.message, transient=message.transient)
        return message

    def opening(self, seconds: float | None) -> dict[str, Any]:
        """Wait for a message of a program that may not speak MCP at all."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            try:
                return self.take(min(max(left, 0.0), limits.TEXT_SECONDS / 4))
            except Empty:
                if left <= 0:
                    raise
            if self._program is not None and (text := self._program.only_text):
                raise TransportError(
                    f"the server's program prints text, which is not MCP:{text}",
                    hint="is this the command of an MCP server over stdio?",
                )

    def wait(self, seconds: float | None) -> dict[str, Any]:
        """Wait for a message."""
        return self.opening(seconds) if self._opens else self.take(seconds)

    def write(self, body: bytes) -> None:
        """Send a message that gets no answer."""
        if self._program is not None:
            self._program.tell(body)

    def stop(self) -> None:
        """Wait for nothing more."""
        if self._program is not None:
            self._program.drop(self._number)
            # Whoever still waits on the box, in a thread of its own, wakes up.
            self._box.put(TransportError("given up"))


class _Owner:
    """Has the running program: a session's first request starts one where none runs."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._program: Program | None = None
        self._closed = False
        self._guard = threading.Lock()

    def program(self, *, start: bool) -> Program:
        """Return the running program.

        Args:
            start: Whether to start one where none runs.

        Raises:
            SessionLostError: None runs, so that its session is over.
        """
        with self._guard:
            if self._closed:
                raise ClosedError("the client is closed", outcome="not sent")
            if self._program is not None and self._program.ended:
                self._program = None
            if self._program is None:
                if not start:
                    raise SessionLostError("the server's program has ended")
                self._program = Program(self._command)
                _running.add(self._program)
            return self._program

    def shut(self) -> None:
        """End the program."""
        with self._guard:
            self._closed = True
            program, self._program = self._program, None
        if program is not None:
            program.close()

    def forked(self) -> None:
        """Leave the program to the parent process; begin with none."""
        self._guard = threading.Lock()
        if self._program is not None:
            self._program.leave()
            _parents.append(self._program)
            self._program = None

    def __del__(self) -> None:
        program = self._program
        if program is not None and not program.ended:
            with suppress(RuntimeError):  # the interpreter ends; so does `_end_all`
                threading.Thread(target=program.close, daemon=True).start()


_running: WeakSet[Program] = WeakSet()
_parents: list[Program] = []


@atexit.register
def _end_all() -> None:
    """End the programs that are still there: none outlives the interpreter."""
    left = [
        program
        for program in [*_running]
        if program not in _parents and not program.ended
    ]
    enders = [
        threading.Thread(target=p.close, args=(limits.EXIT_STOP,), daemon=True)
        for p in left
    ]
    try:
        for ender in enders:
            ender.start()
        for ender in enders:
            ender.join(limits.EXIT_STOP * 4)
    except RuntimeError:  # no threads any more
        for program in left:
            program.close(0.0)


class StdioExchange(BlockingExchange[StdioStep]):
    """One call over stdio, on a thread."""

    def __init__(self, driver: StdioDriver, timeout: float | None) -> None:
        super().__init__(driver.turns, timeout)
        self._line = _Line(driver)

    def perform(self, step: StdioStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Send():
                self._line.start(step)
            case Receive():
                return self._receive(step.seconds)
            case Tell():
                self._line.write(step.body)
            case _:
                return self.common(step)
        return None

    def _receive(self, seconds: float | None) -> dict[str, Any]:
        left = self.remaining()
        probe = seconds is not None and (left is None or seconds < left)
        with suppress(Empty):
            return self._line.wait(seconds if probe else left)
        if not probe:
            self.remaining()
        raise TransportError("no answer to the probe", is_legacy_server=True)

    def finish(self) -> None:
        """Give back all that the call holds."""
        try:
            self._line.stop()
        finally:
            super().finish()


class StdioDriver(_Owner):
    """Runs flows on a program, from any thread."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self.turns = Turns()

    def run(self, flow: Flow[StdioStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        return drive(flow, StdioExchange(self, timeout))

    def close(self) -> None:
        """End the program."""
        self.shut()

    def forked(self) -> None:
        """Leave the program to the parent process; begin with none."""
        super().forked()
        self.turns = Turns()


class AsyncStdioExchange(AsyncExchange[StdioStep]):
    """One call over stdio, in a task; a thread waits for its messages."""

    def __init__(self, driver: AsyncStdioDriver, timeout: float | None) -> None:
        self._here = driver.here
        super().__init__(self._here.lock, timeout)
        self._line = _Line(driver)

    async def perform(self, step: StdioStep) -> object:
        """Carry out one step and return its answer."""
        match step:
            case Send():
                self._line.start(step)
            case Receive():
                return await self._receive(step.seconds)
            case Tell():
                self._line.write(step.body)
            case _:
                return await self.common(step)
        return None

    async def _receive(self, seconds: float | None) -> dict[str, Any]:
        with suppress(Empty):
            return await anyio.to_thread.run_sync(
                self._line.wait,
                seconds,
                abandon_on_cancel=True,
                limiter=self._here.threads,
            )
        raise TransportError("no answer to the probe", is_legacy_server=True)

    async def finish(self) -> None:
        """Give back all that the call holds."""
        try:
            self._line.stop()
        finally:
            await super().finish()


class _Here:
    """What one event loop has of a client."""

    def __init__(self) -> None:
        self.threads = anyio.CapacityLimiter(math.inf)
        self._locks: dict[LockName, anyio.Lock] = {}

    def lock(self, name: LockName) -> anyio.Lock:
        """Return one of the locks."""
        return self._locks.setdefault(name, anyio.Lock())


class AsyncStdioDriver(_Owner):
    """Runs flows on a program, from any task of any event loop."""

    def __init__(self, command: Command) -> None:
        super().__init__(command)
        self._loops: RunVar[_Here] = RunVar("program")

    @property
    def here(self) -> _Here:
        """What the running event loop has."""
        try:
            return self._loops.get()
        except LookupError:
            self._loops.set(here := _Here())
            return here

    async def run(self, flow: Flow[StdioStep, T], timeout: float | None) -> T:
        """Run a flow within so many seconds."""
        return await drive_async(flow, AsyncStdioExchange(self, timeout))

    async def close(self) -> None:
        """End the program."""
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self.shut)

    def forked(self) -> None:
        """Leave the program to the parent process; begin with none."""
        super().forked()
        self._loops = RunVar("program")
