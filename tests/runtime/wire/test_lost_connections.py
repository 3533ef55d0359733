"""No connection of a client is lost, and none is too many, whatever ends a call."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient
from mcp_bindgen.runtime.transport.connections import Connection, HttpOptions, Pool
from mcp_bindgen.runtime.transport.connections_io import Connections
from mcp_bindgen.runtime.transport.deadline_watch import watch
from mcp_bindgen.runtime.transport.waiting import Queue, Ticket

from tests.runtime.wire.server import WireServer

if TYPE_CHECKING:
    from tests.runtime.wire.server import Exchange


def test_a_call_that_is_cancelled_again_and_again_gives_its_connection_on() -> None:
    async def work(url: str, pauses: int) -> str:
        async with AsyncBaseClient.http(url, timeout=9, max_connections=1) as client:
            await client.connect()
            call = client.call_tool
            first = asyncio.create_task(call("change", {"nonce": "first"}))
            await asyncio.to_thread(arrived.wait, 9)
            second = asyncio.create_task(call("change", {"nonce": "second"}))
            await asyncio.sleep(0)
            while not first.done():
                first.cancel()
                for _ in range(pauses):
                    await asyncio.sleep(0)
            waits.set()
            return (await second).text

    def act(exchange: Exchange) -> bool:
        if exchange.nonce == "first":
            arrived.set()
            waits.wait(20)
        return False

    for pauses in range(1, 4):
        arrived, waits = threading.Event(), threading.Event()
        with WireServer(act, modern=True) as server:
            assert asyncio.run(work(server.url, pauses)) == "done second"


def test_threads_that_begin_at_once_get_no_connection_too_many() -> None:
    both = threading.Barrier(2)

    def new() -> Connection:
        both.wait(10)
        return Connection(httpx.Request, print, print)

    pool = Pool(new, most=1)
    with ThreadPoolExecutor(2) as threads:
        takes = [threads.submit(pool.take) for _ in range(2)]
        connections = [take.result() for take in takes]
    assert connections.count(None) >= 1


def test_a_connection_that_comes_back_while_the_client_is_closed_is_closed() -> None:
    class Late(Connection):
        @property
        def has_rest(self) -> bool:
            pool.shut()  # another thread does
            return False

    pool = Pool(lambda: Late(httpx.Request, print, print), most=1)
    connection = pool.take()
    assert connection is not None
    assert not pool.give_back(connection, ended=True)
    assert pool.idle == []


def test_an_interrupt_at_the_end_of_the_queue_leaves_no_ticket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Interrupted(deque[Any]):
        def append(self, ticket: Any) -> None:
            super().append(ticket)
            raise KeyboardInterrupt  # a signal handler may, behind any call

    queue, tickets = Queue(), Interrupted()
    monkeypatch.setattr(queue, "_tickets", tickets)
    with pytest.raises(KeyboardInterrupt), queue.waiting():
        pass
    assert not tickets


@pytest.mark.parametrize("moment", ["taken", "given back"])
def test_a_connection_is_free_while_the_interrupt_of_its_call_is_handled(
    moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    connections = Connections(HttpOptions("http://127.0.0.1:9/mcp", most=1))

    def take() -> Connection:
        return connections.take(lambda: 9.0)

    def first_look(_: Queue, ticket: Ticket | None = None) -> bool:
        return ticket is not None  # others came before a newcomer

    def taken() -> None:
        monkeypatch.setattr(Queue, "is_first", first_look)
        monkeypatch.setattr(Queue, "ring", interrupt)
        take()

    def come_back() -> None:
        monkeypatch.setattr(watch, "forget", interrupt)
        connections.release(take(), ended=True)

    act = taken if moment == "taken" else come_back
    with pytest.raises(KeyboardInterrupt) as handled:
        act()
    assert connections.pool.take() is not None
    assert handled.tb is not None  # which holds all that the call had
    connections.close()
