"""Messages outside of calls are read again after the loop that read them has ended."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import TYPE_CHECKING, Any

import anyio
import pytest
import trio
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.client.full_tasks import AsyncFullClient
from mcp_bindgen.runtime.protocol.listening import listen
from mcp_bindgen.runtime.protocol.one_way import notified
from mcp_bindgen.runtime.protocol.request import Negotiated, SessionSettings
from mcp_bindgen.runtime.protocol.stdio import StdioWire
from mcp_bindgen.runtime.protocol.steps import Beside, Overhear, Tell

from tests.chaos.drive import wait_for
from tests.runtime.asking import AskingServer
from tests.runtime.test_loops import LoopOfThread
from tests.runtime.test_watching import URI, Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator, Iterator

    from tests.runtime.conftest import Driver, Hostile

    Work = Callable[[], Coroutine[Any, Any, Any]]

LAST = f"{URI}/last"

# A server that asks when it has answered a call, and waits for no other call.
_PROGRAM = """
import json, sys
def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        facts = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        send(id=number, result={**facts, "serverInfo": {"name": "a", "version": "1"}})
    elif method == "tools/call":
        send(id=number, result={"content": []})
        form = {"type": "object", "properties": {}}
        params = {"message": "which?", "requestedSchema": form}
        send(id="q", method="elicitation/create", params=params)
    elif method and number is not None:
        send(id=number, error={"code": -32601, "message": "no"})
"""


async def until(check: Callable[[], bool]) -> None:
    """Wait until something is so."""
    for _ in range(900):
        if check():
            return
        await anyio.sleep(0.01)
    raise AssertionError("it does not come")


def in_asyncio(work: Work) -> None:
    asyncio.run(work())


def in_trio(work: Work) -> None:
    trio.run(work)


def in_a_thread(work: Work) -> None:
    thread = LoopOfThread()
    thread.run(work())
    thread.end()


def in_a_closed_loop(work: Work) -> None:
    """Close a loop without ending its tasks, as programs of earlier years do."""
    loop = asyncio.new_event_loop()
    loop.run_until_complete(work())
    loop.close()


RUNS = [in_asyncio, in_trio, in_a_thread, in_a_closed_loop]


@pytest.fixture
def server() -> Iterator[AskingServer]:
    with AskingServer() as running:
        yield running


@pytest.mark.parametrize("first", RUNS)
@pytest.mark.parametrize("second", RUNS)
def test_a_second_loop_hears_the_server_too(
    first: Callable[[Work], None], second: Callable[[Work], None], server: AskingServer
) -> None:
    client = AsyncBaseClient.http(server.url, on_elicit=lambda _: True, timeout=9)

    async def ask() -> None:
        assert (await client.call_tool("form", {})).json()["action"] == "accept"

    async def ask_and_close() -> None:
        await ask()
        await ask()
        await client.close()

    first(ask)
    second(ask_and_close)
    assert server.opened == 2
    assert server.resumed == [None, "7"]


def test_changes_of_lists_are_reported_in_a_second_loop_too() -> None:
    with AskingServer(modern=True) as server:
        client = AsyncBaseClient.http(server.url, on_list_changed=print)

        def subscriptions() -> int:
            return server.methods().count("subscriptions/listen")

        async def listen(times: int) -> None:
            await client.list_tools()
            await until(lambda: subscriptions() == times)

        asyncio.run(listen(1))
        asyncio.run(listen(2))
        asyncio.run(client.close())


def test_a_program_is_heard_in_a_second_loop_too(driver: Driver) -> None:
    questions = list[object]()

    def agree(question: object) -> bool:
        questions.append(question)
        return True

    command = [sys.executable, "-c", _PROGRAM]
    client: Any = driver.client.stdio(command, on_elicit=agree)

    async def one(method: str, *arguments: object) -> None:
        result = getattr(client, method)(*arguments)
        if not driver.blocking:
            await result

    async def answer(times: int) -> None:
        await one("call_tool", "any", {})
        await until(lambda: len(questions) == times)

    anyio.run(answer, 1)
    anyio.run(answer, 2)
    anyio.run(one, "close")


def test_the_other_loop_reads_on_where_one_ends() -> None:
    heard = list[str]()
    thread = LoopOfThread()
    with Watched() as server:
        client = AsyncFullClient.http(server.url, on_elicit=lambda _: True, timeout=9)
        thread.run(client.connect())

        def on_update(uri: str) -> bool:
            heard.append(uri)
            if uri == f"{URI}/c":  # all that the first stream brings has come
                threading.Thread(target=change).start()
            return uri != LAST

        def change() -> None:
            thread.end()
            assert wait_for(lambda: server.opened == 2, 9)
            notice = "notifications/resources/updated"
            server.tell({"method": notice, "params": {"uri": LAST}})

        async def listen() -> None:
            await client.subscribe(URI, on_update, timeout=30)
            await client.close()

        asyncio.run(listen())
    assert heard == [URI, f"{URI}/c", LAST]


def test_a_stream_that_the_server_has_not_ended_yet(server: AskingServer) -> None:
    server.conflicts = 1
    with BaseClient.http(server.url, on_elicit=lambda _: True, timeout=20) as client:
        client.connect()
        assert wait_for(lambda: server.opened == 1, 9)
        assert client.call_tool("form", {}).json()["action"] == "accept"


def test_a_server_without_a_stream_gets_one_request(hostile: Hostile) -> None:
    url = hostile.url("old")
    client = AsyncBaseClient.http(url, on_elicit=lambda _: True, timeout=9)

    async def call() -> None:
        for _ in range(3):
            await client.call_tool("tool", {})

    asyncio.run(call())
    asyncio.run(call())
    asyncio.run(client.close())
    assert [line["verb"] for line in hostile.log(url)].count("GET") == 1


def sends_nothing(_request: object) -> Generator[Any, Any, None]:
    """Send nothing."""
    yield from ()


def test_two_calls_that_begin_at_the_same_moment() -> None:
    negotiated = Negotiated[Any]("2025-11-25", {}, StdioWire())

    def begun() -> Generator[Any, Any, None]:
        """Return the flow that a call runs beside itself."""
        settings = SessionSettings({"name": "us"})
        flow = listen(settings, negotiated, lambda: True, sends_nothing)
        step = next(flow)
        assert isinstance(step, Beside)
        return step.flow

    first, second = begun(), begun()
    assert isinstance(next(first), Overhear)
    assert [*second] == []
    assert negotiated.reading.opened
    first.close()  # its loop ends
    assert isinstance(next(begun()), Overhear)


def test_a_message_that_nobody_sends_any_more() -> None:
    negotiated = Negotiated[Any]("2025-11-25", {}, StdioWire())
    flow = notified(negotiated, {"jsonrpc": "2.0", "method": "notifications/x"})
    assert isinstance(next(flow), Tell)
    flow.close()
    again = notified(negotiated, {"jsonrpc": "2.0", "method": "notifications/x"})
    assert isinstance(next(again), Tell)
    assert isinstance(again.throw(KeyboardInterrupt()), Tell)
    with pytest.raises(KeyboardInterrupt):
        next(again)
