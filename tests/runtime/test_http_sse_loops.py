"""An async client over HTTP+SSE whose stream belongs to an event loop that stops."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import anyio
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
        await anyio.sleep(0.01)


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


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_loop_that_ends_reads_for_the_others(backend: str, hostile: Hostile) -> None:
    """Their calls get the answers; further calls open another stream."""
    url = hostile.url("old_out_of_order")
    client = AsyncBaseClient.http(url, timeout=20)
    texts: list[str] = []
    ends = threading.Event()

    async def call(number: int) -> None:
        texts.append((await client.call_tool("tool", {"n": number})).text)

    def release() -> None:
        """Make the second call, which has the server answer both."""
        ends.wait(20)
        anyio.run(call, 2, backend=backend)

    calls = [
        threading.Thread(target=lambda: anyio.run(call, 1, backend=backend)),
        threading.Thread(target=release),
    ]

    async def reads() -> None:
        await client.connect()
        for thread in calls:
            thread.start()
        await call_comes(hostile, url)
        ends.set()

    anyio.run(reads, backend=backend)
    for thread in calls:
        thread.join(20)
    assert sorted(texts) == ["1", "2"]
    assert hostile.methods(url).count("tools/call") == 2
    anyio.run(client.close, backend=backend)


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
