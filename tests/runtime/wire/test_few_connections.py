"""Calls that wait for a session hold no connection, which its opening may need."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import McpError
from mcp_bindgen.runtime.transport.waiting import Queue

from tests.runtime.wire.server import WireServer

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver
    from tests.runtime.wire.server import Exchange

_LATE = 0.3
"""Seconds in which the other calls get to where they wait."""
_MOST = 3_000
"""Calls of a task that makes one after the other."""


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


def test_a_task_that_waits_gets_its_connection_before_later_calls() -> None:
    async def work(url: str) -> int:
        async with AsyncBaseClient.http(url, timeout=30, max_connections=1) as client:
            await client.connect()
            made, ended = 0, asyncio.Event()

            async def busy() -> None:
                nonlocal made
                while not ended.is_set() and made < _MOST:
                    await client.call_tool("change", {"nonce": f"busy {made}"})
                    made += 1

            async def once(number: int) -> None:
                await client.call_tool("change", {"nonce": f"once {number}"})

            loop = asyncio.create_task(busy())
            await asyncio.sleep(0.05)
            before = made
            await asyncio.gather(*map(once, range(3)))
            ended.set()
            await loop
            return made - before

    with WireServer(lambda _: False, modern=True) as server:
        assert asyncio.run(work(server.url)) <= 5


def test_a_client_that_is_closed_refuses_the_calls_that_wait() -> None:
    waits = threading.Event()

    def act(exchange: Exchange) -> bool:
        return exchange.nonce == "first" and not waits.wait(20)

    async def work(url: str) -> list[Any]:
        client = AsyncBaseClient.http(url, timeout=30, max_connections=1)
        await client.connect()

        async def call(nonce: str) -> Any:
            try:
                return (await client.call_tool("change", {"nonce": nonce})).text
            except McpError as error:
                return error.outcome

        calls = [asyncio.create_task(call(n)) for n in ("first", "second", "third")]
        await asyncio.sleep(_LATE)
        closing = asyncio.create_task(client.close())
        others = await asyncio.gather(*calls[1:])
        waits.set()
        await closing
        return [*others, await calls[0]]

    with WireServer(act, modern=True) as server:
        second, third, _ = asyncio.run(work(server.url))
        assert [second, third] == ["not sent", "not sent"]
        assert server.ran == ["first"]


def test_threads_wait_in_the_order_in_which_they_came() -> None:
    queue = Queue()
    served: list[int] = []
    free = threading.Semaphore(0)

    def wait(number: int) -> None:
        with queue.waiting() as ticket:
            arrived.set()
            while not (queue.is_first(ticket) and free.acquire(blocking=False)):
                queue.wait(ticket, None)
            served.append(number)

    threads = [threading.Thread(target=wait, args=[n]) for n in range(8)]
    for thread in threads:
        arrived = threading.Event()
        thread.start()
        arrived.wait(10)
        assert not queue.is_first()  # a newcomer waits behind them
    for _ in threads:
        free.release()
        queue.ring()
    for thread in threads:
        thread.join(10)
    assert served == [*range(8)]
    assert queue.is_first()


def test_a_thread_that_an_interrupt_took_away_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = Queue()
    gone = queue.waiting()
    gone.__enter__()  # its end never runs
    with queue.waiting() as ticket:
        assert not queue.is_first(ticket)
        monkeypatch.setattr(limits, "LOST_TURN", 0.0)
        queue.wait(ticket, None)
        assert queue.is_first(ticket)
    assert queue.is_first()
