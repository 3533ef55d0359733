"""`subscribe` in sessions before MCP 2026-07-28: a request, then the stream."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any, cast

import anyio
import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.full_tasks import AsyncFullClient
from mcp_bindgen.runtime.errors import ConfigError, ProtocolError, TransportError
from mcp_bindgen.runtime.protocol.watching import is_within
from mcp_bindgen.runtime.protocol.wire import SessionLostError

from tests.runtime.asking import AskingServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

URI = "a://b"


class Watched(AskingServer):
    """A server whose resource changes as soon as somebody subscribes."""

    can = True

    at_end: Callable[[], object] = bool
    """Runs before the end of a subscription is answered."""

    def update(self, uri: str) -> None:
        """Report a change."""
        method = "notifications/resources/updated"
        self.tell({"method": method, "params": {"uri": uri}})

    def result(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
        method = message["method"]
        if method == "resources/subscribe":
            if message["params"]["uri"] != URI:
                return {"error": {"code": -32602, "message": "no such resource"}}
            for uri in (URI, 5, "a://other", f"{URI}c", f"{URI}/c"):
                self.update(cast("str", uri))
            return {"result": {}}
        if method == "resources/unsubscribe":
            self.at_end()
            return {"result": {}}
        answer = super().result(message, send)
        if method == "initialize" and self.can:
            answer["result"]["capabilities"]["resources"] = {"subscribe": True}
        return answer


STDIO = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    offers = {"resources": {"subscribe": True}}
    facts = {"protocolVersion": "2025-11-25", "serverInfo": {"name": "s"}}
    if method == "server/discover":
        end = {"error": {"code": -32601, "message": "no such method"}}
    else:
        end = {"result": {**facts, "capabilities": offers} if id else {}}
    def tell(uri):
        note = {"method": "notifications/resources/updated"}
        note |= {"jsonrpc": "2.0", "params": {"uri": uri}}
        print(json.dumps(note), flush=True)
    if method == "resources/subscribe":
        for uri in BEFORE:
            tell(uri)
    if id is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": id, **end}), flush=True)
    if method == "resources/subscribe":
        for uri in AFTER:
            tell(uri)
"""
"""A server over stdio whose resources change before and after it has answered."""


def stdio(before: list[str], after: list[str]) -> list[str]:
    """Return the command of a server that reports these changes."""
    return [sys.executable, "-c", f"BEFORE, AFTER = {before}, {after}\n{STDIO}"]


@pytest.fixture
def server() -> Iterator[Watched]:
    with Watched() as running:
        yield running


def test_each_change_is_reported_until_the_user_wants_no_more(server: Watched) -> None:
    heard: list[str] = []

    def on_update(uri: str) -> bool:
        heard.append(uri)
        return len(heard) < 2

    with FullClient.http(server.url) as client:
        client.subscribe(URI, on_update, timeout=20)
        assert heard == [URI, f"{URI}/c"]
        assert server.methods()[-1] == "resources/unsubscribe"
        assert server.opened == 1
        heard.clear()
        client.subscribe(URI, on_update, timeout=20)
        assert heard == [URI, f"{URI}/c"]
        assert server.opened == 1  # one stream for all


def test_a_task_hears_of_changes_too(server: Watched) -> None:
    heard: list[str] = []

    async def on_update(uri: str) -> bool:
        await anyio.lowlevel.checkpoint()
        heard.append(uri)
        return len(heard) < 2

    async def work() -> None:
        async with AsyncFullClient.http(server.url) as client:
            await client.subscribe(URI, on_update, timeout=20)

    anyio.run(work)
    assert heard == [URI, f"{URI}/c"]


@pytest.mark.parametrize("is_async", [False, True])
def test_changes_come_over_stdio_too(is_async: Any) -> None:
    heard: list[str] = []
    words = stdio([], [URI, "a://other", f"{URI}/c"])

    def on_update(uri: str) -> bool:
        heard.append(uri)
        return len(heard) < 2

    async def work() -> None:
        async with AsyncFullClient.stdio(words) as client:
            await client.subscribe(URI, on_update, timeout=60)

    if is_async:
        anyio.run(work)
    else:
        with FullClient.stdio(words) as client:
            client.subscribe(URI, on_update, timeout=60)
    assert heard == [URI, f"{URI}/c"]


@pytest.mark.parametrize(
    ("uri", "resource", "expected"),
    [
        *(("a://b", "a://b", True), ("a://b/c", "a://b", True)),
        *(("a://b?c=1", "a://b", True), ("a://b#c", "a://b", True)),
        *(("a://b/c", "a://b/", True), ("a://b/", "a://b", True)),
        # Servers write the host and the scheme as their library does.
        *(("A://b", "a://B", True), ("a://b/C", "a://b/c", False)),
        *(("a://bc", "a://b", False), ("a://b", "a://b/", False)),
        *(("a://c", "a://b", False), ("a://", "a://b", False)),
        *(("b/c", "b", True), ("", "b", False)),
    ],
)
def test_a_part_of_a_resource_is_below_its_uri(
    uri: str, resource: str, *, expected: bool
) -> None:
    assert is_within(uri, resource) is expected


def test_changes_of_others_do_not_push_out_those_of_the_resource() -> None:
    others = [f"a://other/{number}" for number in range(limits.UPDATES)]
    heard: list[str] = []

    def on_update(uri: str) -> bool:
        heard.append(uri)
        return False

    with FullClient.stdio(stdio([URI, *others], [])) as client:
        client.subscribe(URI, on_update, timeout=60)
    assert heard == [URI]


def test_what_fails_is_an_error_and_the_next_call_works(server: Watched) -> None:
    def fails(_uri: str) -> None:
        raise KeyError("mine")

    with FullClient.http(server.url) as client:
        with pytest.raises(KeyError, match="mine"):
            client.subscribe(URI, fails, timeout=20)
        with pytest.raises(ProtocolError, match="no such resource"):
            client.subscribe("a://other", fails, timeout=20)
        client.subscribe(URI, lambda _uri: None, timeout=0.3)  # the time is over
        assert len(client.list_tools()) == len(server.tools)


def test_an_ended_session_is_an_error(server: Watched) -> None:
    with FullClient.http(server.url) as client:

        def end(_uri: str) -> None:
            threading.Thread(target=client.close).start()

        with pytest.raises(TransportError):
            client.subscribe(URI, end, timeout=20)


@pytest.mark.parametrize("is_async", [False, True])
def test_a_program_that_ends_ends_the_subscription(is_async: Any) -> None:
    words = stdio([], [URI])
    words[-1] += "\n    if method == 'resources/subscribe':\n        sys.exit()\n"
    heard: list[str] = []

    async def work() -> None:
        async with AsyncFullClient.stdio(words) as client:
            with pytest.raises(SessionLostError, match="ended the session"):
                await client.subscribe(URI, heard.append)
            assert await client.ping() >= 0

    if is_async:
        anyio.run(work)
    else:
        with FullClient.stdio(words) as client:
            with pytest.raises(SessionLostError, match="ended the session"):
                client.subscribe(URI, heard.append)
            assert client.ping() >= 0
    assert heard == [URI]


def test_a_server_that_forgets_the_session_ends_the_subscription(
    server: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RESUME_PAUSE", 0.01)

    def forget(_uri: str) -> None:
        server.refusal, server.conflicts = 404, 1
        server.streams[-1].put(None)

    with FullClient.http(server.url) as client:
        with pytest.raises(SessionLostError, match="ended the session"):
            client.subscribe(URI, forget)
        assert "resources/unsubscribe" not in server.methods()
        assert len(client.list_tools()) == len(server.tools)


def test_a_server_that_is_gone_ends_the_subscription(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "RESUME_PAUSE", 0.01)
    server = Watched()
    server.__enter__()
    with FullClient.http(server.url) as client:

        def leave(_uri: str) -> None:
            server.__exit__()

        with pytest.raises(TransportError):
            client.subscribe(URI, leave)


def test_a_server_without_subscriptions_gets_no_request(server: Watched) -> None:
    server.can = False
    with (
        FullClient.http(server.url) as client,
        pytest.raises(ConfigError, match="does not tell of changes"),
    ):
        client.subscribe(URI, print)
