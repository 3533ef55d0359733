# Copied by mcp-bindgen. Do not edit.
"""Calls either kind of client from either kind of code, blocking or async."""

from __future__ import annotations

import asyncio
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from ..errors import ConfigError
from .client import AsyncBaseClient, BaseClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["finish", "perform", "perform_async"]

T = TypeVar("T")

# All calls of an async client run in one event loop, the one of its first call.
_loops: WeakKeyDictionary[AsyncBaseClient, asyncio.AbstractEventLoop] = (
    WeakKeyDictionary()
)


def perform(client: BaseClient | AsyncBaseClient, work: Callable[[], Any]) -> Any:
    """Run a method of a client from blocking code, and wait for the result.

    A method of an async client runs in the client's event loop. Where it has none, it
    gets one that runs in a thread in the background.

    Raises:
        ConfigError: This thread runs that very loop, so that it would wait for itself.
    """
    if isinstance(client, BaseClient):
        return work()
    loop = _loops[client] = _loop_of(client) or _background()
    if loop is _running():
        raise ConfigError(
            "a blocking call on an async client, from its own event loop",
            hint="await the async form, or use a blocking client",
        )
    return asyncio.run_coroutine_threadsafe(work(), loop).result()


async def perform_async(
    client: BaseClient | AsyncBaseClient, work: Callable[[], Any]
) -> Any:
    """Run a method of a client from a task; a blocking one runs in a thread."""
    if isinstance(client, BaseClient):
        from anyio import to_thread

        return await to_thread.run_sync(work)
    running = _running()
    if running is None:
        return await work()
    loop = _loops[client] = _loop_of(client) or running
    if loop is running:
        return await work()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), loop))


def finish(work: Awaitable[T]) -> T:
    """Wait in blocking code for an awaitable; it runs in a loop of its own."""

    async def run() -> T:
        return await work

    return asyncio.run_coroutine_threadsafe(run(), _background()).result()


def _loop_of(client: AsyncBaseClient) -> asyncio.AbstractEventLoop | None:
    loop = _loops.get(client)
    return loop if loop is not None and loop.is_running() else None


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:  # no loop, or trio
        return None


@lru_cache(maxsize=1)
def _background() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="mcp-calls", daemon=True).start()
    return loop
