"""A backstop in processor time: it ends work that our own mistakes make endless.

The cost of a recording is counted in steps (`limits.Budget`), so that the same file
is accepted or refused on every machine. Processor time is not wall time: other programs
on the machine do not count.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["Deadline", "TimeUpError", "stopped_after"]

_AGAIN = 10  # seconds; a client that closes waits six for its program at most


class TimeUpError(BindgenError):
    """The work takes more processor time than its limit, in seconds."""

    def __init__(self, seconds: float) -> None:
        message = f"it takes more than {seconds:g} seconds of processor time"
        hint = f"raise the limit: --limit seconds={max(seconds * 2, 1):g}"
        super().__init__(Problem("", message, hint))


class Deadline:
    """A number of seconds of this process's processor time, from now on.

    Example:
        deadline = Deadline(120)
        for tool in tools:
            deadline.check()
    """

    __slots__ = ("_end", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.process_time() + seconds

    def check(self) -> None:
        """Do nothing while there is time.

        Raises:
            TimeUpError: The time is over.
        """
        if time.process_time() > self._end:
            raise TimeUpError(self._seconds)


@contextmanager
def stopped_after(seconds: float) -> Generator[None]:
    """End the body, even if it waits and calls no `Deadline.check`.

    Systems without `signal.setitimer` (Windows) do not end it.

    Args:
        seconds: Processor time of this process.

    Raises:
        TimeUpError: The time is over.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise TimeUpError(seconds)

    before = signal.signal(signal.SIGPROF, stop)
    # Again, since the first may come where an exception is swallowed; and not while
    # a client closes, as it would leave its program and a thread that reads from it.
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-3), _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
