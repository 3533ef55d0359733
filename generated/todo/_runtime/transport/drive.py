# Copied by mcp-bindgen. Do not edit.
"""Runs a flow to its end: the protocols of drivers, and the loops over its steps."""

from __future__ import annotations

import weakref
from inspect import GEN_CLOSED, GEN_SUSPENDED, getgeneratorstate
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import anyio

from ..errors import ENDING, FAILURE
from ..protocol.steps import CallbackError
from .exchange import deadline_error

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ..protocol.steps import CommonStep
    from .exchange import AsyncExchange, BlockingExchange

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
        """Close connections and programs."""
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
        """Close connections and programs."""
        ...

    def forked(self) -> None:
        """Leave connections and programs to the parent process."""
        ...


def weakly(driver: T) -> T:
    """Return a weak reference to a driver, for a flow that runs beside the calls.

    A client that nobody uses any more can then be freed while the flow still waits.
    """
    proxy = type(driver) in weakref.ProxyTypes
    return driver if proxy else cast("T", weakref.proxy(driver))


def drive(
    flow: Generator[StepT, Any, T],
    exchange: BlockingExchange[StepT],
    cause: BaseException | None = None,
) -> T:
    """Run a flow to its end, in this thread.

    Args:
        flow: The flow.
        exchange: Performs its steps.
        cause: An error to raise in the flow first.
    """
    go: Callable[[Any], StepT] = flow.throw if cause else flow.send
    value: Any = cause
    original: Exception
    try:
        while True:
            try:
                go, value = flow.send, exchange.perform(go(value))
            except ENDING as error:  # the flow decides, and may clean up
                # No variable can say so: an interrupt may come just before it is set.
                if getgeneratorstate(flow) == GEN_CLOSED:
                    raise
                go, value = flow.throw, error
    except StopIteration as stop:
        result: T = stop.value
        return result
    except CallbackError as error:
        original = error.original
    except BaseException as error:
        # An interrupt came in the lines above: the flow does not know of it yet.
        if cause is None and getgeneratorstate(flow) == GEN_SUSPENDED:
            drive(flow, exchange, error)
        raise
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
                    # The last steps of the flow must not be cut off, and must not take
                    # long.
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
    """Let a cancelled or late flow run its last steps."""
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
