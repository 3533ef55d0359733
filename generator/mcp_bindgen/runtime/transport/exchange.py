"""Runs a flow: carries out its steps, one call's on a thread or in a task."""

from __future__ import annotations

import inspect
import time
import weakref
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Protocol,
    TypeVar,
    assert_never,
    cast,
)

import anyio
from anyio.lowlevel import checkpoint

from .. import limits
from ..errors import ENDING, FAILURE, DeadlineError, TransportError
from ..protocol.steps import Ask, Beside, CallbackError, Lock, Sleep, Unlock

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ..protocol.steps import CommonStep
    from .waiting import Turns

T = TypeVar("T")
StepT = TypeVar("StepT")
StepT_contra = TypeVar("StepT_contra", contravariant=True)


class BlockingDriver(Protocol[StepT_contra]):
    """Runs the flows of one server's client, from any thread."""

    def run(
        self, flow: Generator[StepT_contra | CommonStep, Any, T], timeout: float | None
    ) -> T:
        """Run a flow within so many seconds."""
        ...

    def close(self) -> None:
        """Let go of connections and programs."""
        ...

    def forked(self) -> None:
        """Leave connections and programs to the parent process."""
        ...


class AsyncDriver(Protocol[StepT_contra]):
    """Runs the flows of one server's client, from any task."""

    async def run(
        self, flow: Generator[StepT_contra | CommonStep, Any, T], timeout: float | None
    ) -> T:
        """Run a flow within so many seconds."""
        ...

    async def close(self) -> None:
        """Let go of connections and programs."""
        ...

    def forked(self) -> None:
        """Leave connections and programs to the parent process."""
        ...


class BlockingExchange(Generic[StepT]):
    """The steps of one call on a thread; each transport adds its own."""

    def __init__(self, turns: Turns, timeout: float | None) -> None:
        self._turns = turns
        self._timeout = timeout
        self._end = None if timeout is None else time.monotonic() + timeout

    def perform(self, step: StepT) -> object:
        """Carry out one step and return its answer."""
        raise NotImplementedError

    def finish(self) -> None:
        """Give back all that the call holds."""
        self._turns.leave(self)

    def common(self, step: CommonStep) -> object:
        """Carry out a step that all transports have."""
        match step:
            case Sleep():
                return self._sleep(step.seconds)
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

    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""
        raise NotImplementedError

    def cut(self) -> None:
        """End a flow that runs beside the calls, from another thread."""
        self._timeout = self._end = 0.0

    def remaining(self) -> float | None:
        """Return the seconds left for the call; raise `DeadlineError` at none."""
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

    def _sleep(self, seconds: float) -> bool:
        left = self.remaining()
        if seconds >= (limits.PAUSE_MOST if left is None else left):
            return False
        time.sleep(seconds)
        return True


class AsyncExchange(Generic[StepT]):
    """The same for a task, on asyncio and trio; the deadline is a cancel scope."""

    def __init__(self, turns: Turns, timeout: float | None) -> None:
        self._turns = turns
        self.timeout = timeout

    async def perform(self, step: StepT) -> object:
        """Carry out one step and return its answer."""
        raise NotImplementedError

    async def finish(self) -> None:
        """Give back all that the call holds."""
        self._turns.leave(self)

    async def common(self, step: CommonStep) -> object:
        """Carry out a step that all transports have."""
        match step:
            case Sleep():
                return await self._sleep(step.seconds)
            case Ask():
                try:
                    value = step.function(*step.arguments)
                    return await value if inspect.isawaitable(value) else value
                except Exception as error:
                    raise CallbackError(error) from error
            case Lock():
                # Tasks of several loops may wait, so that no loop's own lock will do.
                while not self._turns.take(step.name, self):
                    await self._moment()
            case Unlock():
                self.unlock(step)
            case Beside():
                self.begin(step.flow)
            case _:
                assert_never(step)
        return None

    def begin(self, flow: Generator[Any, Any, None]) -> None:
        """Run a flow beside the calls."""
        raise NotImplementedError

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

    async def _sleep(self, seconds: float) -> bool:
        left = anyio.current_effective_deadline() - anyio.current_time()
        if seconds >= min(left, limits.PAUSE_MOST):
            await checkpoint()  # it may be over already
            return False
        await anyio.sleep(seconds)
        return True


def weakly(driver: T) -> T:
    """Return a driver for a flow beside the calls, which must not hold the client."""
    proxy = type(driver) in weakref.ProxyTypes
    return driver if proxy else cast("T", weakref.proxy(driver))


def grace(timeout: float | None) -> float:
    """Return the seconds that a server gets to hear that a call is given up."""
    if timeout is None:
        return limits.GRACE
    return min(limits.GRACE, 0.25 * timeout + limits.GRACE_LEAST)


def taken(message: dict[str, Any] | TransportError) -> dict[str, Any]:
    """Return a message that came; raise the error that came instead.

    Several calls may get the same error, and each completes its own.
    """
    if isinstance(message, TransportError):
        raise type(message)(message.message, transient=message.transient)
    return message


def deadline_error(timeout: float | None) -> DeadlineError:
    """Return the error for a call whose time is over; the session adds its outcome."""
    return DeadlineError(
        f"no answer within {timeout:g} seconds",
        hint="raise timeout=, or with_options(timeout=) for this call",
    )


def drive(flow: Generator[StepT, Any, T], exchange: BlockingExchange[StepT]) -> T:
    """Run a flow to its end, in this thread."""
    go: Callable[[Any], StepT] = flow.send
    value: Any = None
    original: Exception
    try:
        while True:
            step = go(value)
            try:
                go, value = flow.send, exchange.perform(step)
            except ENDING as error:  # the flow decides, and may clean up
                go, value = flow.throw, error
    except StopIteration as stop:
        result: T = stop.value
        return result
    except CallbackError as error:
        original = error.original
    finally:
        exchange.finish()
    raise original


async def drive_async(
    flow: Generator[StepT, Any, T], exchange: AsyncExchange[StepT]
) -> T:
    """Run a flow to its end, in this task.

    Raises:
        DeadlineError: After the exchange's time.
    """
    ending: BaseException | None = None
    with anyio.move_on_after(exchange.timeout) as scope:
        go: Callable[[Any], StepT] = flow.send
        value: Any = None
        try:
            while True:
                step = go(value)
                try:
                    go, value = flow.send, await exchange.perform(step)
                except FAILURE as error:
                    go, value = flow.throw, error
                except BaseException as error:
                    over = scope.cancel_called
                    ending = deadline_error(exchange.timeout) if over else error
                    # The last steps of the flow must not be cut off, nor last.
                    with anyio.move_on_after(exchange.grace, shield=True):
                        await _end(flow, ending, exchange)
                    raise
        except StopIteration as stop:
            result: T = stop.value
            return result
        except CallbackError as error:
            ending = error.original
        finally:
            with anyio.CancelScope(shield=True):
                await exchange.finish()
    raise ending or deadline_error(exchange.timeout)


async def _end(
    flow: Generator[StepT, Any, Any],
    ending: BaseException,
    exchange: AsyncExchange[StepT],
) -> None:
    """Let a flow end that is cancelled or too late."""
    go: Callable[[Any], StepT] = flow.throw
    value: Any = ending
    try:
        while True:
            step = go(value)
            try:
                go, value = flow.send, await exchange.perform(step)
            except FAILURE as error:
                go, value = flow.throw, error
    except StopIteration:
        return
    except BaseException as error:
        if error is not ending and not isinstance(error, Exception):
            raise
