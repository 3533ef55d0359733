"""The parts of a call come one by one; levels of logs in both eras."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.client.streaming import Done, Log, Notice, Progress
from mcp_bindgen.runtime.errors import ConfigError, ProtocolError

from tests.runtime.asking import AskingServer, text
from tests.runtime.test_tasks import slow, slow_async

if TYPE_CHECKING:
    from collections.abc import Iterator


class TellingServer(AskingServer):
    """A server that tells how far its one tool is.

    Attributes:
        end: How the call goes on: "done", "fails" or "hangs".
    """

    end = "done"

    def result(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
        """Return what answers a request."""
        method, params = message["method"], message.get("params", {})
        if method == "logging/setLevel":
            return {"result": {}}
        if method != "tools/call":
            return super().result(message, send)
        token = params.get("_meta", {}).get("progressToken")
        progress = {"progressToken": token, "progress": 1, "total": 2, "message": "m"}
        notices = {"progress": progress, "message": {"level": "info", "data": [1]}}
        for kind, facts in (*notices.items(), ("partial", {"text": "a piece"})):
            notice = {"method": f"notifications/{kind}", "params": facts}
            send({"jsonrpc": "2.0", **notice})
        if self.end == "fails":
            return {"error": {"code": -32603, "message": "broken"}}
        if self.end == "hangs":
            while "notifications/cancelled" not in self.methods():
                send({"jsonrpc": "2.0", "method": "notifications/still"})
        return text("done")


@pytest.fixture(params=["legacy", "modern"])
def server(request: pytest.FixtureRequest) -> Iterator[TellingServer]:
    with TellingServer(modern=request.param == "modern") as running:
        running.offers["logging"] = {}
        yield running


def parts_of(server: TellingServer, kind: str) -> list[Any]:
    """Return the parts of a call."""
    if kind == "sync":
        with BaseClient.http(server.url) as client:
            return list(client.stream(slow.__get__(client)))

    async def run() -> list[Any]:
        async with AsyncBaseClient.http(server.url) as client:
            return [part async for part in client.stream(slow_async.__get__(client))]

    return asyncio.run(run())


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_parts_come_in_their_order(kind: str, server: TellingServer) -> None:
    *others, last = parts_of(server, kind)
    assert others == [
        Progress(1, 2, "m"),
        Log("info", None, [1]),
        Notice("notifications/partial", {"text": "a piece"}),
    ]
    assert last == Done(last.result)
    assert last.result.json() == "done"


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_an_error_ends_the_stream(kind: str, server: TellingServer) -> None:
    server.end = "fails"
    with pytest.raises(ProtocolError, match="broken") as caught:
        parts_of(server, kind)
    assert caught.value.tool == "slow"


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_loop_that_is_left_cancels_the_call(kind: str) -> None:
    async def leave() -> None:
        async with AsyncBaseClient.http(running.url) as client:
            parts = client.stream(slow_async.__get__(client))
            async for _ in parts:
                break
            await parts.aclose()

    with TellingServer() as running:
        running.end = "hangs"
        if kind == "async":
            asyncio.run(leave())
        else:
            with BaseClient.http(running.url) as client:
                for part in client.stream(slow.__get__(client)):
                    assert isinstance(part, Progress)
                    break
                client.list_tools()  # the next call works
        for _ in range(500):
            if "notifications/cancelled" in running.methods():
                break
            time.sleep(0.01)
        assert "notifications/cancelled" in running.methods()


def until_cancelled(server: TellingServer) -> None:
    """Wait until the client has cancelled its call."""
    end = time.monotonic() + 20
    while "notifications/cancelled" not in server.methods():
        assert time.monotonic() < end, "the call was not cancelled"
        time.sleep(0.01)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_stream_that_nobody_reads_any_more_cancels_its_call(backend: str) -> None:
    async def leave(server: TellingServer) -> None:
        async with AsyncBaseClient.http(server.url) as client:
            async for part in client.stream(slow_async.__get__(client)):
                assert isinstance(part, Progress)
                break
            await anyio.to_thread.run_sync(until_cancelled, server)
            server.messages.clear()
            parts = client.stream(slow_async.__get__(client))
            await anext(parts)
            with pytest.raises(KeyError):
                await parts.athrow(KeyError("mine"))
            with pytest.raises(StopAsyncIteration):
                await anext(parts)
            await client.stream(slow_async.__get__(client)).aclose()

    with TellingServer() as running:
        running.end = "hangs"
        anyio.run(leave, running, backend=backend)
        until_cancelled(running)


def test_the_level_of_logs(server: TellingServer) -> None:
    logs: list[Any] = []

    def hear(*facts: object) -> None:
        logs.append(facts)

    with BaseClient.http(server.url) as client:
        hearing = client.with_options(on_log=hear, log_level="warning")
        hearing.call_tool("slow", {})
        hearing.call_tool("slow", {})
        with pytest.raises(ConfigError, match="log level"):
            client.with_options(log_level="loud")
    calls = [m for m in server.messages if m.get("method") == "tools/call"]
    if server.modern:
        meta = calls[0]["params"]["_meta"]
        assert meta["io.modelcontextprotocol/logLevel"] == "warning"
    assert server.methods().count("logging/setLevel") == (0 if server.modern else 1)
    assert logs
