# Copied by mcp-bindgen. Do not edit.
"""Which event loop runs: connections, locks and tasks belong to one."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

__all__ = ["begin_task", "hold_task", "is_closed", "running_loop", "runs", "soon_in"]

# An event loop of asyncio forgets tasks that nobody holds.
_tasks: set[asyncio.Task[None]] = set()


def running_loop() -> object:
    """Return the running event loop, or trio's token for it."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        lowlevel: Any = import_module("trio.lowlevel")
        token: object = lowlevel.current_trio_token()
        return token


def runs(loop: object) -> bool:
    """Return whether the tasks of a loop still run; trio ends them with the loop."""
    return not isinstance(loop, asyncio.AbstractEventLoop) or loop.is_running()


def is_closed(loop: object) -> bool:
    """Return whether an event loop was closed, which may leave tasks without an end."""
    return isinstance(loop, asyncio.AbstractEventLoop) and loop.is_closed()


def soon_in(loop: Any, work: Callable[[], object]) -> None:
    """Have an event loop call a function, from any thread; an ended loop calls nothing.

    Args:
        loop: The result of `running_loop`.
        work: It raises nothing.
    """
    soon = getattr(loop, "call_soon_threadsafe", None) or loop.run_sync_soon
    with suppress(RuntimeError):  # trio's own error is one, too
        soon(work)


def begin_task(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a function as a task of the running event loop, beside all calls.

    Args:
        work: It raises nothing; the end of the loop cancels it.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        lowlevel: Any = import_module("trio.lowlevel")
        lowlevel.spawn_system_task(work)
    else:
        hold_task(loop.create_task(work()))


def hold_task(task: asyncio.Task[None]) -> None:
    """Hold a task until it is done."""
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
