# Copied by mcp-bindgen. Do not edit.
"""Runs a flow, protocol logic that yields steps, on a blocking or an async door."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Generator
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from ..errors import DeadlineError

if TYPE_CHECKING:
    import threading

T = TypeVar("T")

Step = Callable[[Any], Any]
"""What to do on an Io: a blocking Io returns the value, an async one an awaitable."""

Flow = Generator[Step, Any, T]
"""Logic that yields steps, gets their values or exceptions, and returns a T."""

do = methodcaller
"""Makes the step that calls this method of the Io with these arguments."""

GRACE = 2.0
"""Seconds for telling the server that a call is given up."""


class Blocking:
    """The time and the waiting of one call, for threads.

    Attributes:
        sent: Whether what was last sent may have reached the server.
    """

    def __init__(self, lock: threading.Lock, timeout: float | None) -> None:
        self._lock = lock
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout
        self.sent = self._acts = False

    def begin(self) -> None:
        """Note that what is sent from now on is the call itself."""
        self._acts = True

    def remaining(self) -> float | None:
        """Return the seconds left for the call; raise `DeadlineError` at none."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise deadline(self._timeout, sent=self.unsure)
        return left

    @property
    def unsure(self) -> bool:
        """Whether the call may run on the server."""
        return self._acts and self.sent

    def sleep(self, seconds: float) -> None:
        """Wait, but not beyond the deadline."""
        left = self.remaining()
        time.sleep(seconds if left is None else min(seconds, left))
        self.remaining()

    def lock(self) -> None:
        """Let one call at a time connect."""
        left = self.remaining()
        if not self._lock.acquire(timeout=-1 if left is None else left):
            raise deadline(self._timeout, sent=self.unsure)

    def unlock(self) -> None:
        """Let the next one in."""
        self._lock.release()

    def ask(self, function: Callable[..., Any], *arguments: object) -> Any:
        """Call a function that the user gave."""
        return function(*arguments)


class Awaiting:
    """The same for tasks, on asyncio and trio; the deadline is a cancel scope."""

    def __init__(self, lock: anyio.Lock) -> None:
        self._lock = lock
        self.sent = self._acts = False

    async def begin(self) -> None:
        """Note that what is sent from now on is the call itself."""
        self._acts = True

    @property
    def unsure(self) -> bool:
        """Whether the call may run on the server."""
        return self._acts and self.sent

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)

    async def lock(self) -> None:
        """Let one call at a time connect."""
        await self._lock.acquire()

    async def unlock(self) -> None:
        """Let the next one in."""
        self._lock.release()

    async def ask(self, function: Callable[..., Any], *arguments: object) -> Any:
        """Call a function that the user gave, async or not."""
        value = function(*arguments)
        return await value if inspect.isawaitable(value) else value


def deadline(timeout: float | None, *, sent: bool) -> DeadlineError:
    """Return the error for a call whose time is over."""
    return DeadlineError(
        f"no answer within {timeout:g} seconds",
        outcome="unknown" if sent else "not sent",
        hint="raise timeout=, or with_options(timeout=) for this call",
    )


def drive(flow: Flow[T], io: object) -> T:
    """Run a flow to its end, in this thread."""
    go: Callable[[Any], Step] = flow.send
    value: Any = None
    try:
        while True:
            step = go(value)
            try:
                go, value = flow.send, step(io)
            except BaseException as error:  # the flow decides, and may clean up
                go, value = flow.throw, error
    except StopIteration as stop:
        result: T = stop.value
        return result


async def drive_async(flow: Flow[T], io: Awaiting, timeout: float | None) -> T:
    """Run a flow to its end, in this task.

    Raises:
        DeadlineError: After `timeout` seconds.
    """
    with anyio.move_on_after(timeout):
        return await _rest(flow.send, None, flow, io)
    raise deadline(timeout, sent=io.unsure)


async def _rest(go: Callable[[Any], Step], value: Any, flow: Flow[T], io: object) -> T:
    try:
        while True:
            step = go(value)
            try:
                go, value = flow.send, await step(io)
            except Exception as error:
                go, value = flow.throw, error
            except BaseException as error:
                # Cancelled: what the flow still does must not be cut off, nor last.
                with anyio.move_on_after(GRACE, shield=True):
                    await _rest(flow.throw, error, flow, io)
                raise
    except StopIteration as stop:
        result: T = stop.value
        return result
