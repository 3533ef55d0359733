# Copied by mcp-bindgen. Do not edit.
"""The stdin of a server's program: lines are written by callers, or by a thread."""

from __future__ import annotations

import os
import select
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from .. import limits

if TYPE_CHECKING:
    from ..protocol.inbox import Inbox

__all__ = ["ProgramInput"]

# Some systems have none, and some libraries take it away.
_poll: Any = getattr(select, "poll", None)
# A pipe takes a line of so many bytes as a whole or not at all (POSIX, `write`).
_AT_ONCE = getattr(select, "PIPE_BUF", 0) if _poll else 0

_Line: TypeAlias = "tuple[int | None, bytes]"
"""The number of a request, None for any other message; and its text."""


class ProgramInput:
    """Writes messages to a program; no caller waits for a program that does not read.

    The rule: messages are written whole and in their order. A caller alone writes a
    short one itself, which takes less time than to wake the thread. The thread writes
    all others, several each time that it runs, and looks whether the program reads.

    Args:
        pipe: The program's stdin.
        inbox: The requests that wait for answers.
    """

    def __init__(self, pipe: IO[bytes], inbox: Inbox) -> None:
        self._pipe = pipe
        self._inbox = inbox
        self._unsent: set[int] = set()
        self._queue: SimpleQueue[_Line | None] = SimpleQueue()
        self._queued = self._written = 0  # lines for the thread, ever
        self._was_used = False
        self._looks = False  # whether the thread looks at the pipe, which is open
        # The collector of garbage may end a forgotten call in the middle of another,
        # and a signal's handler may make one.
        self._guard = threading.RLock()
        if _AT_ONCE:
            os.set_blocking(pipe.fileno(), False)

    def put(self, number: int | None, body: bytes) -> None:
        """Send a message.

        Args:
            number: The number of a request, None for any other message.
            body: The message.
        """
        line = (number, body + b"\n")
        if number is not None:
            self._unsent.add(number)
        with self._guard:
            self._was_used = True
            if not (self._is_calm() and self._write_at_once(*line)):
                self._queued += 1
                self._queue.put(line)

    def claim(self, number: int) -> bool:
        """Take a request that is not sent; it is there once, to send or to give up."""
        try:
            self._unsent.remove(number)
        except KeyError:
            return False
        return True

    def end(self) -> None:
        """Let the thread end when all is written."""
        self._queue.put(None)

    def serve(self) -> None:
        """Write the messages that wait, in the thread, until the end.

        Raises:
            OSError: The program does not read any more.
        """
        while (message := self._next()) is not None:
            number, line = message
            if number is None or self.claim(number):
                try:
                    self._write(line)
                except OSError:
                    if number is not None:  # part of a line is no request
                        self._unsent.add(number)
                    raise
            self._written += 1

    def close(self) -> None:
        """Close the pipe; the thread does this at its end."""
        with self._guard:
            self._looks = False
        with suppress(OSError):
            self._pipe.close()

    def _is_calm(self) -> bool:
        """Return whether the thread has nothing to do, and one call is under way."""
        has_none = self._looks and self._queued == self._written
        return has_none and self._inbox.waiting < 2

    def _write_at_once(self, number: int | None, line: bytes) -> bool:
        """Write a line where the pipe has room; return whether that was done."""
        if len(line) > _AT_ONCE or (number is not None and not self.claim(number)):
            return False
        file = self._pipe.fileno()
        try:
            # Another call may have come in the middle of this one, and its long line is
            # for the thread. None comes between these two steps: Python runs handlers
            # and the collector only where a function begins or ends.
            if self._queued == self._written:
                os.write(file, line)
                return True
        except OSError as error:  # the pipe is full, or broken: the thread reports it
            if not _is_refusal(error):
                raise
        if number is not None:
            self._unsent.add(number)
        return False

    def _next(self) -> _Line | None:
        """Return the next message to write.

        Raises:
            BrokenPipeError: The program reads none, while requests wait for answers.
        """
        while True:
            with suppress(Empty):
                seconds = limits.STDIN_LOOK if self._looks else None
                line = self._queue.get(timeout=seconds)
                self._looks = True
                return line
            if self._inbox.waiting and _has_no_reader(self._pipe):
                raise BrokenPipeError
            with self._guard:
                self._looks = self._was_used or self._inbox.waiting > 0
                self._was_used = False

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._pipe.fileno(), rest) :]
            except BlockingIOError:
                _wait_for_room(self._pipe)


def _is_refusal(error: OSError) -> bool:
    """Return whether the system refused to write, in the function that caught this.

    A signal's handler may raise such an error, too, often a TimeoutError. Then the line
    may be written, and must not be sent again.
    """
    trace = error.__traceback__
    return error.errno is not None and trace is not None and trace.tb_next is None


def _wait_for_room(pipe: IO[bytes]) -> None:
    poll = _poll()
    poll.register(pipe, select.POLLOUT)
    poll.poll()


def _has_no_reader(pipe: IO[bytes]) -> bool:
    """Return whether the other end of a pipe is closed, where the system says so."""
    if not _poll:
        return False
    poll = _poll()
    poll.register(pipe, 0)  # an error is reported unasked
    return bool(poll.poll(0))
