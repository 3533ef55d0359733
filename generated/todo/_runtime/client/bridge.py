# Copied by mcp-bindgen. Do not edit.
"""Uses either kind of client from either kind of code: each async one has a home."""

from __future__ import annotations

import asyncio
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..errors import ConfigError
from .client import AsyncBaseClient, BaseClient

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["perform", "perform_async"]

# The event loop that an async client lives in.
_homes: WeakKeyDictionary[AsyncBaseClient, asyncio.AbstractEventLoop] = (
    WeakKeyDictionary()
)


def perform(client: BaseClient | AsyncBaseClient, work: Callable[[], Any]) -> Any:
    """Run a method of a client from blocking code, and wait for it.

    One of an async client runs in the loop that first used the client; in a loop of
    its own, in a thread, where there was none.

    Raises:
        ConfigError: This thread runs that very loop, so that it would wait for itself.
    """
    if isinstance(client, BaseClient):
        return work()
    home = _homes[client] = _home(client) or _background()
    if home is _running():
        raise ConfigError(
            "a blocking call on an async client, from its own event loop",
            hint="await the async form, or use a blocking client",
        )
    return asyncio.run_coroutine_threadsafe(work(), home).result()


async def perform_async(
    client: BaseClient | AsyncBaseClient, work: Callable[[], Any]
) -> Any:
    """Run a method of a client from a task; one that blocks runs in a thread."""
    if isinstance(client, BaseClient):
        from anyio import to_thread

        return await to_thread.run_sync(work)
    here = _running()
    if here is None:
        return await work()
    home = _homes[client] = _home(client) or here
    if home is here:
        return await work()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), home))


def _home(client: AsyncBaseClient) -> asyncio.AbstractEventLoop | None:
    home = _homes.get(client)
    return home if home is not None and home.is_running() else None


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
