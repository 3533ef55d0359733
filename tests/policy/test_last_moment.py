"""The last moment before a call is sent, over HTTP: tokens, connections, redirects."""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import httpx
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

ENTRY = '[tools.delete_item]\nmodes = ["NORMAL"]\n[tools.list_items]\n'


class Counting(ThreadingHTTPServer):
    """Counts the calls that reach it; `before` may give another answer to one."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.calls: list[str] = []
        self.before: Callable[[], tuple[int, dict[str, str]] | None] = lambda: None

    @property
    def url(self) -> str:
        """Its endpoint."""
        return f"http://127.0.0.1:{self.server_port}/mcp"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    @property
    def counting(self) -> Counting:
        """The server, by its own type."""
        server: Any = self.server
        assert isinstance(server, Counting)
        return server

    def do_POST(self) -> None:
        """Answer a message."""
        body = self.rfile.read(int(self.headers["content-length"]))
        message = json.loads(body)
        method: str = message["method"]
        result: dict[str, Any] = {}
        if method == "initialize":
            result = {"protocolVersion": "2025-11-25", "capabilities": {}}
            result["serverInfo"] = {"name": "c", "version": "1"}
        if method == "tools/call":
            if (other := self.counting.before()) is not None:
                self._send(other[0], b"", other[1])
                return
            self.counting.calls.append(message["params"]["name"])
            result = {"content": []}
        answer: dict[str, Any] = {
            "jsonrpc": "2.0",
            "id": message.get("id"),
            "result": result,
        }
        self._send(200 if "id" in message else 202, json.dumps(answer).encode(), {})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Say nothing."""


@pytest.fixture
def http_server() -> Iterator[Counting]:
    """A server over HTTP without any call so far."""
    server = Counting()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_mode_that_changes_while_a_token_is_renewed_counts(
    shop: Any, http_server: Counting, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    answers: list[Any] = [(401, {"www-authenticate": "Bearer"})]
    http_server.before = lambda: answers.pop() if answers else None
    tokens: list[str] = []

    def token() -> str:
        tokens.append("t")
        if len(tokens) > 1:
            supervisor.switch("ALERT")
        return "t"

    policy = load(ENTRY, supervisor=supervisor)
    with shop.Client.http(http_server.url, token=token, policy=policy) as client:
        with pytest.raises(shop.DeniedError) as caught:
            client.delete_item(id=1)
        assert caught.value.outcome == "refused"
        assert len(tokens) == 2
        assert http_server.calls == []
        client.list_items()
    assert http_server.calls == ["list_items"]


class Again(httpx.Auth):
    """Sends a request again after a refusal, as Digest and OAuth do."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.meanwhile = meanwhile

    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Yield the request, and once more after a status of 401."""
        if (yield request).status_code == 401:
            self.meanwhile()
            yield request


def test_an_auth_that_sends_a_call_again_is_decided_again(
    shop: Any, http_server: Counting, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    http_server.before = lambda: (401, dict[str, str]())
    policy = load(ENTRY, supervisor=supervisor)
    auth = Again(lambda: supervisor.switch("ALERT"))
    with shop.Client.http(http_server.url, auth=auth, policy=policy) as client:
        with pytest.raises(shop.DeniedError) as caught:
            client.delete_item(id=1)
        assert caught.value.outcome == "refused"
        http_server.before = lambda: None
        client.list_items()
    assert http_server.calls == ["list_items"]


def test_a_redirect_is_decided_again(
    shop: Any, http_server: Counting, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()

    def moved() -> tuple[int, dict[str, str]] | None:
        if supervisor.mode == "ALERT":
            return None
        supervisor.switch("ALERT")
        return 307, {"location": "/other"}

    http_server.before = moved
    policy = load(ENTRY, supervisor=supervisor)
    client = shop.Client.http(http_server.url, policy=policy)
    with client, pytest.raises(shop.DeniedError):
        client.delete_item(id=1)
    assert http_server.calls == []


def test_a_call_that_waits_for_a_connection_is_decided_again(
    shop: Any, http_server: Counting, load: Callable[..., Any]
) -> None:
    supervisor, held = shop.Supervisor(), threading.Event()

    def wait() -> None:
        held.wait(20)

    http_server.before = wait
    policy = load(ENTRY, supervisor=supervisor)

    async def main() -> list[Any]:
        url = http_server.url
        async with shop.AsyncClient.http(
            url, policy=policy, max_connections=1
        ) as client:
            await client.connect()
            first = asyncio.create_task(client.list_items())
            await asyncio.sleep(0.1)
            second = asyncio.create_task(client.delete_item(id=1))
            await asyncio.sleep(0.1)
            supervisor.switch("ALERT")
            held.set()
            return [*await asyncio.gather(first, second, return_exceptions=True)]

    _, denied = asyncio.run(main())
    assert isinstance(denied, shop.DeniedError)
    assert denied.outcome == "not sent"
    assert http_server.calls == ["list_items"]


def test_a_server_behind_another_path_is_another(
    shop: Any, http_server: Counting, load: Callable[..., Any]
) -> None:
    url = http_server.url
    for named, fine in ((url, True), (f"{url}/", True), (f"{url}2", False)):
        policy = load(ENTRY, f'[server]\nurl = "{named}"\n')
        with shop.Client.http(url, policy=policy) as client:
            outcome = client.try_tool("list_items", {})
            assert isinstance(outcome.error, shop.DeniedError) is not fine
    assert len(http_server.calls) == 2


def test_events_of_a_connection(
    shop: Any, http_server: Counting, load: Callable[..., Any]
) -> None:
    events: list[Any] = []
    supervisor = shop.Supervisor(on_event=events.append)
    policy = load(ENTRY, supervisor=supervisor)
    with shop.Client.http(http_server.url, policy=policy, retries=0) as client:
        client.connect()
        client.list_items()
        answers: list[Any] = [(503, {}), (503, {})]
        http_server.before = lambda: answers.pop() if answers else None
        for _ in range(3):
            client.try_tool("list_items", {})
    names = [event["event"] for event in events]
    assert names == ["connected", "unreachable", "reconnected"]
    assert all(event["server"] == client.server for event in events)
    http_server.shutdown()
    http_server.server_close()
    with shop.Client.http(http_server.url, policy=policy, retries=0) as client:
        for call in (client.connect, client.list_items):
            with pytest.raises(shop.TransportError):
                call()
    assert [event["event"] for event in events[3:]] == ["unreachable"]
