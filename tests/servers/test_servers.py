"""The example servers as processes: how they start, listen, let in and end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest
from mcp_types import ToolAnnotations

from tests.servers.launch import (
    CATALOG_TOKEN,
    ServerName,
    plain_start,
    serve_http,
    stdio_command,
)
from tests.servers.talk import connect_http, connect_stdio, value

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp import Client

pytestmark = pytest.mark.anyio

TOOLS: dict[ServerName, list[str]] = {
    "catalog": [
        "search_metadata",
        "get_entity_details",
        "get_entity_lineage",
        "create_glossary",
        "create_glossary_term",
        "patch_entity",
    ],
    "todo": ["add_task", "list_tasks", "update_task", "complete_task", "delete_task"],
}
NAMES = list(TOOLS)
MODES = [[], ["--json"], ["--stateless"], ["--stateless", "--json"]]
ERAS = ["legacy", "2026-07-28"]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}
HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Authorization": f"Bearer {CATALOG_TOKEN}",
}


async def names(client: Client) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


@pytest.fixture
def urls(catalog_url: str, url: str) -> dict[ServerName, str]:
    """The URLs of servers that no test here changes."""
    return {"catalog": catalog_url, "todo": url}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("name", NAMES)
async def test_http_lists_the_tools(
    name: ServerName, era: str, urls: dict[ServerName, str]
) -> None:
    async with connect_http(urls[name], token=CATALOG_TOKEN, mode=era) as client:
        assert await names(client) == TOOLS[name]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("name", NAMES)
async def test_stdio_lists_the_tools(
    name: ServerName, era: str, tmp_path: Path
) -> None:
    async with connect_stdio(stdio_command(name), cwd=tmp_path, mode=era) as client:
        assert await names(client) == TOOLS[name]


@pytest.mark.parametrize("options", MODES)
def test_http_options_choose_how_answers_look(options: list[str]) -> None:
    with serve_http("catalog", *options) as url:
        answer = httpx.post(url, json=INITIALIZE, headers=HEADERS)
    media_type = answer.headers["content-type"].partition(";")[0]
    assert answer.status_code == 200
    assert ("mcp-session-id" in answer.headers) == ("--stateless" not in options)
    assert media_type == (
        "application/json" if "--json" in options else "text/event-stream"
    )


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "Bearer wrong",
        f"Basic {CATALOG_TOKEN}",
        "Bearer x y",
        f"Bearer {CATALOG_TOKEN}x",
    ],
)
def test_catalog_asks_for_a_token(authorization: str | None, catalog_url: str) -> None:
    headers = HEADERS | {"Authorization": authorization} if authorization else {}
    answer = httpx.post(catalog_url, json=INITIALIZE, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert CATALOG_TOKEN not in answer.text


def test_catalog_takes_its_token_from_the_environment() -> None:
    other = HEADERS | {"Authorization": "Bearer another"}
    with serve_http("catalog", env={"CATALOG_TOKEN": "another"}) as url:
        assert httpx.post(url, json=INITIALIZE, headers=HEADERS).status_code == 401
        assert httpx.post(url, json=INITIALIZE, headers=other).status_code == 200


def test_todo_asks_for_no_token(url: str) -> None:
    headers = {"Accept": HEADERS["Accept"]}
    assert httpx.post(url, json=INITIALIZE, headers=headers).status_code == 200


@pytest.fixture
def plainly() -> Iterator[None]:
    """Start servers as a user does."""
    with plain_start():
        yield


@pytest.fixture(params=["plainly", "quickly"])
def either_way(request: pytest.FixtureRequest) -> None:
    """Start servers as a user does, and as most tests do."""
    if request.param == "plainly":
        request.getfixturevalue("plainly")


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("name", NAMES)
def test_http_ends_with_the_block(name: ServerName) -> None:
    with serve_http(name) as url:
        parts = urlsplit(url)
        address = (parts.hostname or "", parts.port or 0)
        assert address[0] == "127.0.0.1"
        socket.create_connection(address).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address)


@pytest.mark.usefixtures("either_way")
def test_http_ends_cleanly_while_a_stream_is_open() -> None:
    with subprocess.Popen(
        [*stdio_command("catalog")[:-1], "http"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        with httpx.Client(headers=HEADERS) as http:
            session = http.post(url, json=INITIALIZE).headers["mcp-session-id"]
            stream = http.stream("GET", url, headers={"Mcp-Session-Id": session})
            with stream as answer:
                assert answer.status_code == 200
                process.send_signal(signal.SIGTERM)
                output, errors = process.communicate()
    assert (process.returncode, output) == (0, "")
    assert "Traceback" not in errors


@pytest.mark.usefixtures("either_way")
def test_a_server_that_does_not_start_says_why() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with (
            pytest.raises(RuntimeError, match=f"cannot listen on 127.0.0.1:{port}"),
            serve_http("todo", "--port", port),
        ):
            pass


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("ending", ["eof", "sigterm", "sigint"])
@pytest.mark.parametrize("name", NAMES)
def test_stdio_writes_only_protocol_and_ends_cleanly(
    name: ServerName, ending: str, tmp_path: Path
) -> None:
    with subprocess.Popen(
        stdio_command(name),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["result"]["serverInfo"]["name"] == name
        if ending != "eof":
            process.send_signal(getattr(signal, ending.upper()))
            process.wait()
        output, errors = process.communicate()
    assert (process.returncode, output, errors) == (0, "", "")


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("name", NAMES)
def test_nothing_goes_on_when_a_server_is_killed(
    name: ServerName, tmp_path: Path
) -> None:
    with subprocess.Popen(
        stdio_command(name), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.kill()
        # Its input stays open: this ends when the server has ended.
        assert process.stdout.read() == b""
    assert process.returncode == -signal.SIGKILL


@pytest.mark.usefixtures("plainly")
async def test_the_catalogue_is_the_same_at_each_start() -> None:
    answers: list[object] = []
    for _ in range(2):
        async with connect_stdio(stdio_command("catalog")) as client:
            tools = (await client.list_tools()).tools
            page = value(await client.call_tool("search_metadata", {"query": "*"}))
            made = await client.call_tool(
                "create_glossary", {"name": "New", "description": "It is gone after."}
            )
            answers.append((tools, page, value(made)))
    assert answers[0] == answers[1]


async def test_annotations_say_what_may_be_repeated(
    urls: dict[ServerName, str],
) -> None:
    hints: dict[str, ToolAnnotations | None] = {}
    for url in urls.values():
        async with connect_http(url, token=CATALOG_TOKEN) as client:
            hints |= {t.name: t.annotations for t in (await client.list_tools()).tools}
    annotations = {name: hint or ToolAnnotations() for name, hint in hints.items()}
    assert {name for name in annotations if annotations[name].read_only_hint} == {
        "search_metadata",
        "get_entity_details",
        "get_entity_lineage",
        "list_tasks",
    }
    assert {name for name in annotations if annotations[name].destructive_hint} == {
        "patch_entity",
        "update_task",
        "delete_task",
    }
    assert {name for name in annotations if annotations[name].idempotent_hint} >= {
        "search_metadata",
        "update_task",
        "complete_task",
    }
