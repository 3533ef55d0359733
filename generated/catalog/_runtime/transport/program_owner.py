# Copied by mcp-bindgen. Do not edit.
"""The one running program of a client, and the line of one call to it."""

from __future__ import annotations

import atexit
import math
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from .. import limits
from ..errors import ClosedError, TransportError
from ..protocol.inbox import LISTENER
from ..protocol.messages import is_response
from ..protocol.steps import Box
from ..protocol.wire import SessionLostError
from .exchange import taken
from .process import Program
from .unclosed import warn_unclosed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol.delivery import Delivery
    from ..protocol.steps import Send
    from .command import Command


class Line:
    """The one request that a call waits for, on the program that it was sent to."""

    def __init__(self, owner: ProgramOwner) -> None:
        self._owner = owner
        self._program: Program | None = None
        self._number = -1
        self._delivery: Delivery | None = None
        self._opens = False
        self.box = Box()

    def start(self, step: Send) -> None:
        """Send a request."""
        self.stop()
        self._delivery, self._opens = step.delivery, step.delivery is None
        self._program = self._owner.program(start=self._opens)
        self._number = step.number
        if step.delivery is not None:
            step.delivery.sending()
        try:
            self.box = self._program.ask(step.number, step.body)
        except SessionLostError:
            if step.delivery is not None:
                step.delivery.unsent()
            raise

    def overhear(self) -> None:
        """Wait for messages that belong to no call, of the running program."""
        self._program = self._owner.program(start=False)
        self._number = LISTENER
        self.box = self._program.overhear()

    def waits(self, seconds: float | None) -> Iterator[float | None]:
        """Yield how long to wait for the next message, in seconds, until time is over.

        Raises:
            TransportError: The program, which was just started, may not speak MCP at
                all: it prints text.
        """
        if not self._opens:
            yield seconds
            return
        end = math.inf if seconds is None else time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            yield min(left, limits.TEXT_SECONDS / 4)
            if self._program is not None and (text := self._program.only_text):
                raise TransportError(
                    f"the server's program prints text, which is not MCP:{text}",
                    hint="is this the command of an MCP server over stdio?",
                )

    def read(self, message: dict[str, Any] | TransportError) -> dict[str, Any]:
        """Return a message from the box; raise an error that came instead.

        After the answer, further messages belong to no call.
        """
        delivery, program = self._delivery, self._program
        lost = isinstance(message, SessionLostError)
        if lost and delivery and program and program.claim(self._number):
            delivery.unsent()
        if is_response(answer := taken(message)):
            self.stop()
        return answer

    def write(self, body: bytes) -> None:
        """Send a message that gets no answer."""
        if self._program is not None:
            self._program.tell(body)

    def spoilt(self) -> None:
        """End a program whose session was begun and not opened.

        Many take `initialize` once; the next call starts another program.
        """
        if self._program is not None and self._opens:
            self._owner.give_up(self._program)

    def stop(self) -> None:
        """End all waiting."""
        if self._program is not None:
            self._program.drop(self._number)


class ProgramOwner:
    """Owns the running program; a session's first request starts it."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._program: Program | None = None
        self._closed = False
        self._enders: list[threading.Thread] = []
        # The collector of garbage may end a forgotten call in the middle of another.
        self._guard = threading.RLock()

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
            program = self._program
            if program is None or program.ended:
                self._program = None
                if not start:
                    raise SessionLostError("the server's program has ended")
                self._program = program = Program(self._command)
                _running.add(program)
            return program

    def give_up(self, program: Program) -> None:
        """End a program, and let the next call start another."""
        with self._guard:
            if self._program is program:
                self._program = None
        ender = threading.Thread(target=program.close, daemon=True)
        ender.start()
        self._enders = [*(e for e in self._enders if e.is_alive()), ender]

    def shut(self) -> None:
        """End the program."""
        with self._guard:
            self._closed = True
            program, self._program = self._program, None
        if program is not None:
            program.close()
        for ender in self._enders:
            ender.join(limits.STOP * 3)

    def forked(self) -> None:
        """Leave the program to the parent process; begin with none."""
        self._guard = threading.RLock()
        if self._program is not None:
            self._program.leave()
            _parents.append(self._program)
            self._program = None

    def __del__(self) -> None:
        program = self._program
        if program is not None and not self._closed:
            warn_unclosed(self._command.name)
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
