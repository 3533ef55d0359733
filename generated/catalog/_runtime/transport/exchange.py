# Copied by mcp-bindgen. Do not edit.
"""Carries out the steps of one call, on a thread or in a task."""

from __future__ import annotations

import inspect
import math
import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar, assert_never

import anyio
from anyio.lowlevel import checkpoint

from .. import limits
from ..errors import DeadlineError, TransportError
from ..protocol.steps import Ask, Beside, CallbackError, Lock, Sleep, Unlock

if TYPE_CHECKING:
    from collections.abc import Generator

    from ..protocol.steps import CommonStep
    from .waiting import Turns

StepT = TypeVar("StepT")


class BlockingExchange(ABC, Generic[StepT]):
    """The steps of one call on a thread; each transport adds its own."""

    def __init__(self, turns: Turns, timeout: float | None) -> None:
        self._turns = turns
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout

    @abstractmethod
    def perform(self, step: StepT) -> object:
        """Carry out one step and return its answer."""

    def finish(self) -> None:
        """Give back the locks and connections of the call."""
        self._turns.leave(self)

    def common(self, step: CommonStep) -> object:
        """Carry out a step that all transports have."""
        match step:
            case Sleep():
                return self._sleep(step)
            case Ask():
                try:
                    return step.function(*step.arguments)
                except Exception as error:
                    raise CallbackError(error) from error
            case Lock():
                self._turns.enter(step.name, self, self.remaining)
            case Unlock():
                self.unlock(step)
            case Beside():
                self.begin(step.flow)
            case _:
                assert_never(step)
        return None

    def unlock(self, step: Unlock) -> None:
        """Give a lock back."""
        self._turns.leave(self, step.name)

    @abstractmethod
    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""

    def cut(self) -> None:
        """End a flow that runs beside the calls, from another thread."""
        self._timeout = self._end = 0.0

    def remaining(self) -> float | None:
        """Return the seconds left for the call; raise `DeadlineError` if none are."""
        if self._end is None:
            return None
        left = self._end - time.monotonic()
        if left <= 0:
            raise deadline_error(self._timeout)
        return left

    @property
    def grace(self) -> float:
        """Seconds for a message beside the call, which may come after its end."""
        return grace(self._timeout)

    def _sleep(self, step: Sleep) -> bool:
        left = self.remaining()
        if step.seconds >= _time_for(step, math.inf if left is None else left):
            return False
        time.sleep(step.seconds)
        return True


class AsyncExchange(ABC, Generic[StepT]):
    """The steps of one call in a task; a cancel scope is its deadline."""

    def __init__(self, turns: Turns, timeout: float | None) -> None:
        self._turns = turns
        self.timeout = timeout

    @abstractmethod
    async def perform(self, step: StepT) -> object:
        """Carry out one step and return its answer."""

    async def finish(self) -> None:
        """Give back the locks and connections of the call."""
        self._turns.leave(self)

    async def common(self, step: CommonStep) -> object:
        """Carry out a step that all transports have."""
        match step:
            case Sleep():
                return await self._sleep(step)
            case Ask():
                try:
                    value = step.function(*step.arguments)
                    return await value if inspect.isawaitable(value) else value
                except Exception as error:
                    raise CallbackError(error) from error
            case Lock():
                # Tasks of several loops may wait, so that no loop's own lock works.
                while not self._turns.take(step.name, self):
                    await self._moment()
            case Unlock():
                self.unlock(step)
            case Beside():
                self.begin(step.flow)
            case _:
                assert_never(step)
        return None

    @abstractmethod
    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""

    @property
    def grace(self) -> float:
        """Seconds for a message beside the call, which may come after its end."""
        return grace(self.timeout)

    def unlock(self, step: Unlock) -> None:
        """Give a lock back."""
        self._turns.leave(self, step.name)

    @staticmethod
    async def _moment() -> None:
        await anyio.sleep(limits.TASK_POLL)

    async def _sleep(self, step: Sleep) -> bool:
        left = anyio.current_effective_deadline() - anyio.current_time()
        if step.seconds >= _time_for(step, left):
            await checkpoint()  # it may be over already
            return False
        await anyio.sleep(step.seconds)
        return True


def _time_for(step: Sleep, left: float) -> float:
    """Return the seconds that a call has for a pause; see `Sleep`."""
    return limits.PAUSE_MOST - step.waited if left == math.inf else left


def grace(timeout: float | None) -> float:
    """Return the seconds for telling a server that a call is cancelled."""
    if timeout is None:
        return limits.GRACE
    return min(limits.GRACE, 0.25 * timeout + limits.GRACE_LEAST)


def taken(message: dict[str, Any] | TransportError) -> dict[str, Any]:
    """Return a message that came; raise the error that came instead.

    Several calls may get the same error, and each completes its own.
    """
    if isinstance(message, TransportError):
        kind, hint = type(message), message.hint
        raise kind(message.message, hint=hint, transient=message.transient)
    return message


def deadline_error(timeout: float | None) -> DeadlineError:
    """Return the error for a call whose time is over; the session adds its outcome."""
    return DeadlineError(
        f"no answer within {timeout:g} seconds",
        hint="raise timeout=, or with_options(timeout=) for this call",
    )
