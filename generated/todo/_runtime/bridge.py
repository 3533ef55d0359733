# Copied by mcp-bindgen. Do not edit.
"""Lets blocking code use an async client: each client has one event loop, its home."""

from __future__ import annotations

import asyncio
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from .errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from .client import AsyncBaseClient

__all__ = ["at_home", "blocking"]

R = TypeVar("R")

_homes: WeakKeyDictionary[AsyncBaseClient, asyncio.AbstractEventLoop] = (
    WeakKeyDictionary()
)


def blocking(
    client: AsyncBaseClient, call: Callable[[], Coroutine[object, object, R]]
) -> R:
    """Run a call on an async client from blocking code, and wait for it.

    It runs in the loop that first used the client; in a loop of its own, in a thread,
    where there was none.

    Raises:
        ConfigError: This thread runs that very loop, so that it would wait for itself.
    """
    home = _homes.get(client)
    if home is None or home.is_closed() or not home.is_running():
        home = _homes[client] = _background()
    if home is _running():
        raise ConfigError(
            "a blocking call on an async client, from its own event loop",
            hint="await the async form, or use a blocking client",
        )
    return asyncio.run_coroutine_threadsafe(call(), home).result()


async def at_home(
    client: AsyncBaseClient, call: Callable[[], Coroutine[object, object, R]]
) -> R:
    """Run a call on an async client in the loop that the client lives in."""
    here = _running()
    home = _homes.get(client)
    if here is None or home is here:
        return await call()
    if home is None or home.is_closed() or not home.is_running():
        _homes[client] = here
        return await call()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call(), home))


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
