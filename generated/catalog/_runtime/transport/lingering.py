# Copied by mcp-bindgen. Do not edit.
"""Tasks that continue while their event loop ends, as long as they are needed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import anyio

from .. import limits
from .loops import begin_task, hold_task

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

__all__ = ["begin_lingering"]


def begin_lingering(
    work: Callable[[], Coroutine[Any, Any, None]], needed: Callable[[], bool]
) -> None:
    """Run a function as a task of the running event loop, beside all calls.

    A loop that ends cancels its tasks, and waits for them: this one ends when it is not
    needed, or after some seconds.

    Args:
        work: It raises nothing.
        needed: Returns whether it must continue; the first call means that the loop
            ends.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # trio
        begin_task(lambda: _shielded(work, needed))
    else:
        hold_task(_Lingering(work(), loop, needed))


class _Lingering(asyncio.Task[None]):
    """A task that ends on cancellation only when it is no longer needed.

    No shield stops a loop of asyncio that ends: it cancels all tasks, also inner ones.
    """

    def __init__(
        self,
        work: Coroutine[Any, Any, None],
        loop: asyncio.AbstractEventLoop,
        needed: Callable[[], bool],
    ) -> None:
        super().__init__(work, loop=loop)
        self._needed = needed
        self._latest: float | None = None

    def cancel(self, msg: Any | None = None) -> bool:
        """Cancel the task, now or as soon as it is not needed."""
        loop = self.get_loop()
        if self._latest is None:
            self._latest = loop.time() + limits.LOOP_DRAIN
        if self.done() or loop.time() >= self._latest or not self._needed():
            return super().cancel(msg)
        loop.call_later(limits.TASK_POLL, self.cancel)
        return False


async def _shielded(
    work: Callable[[], Coroutine[Any, Any, None]], needed: Callable[[], bool]
) -> None:
    async with anyio.create_task_group() as group:
        with anyio.CancelScope(shield=True) as shield:
            group.start_soon(_lift, shield, needed)
            await work()
        group.cancel_scope.cancel()


async def _lift(shield: anyio.CancelScope, needed: Callable[[], bool]) -> None:
    """Wait for the end of the event loop, and end the work when it is not needed."""
    try:
        await anyio.sleep_forever()
    finally:
        with anyio.move_on_after(limits.LOOP_DRAIN, shield=True):
            while needed():
                await _moment()
        shield.cancel()


async def _moment() -> None:
    await anyio.sleep(limits.TASK_POLL)
