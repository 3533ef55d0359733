"""Calls that wait for a session hold no connection, which its opening may need."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import McpError

from tests.runtime.wire.server import WireServer

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver
    from tests.runtime.wire.server import Exchange

_LATE = 0.3
"""Seconds in which the other calls get to where they wait."""


class _LosesSession:
    """Forgets its session while one call has the only connection.

    The call "first" gets a 404, and its attempt to open another session fails. The call
    "second" waits for the connection, with the old session. "third" waits for the one
    who opens the session, and becomes it.
    """

    def __init__(self) -> None:
        self.first_is_here = threading.Event()
        self.first_opens = threading.Event()
        self._lost = False

    def act(self, exchange: Exchange) -> bool:
        if exchange.nonce == "first":
            self.first_is_here.set()
            time.sleep(_LATE)
            exchange.server.sessions.clear()
            self._lost = True
        elif exchange.nonce == "second":
            # By now, "third" has the lock, and needs a connection.
            time.sleep(_LATE)
        elif exchange.method == "initialize" and self._lost:
            self._lost = False
            self.first_opens.set()
            time.sleep(_LATE)
            exchange.answer(b"", 500)
            return True
        return False


def _blocking(url: str, server: _LosesSession) -> list[Any]:
    client = BaseClient.http(url, timeout=8, max_connections=1, era="legacy").connect()

    def call(nonce: str) -> Any:
        try:
            return client.call_tool("change", {"nonce": nonce}).text
        except McpError as error:
            return error

    with client, ThreadPoolExecutor(3) as pool:
        ends = [pool.submit(call, "first")]
        server.first_is_here.wait(8)
        ends += [pool.submit(call, "second")]
        server.first_opens.wait(8)
        ends += [pool.submit(call, "third")]
        return [end.result() for end in ends]


async def _async(url: str, server: _LosesSession) -> list[Any]:
    http = AsyncBaseClient.http
    client = await http(url, timeout=8, max_connections=1, era="legacy").connect()

    async def call(nonce: str) -> Any:
        try:
            return (await client.call_tool("change", {"nonce": nonce})).text
        except McpError as error:
            return error

    async with client:
        ends = [asyncio.create_task(call("first"))]
        await asyncio.to_thread(server.first_is_here.wait, 8)
        ends += [asyncio.create_task(call("second"))]
        await asyncio.to_thread(server.first_opens.wait, 8)
        ends += [asyncio.create_task(call("third"))]
        return await asyncio.gather(*ends)


@pytest.mark.parametrize("kind", ["sync", "asyncio"])
def test_no_call_waits_for_a_session_with_the_last_connection(kind: str) -> None:
    faults = _LosesSession()
    with WireServer(faults.act, modern=False) as server:
        if kind == "sync":
            first, second, third = _blocking(server.url, faults)
        else:
            first, second, third = asyncio.run(_async(server.url, faults))
        assert (first.outcome, first.status) == ("refused", 500)
        assert [second, third] == ["done second", "done third"]
        assert sorted(server.ran) == ["second", "third"]


def test_the_stream_of_a_session_takes_no_connection_of_the_calls(
    driver: Driver,
) -> None:
    ended = threading.Event()

    def act(exchange: Exchange) -> bool:
        if exchange.verb == "GET":
            exchange.events(b": it lasts\n\n", last=False)
            ended.wait(20)
        return exchange.verb == "GET"

    async def call(client: Any) -> Any:
        text = (await client.call_tool("change", {"nonce": "only"})).text
        ended.set()
        return text

    def decline(_: object) -> bool:
        return False

    options: dict[str, Any] = {"max_connections": 1, "era": "legacy", "timeout": 9}
    with WireServer(act, modern=False) as server:
        answered = driver.http(server.url, call, on_elicit=decline, **options)
        assert answered == "done only"
