"""Wait for a server or a client, and count what came."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import anyio
from mcp_bindgen.runtime.errors import (
    TransportError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.runtime.conftest import Driver, Hostile


def count(hostile: Hostile, url: str, method: str = "tools/call") -> int:
    return hostile.methods(url).count(method)


def until(done: Callable[[], bool]) -> None:
    """Wait for something that happens soon."""
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


async def a_moment(driver: Driver) -> None:
    """Let the client see that a server has closed a stream; no event says so.

    A call on its way at that moment would have an unknown outcome.
    """
    if driver.blocking:
        time.sleep(0.3)  # noqa: ASYNC251, the blocking client has no event loop
    else:
        await anyio.sleep(0.3)


async def caught(call: Any) -> Any:
    try:
        return await call
    except TransportError as error:
        return error


async def two_calls(client: Any) -> list[Any]:
    """Return the outcomes of two calls, one after the other."""
    return [await caught(client.call_tool("tool", {})) for _ in range(2)]
