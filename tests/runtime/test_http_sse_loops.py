"""An async client over HTTP+SSE whose stream belongs to an event loop that stops."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient
from mcp_bindgen.runtime.errors import ClosedError, TransportError
from mcp_bindgen.runtime.protocol.wire import SessionLostError

if TYPE_CHECKING:

    from tests.runtime.conftest import Hostile


async def call_comes(hostile: Hostile, url: str) -> None:
    """Wait until the server has a call."""
    end = time.monotonic() + 20
    while "tools/call" not in hostile.methods(url):
        assert time.monotonic() < end, "no call comes"
        await asyncio.sleep(0.01)


async def text_of(client: AsyncBaseClient) -> str:
    return (await client.call_tool("tool", {})).text


def test_a_loop_that_stopped(hostile: Hostile) -> None:
    """Nobody reads its stream: the next loop opens another."""
    client = AsyncBaseClient.http(hostile.url("old_good"))
    loop = asyncio.new_event_loop()
    assert loop.run_until_complete(text_of(client)) == "done"
    assert asyncio.run(text_of(client)) == "done"
    assert loop.run_until_complete(text_of(client)) == "done"
    loop.run_until_complete(client.close())
    loop.close()


@pytest.mark.parametrize("how", ["ends", "stands still"])
def test_a_loop_that_stops_during_a_call(how: str, hostile: Hostile) -> None:
    """Another loop's call that waits for its stream learns why it gets no answer."""
    url = hostile.url("old_silent_once")
    client = AsyncBaseClient.http(url, timeout=20)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(client.connect())
    errors: list[TransportError] = []

    def call() -> None:
        with pytest.raises(SessionLostError) as caught:
            asyncio.run(text_of(client))
        errors.append(caught.value)

    waiting = threading.Thread(target=call)

    async def reads() -> None:
        waiting.start()
        await call_comes(hostile, url)

    loop.run_until_complete(reads())
    if how == "ends":
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.1))
    waiting.join(15)
    assert errors[0].outcome == "unknown"
    assert "the event loop that read the event stream stopped" in str(errors[0])
    loop.run_until_complete(client.close())
    loop.close()


def test_a_call_of_a_client_that_is_closed(hostile: Hostile) -> None:
    async def work() -> None:
        url = hostile.url("old_silent_once")
        client = AsyncBaseClient.http(url, timeout=20)
        call = asyncio.create_task(text_of(client))
        await call_comes(hostile, url)
        await client.close()
        with pytest.raises(ClosedError, match="closed"):
            await call

    asyncio.run(work())
