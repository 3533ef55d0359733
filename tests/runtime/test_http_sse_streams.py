"""Streams and sessions of HTTP+SSE that break, close or end."""

from __future__ import annotations

import asyncio
import gc
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import (
    ClosedError,
    TransportError,
)
from mcp_bindgen.runtime.protocol.steps import Post
from mcp_bindgen.runtime.transport.connections import HttpOptions
from mcp_bindgen.runtime.transport.connections_io import Connections
from mcp_bindgen.runtime.transport.connections_io import late_post as send_late
from mcp_bindgen.runtime.transport.connections_tasks import AsyncConnections
from mcp_bindgen.runtime.transport.connections_tasks import late_post as send_late_async
from mcp_bindgen.runtime.transport.request_builder import RequestBuilder

from tests.runtime.waits import a_moment, caught, count, two_calls, until

if TYPE_CHECKING:

    from tests.runtime.conftest import Driver, Hostile


@pytest.mark.parametrize("act", ["old_breaks_once", "old_cut_short"])
def test_a_stream_that_breaks_during_a_call(
    act: str, driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url(act)
    first, second = driver.http(url, two_calls)
    assert isinstance(first, TransportError)
    assert first.outcome == "unknown"
    assert second.text == "done"
    assert count(hostile, url) == 2


def _closed(hostile: Hostile, url: str, times: int) -> bool:
    return count(hostile, url, "stream closed") == times


def test_a_stream_that_breaks_between_calls(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_breaks_after")

    async def work(client: Any) -> list[str]:
        texts: list[str] = []
        for number in range(1, 4):
            texts.append((await client.call_tool("tool", {})).text)
            until(partial(_closed, hostile, url, number))
            await a_moment(driver)
        return texts

    assert driver.http(url, work) == ["done"] * 3
    assert count(hostile, url) == 3


def test_a_session_that_is_gone(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_forgets")
    assert driver.call(url).text == "done"
    assert count(hostile, url) == 2
    assert count(hostile, url, "GET") == 2
    until(lambda: count(hostile, url, "stream closed") == 2)


def test_a_refused_call_is_not_sent_again(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_forgets_400")
    first, second = driver.http(url, two_calls)
    assert (first.outcome, first.status) == ("refused", 400)
    assert "no such session" in str(first)
    assert second.text == "done"
    assert count(hostile, url) == 2
    assert count(hostile, url, "GET") == 2


def test_a_client_of_two_event_loops(hostile: Hostile) -> None:
    url = hostile.url("old_good")
    client = AsyncBaseClient.http(url)

    async def call(client: AsyncBaseClient) -> str:
        return (await client.call_tool("tool", {})).text

    assert [asyncio.run(call(client)) for _ in range(2)] == ["done", "done"]
    asyncio.run(client.close())
    until(lambda: count(hostile, url, "stream closed") == 2)
    with warnings.catch_warnings():  # of connections whose loop has ended
        warnings.simplefilter("ignore")
        del client
        gc.collect()


def test_a_closed_client(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_good")

    async def work(client: Any) -> Any:
        await client.call_tool("tool", {})
        await client.close()
        return await caught(client.call_tool("tool", {}))

    assert isinstance(driver.http(url, work), ClosedError)


def test_a_dropped_client_ends_its_stream(hostile: Hostile) -> None:
    url = hostile.url("old_good")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        BaseClient.http(url).call_tool("tool", {})
    assert any(issubclass(warning.category, ResourceWarning) for warning in warned)
    until(lambda: "stream closed" in hostile.methods(url))


def test_a_ping_right_behind_the_endpoint(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_early")
    assert driver.call(url).text == "done"
    assert "p1" in [entry.get("message", {}).get("id") for entry in hostile.log(url)]


def test_a_call_goes_on_in_the_session_before(hostile: Hostile) -> None:
    url = hostile.url("old_two_sessions")
    with BaseClient.http(url) as client, ThreadPoolExecutor() as pool:
        client.connect()
        first = pool.submit(client.call_tool, "tool", {"n": 1})
        until(lambda: count(hostile, url) == 1)
        assert client.call_tool("tool", {"n": 2}).text == "done"
        assert first.result().text == "done"

    async def work() -> None:
        async with AsyncBaseClient.http(url) as waiting:
            await waiting.connect()
            first = asyncio.create_task(waiting.call_tool("tool", {"n": 1}))
            for _ in range(500):
                if count(hostile, url):
                    break
                await asyncio.sleep(0.02)
            assert (await waiting.call_tool("tool", {"n": 2})).text == "done"
            assert (await first).text == "done"

    url = hostile.url("old_two_sessions")
    asyncio.run(work())


def test_a_client_that_is_gone_answers_nothing() -> None:
    post = Post("POST", "http://x/", {}, b"{}")
    options: HttpOptions[Any] = HttpOptions("http://127.0.0.1/")
    connections = Connections(options)
    gone = weakref.ref(connections)
    del connections
    send_late(gone, post)
    waiting = AsyncConnections(options, options.transport, RequestBuilder(options.url))
    lost = weakref.ref(waiting)
    del waiting
    anyio.run(send_late_async, lost, post)
