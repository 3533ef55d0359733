"""`mcp-bindgen serve`, with the official SDK's client and with ours."""

from __future__ import annotations

import asyncio
import json
import shlex
import signal
import subprocess
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mcp_bindgen
import pytest
from mcp import Client as OfficialClient
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_bindgen.recording.document import load
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import ProtocolError, ToolNotFoundError

from tests.commands import PROGRAM, run
from tests.servers.launch import python_program

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

RECORDING = Path(__file__).parents[2] / "generated" / "catalog" / "recording.json"
QUERY = {"query": "sales"}


def quick_program() -> list[str]:
    """Return the command `mcp-bindgen`, which imports the SDK in a second, in less."""
    return python_program(Path(mcp_bindgen.__file__).with_name("__main__.py"))


@contextmanager
def serving(*arguments: object) -> Generator[str]:
    """Run the command over HTTP; it has to end well at Ctrl-C."""
    command = [*quick_program(), "serve", "--http", "0", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
        finally:
            process.kill()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(RECORDING) as address:
        yield address


@pytest.fixture
def catalog(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(RECORDING.parents[1]), *sys.path])
    return import_module("catalog")


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_it_lists_what_was_recorded(url: str, era: str) -> None:
    recorded, _ = load(RECORDING.read_bytes())
    with BaseClient.http(url, era=era) as client:
        assert client.request("tools/list", {})["tools"] == [*recorded.tools]
        assert client.server_info == recorded.server
        assert client.instructions == recorded.instructions
        with pytest.raises(ToolNotFoundError):
            client.call_tool("nope", {})


def test_a_generated_client_gets_typed_answers(url: str, catalog: Any) -> None:
    with catalog.Client.http(url) as client:
        page = client.search_metadata(query="sales", size=2)
        assert page.hits[0].owners
        assert client.verify() == []


def test_the_official_client(url: str) -> None:
    async def work(mode: Any) -> Any:
        async with OfficialClient(url, mode=mode) as client:
            return await client.call_tool("search_metadata", QUERY)

    for mode in ("auto", "legacy"):
        assert asyncio.run(work(mode)).structured_content["hits"]


def test_a_caller_chooses_answer_delay_and_progress(url: str) -> None:
    choice = {"mcp-bindgen": {"answer": "empty", "delay": 0.05, "progress": 3}}
    params = {"name": "search_metadata", "arguments": QUERY, "_meta": choice}
    with BaseClient.http(url) as client:
        steps: list[float] = []

        def note(done: float, _total: float | None, _text: str | None) -> None:
            steps.append(done)

        watched = client.with_options(on_progress=note)
        result = watched.request("tools/call", params)
        assert result["structuredContent"]["hits"] == []
        assert steps == [1, 2, 3]


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (5, ": expected an object, got 5"),
        ({"anwser": "error"}, "/anwser: expected one of answer, delay, progress"),
        ({"answer": "no"}, "/answer: expected one of error, empty, generated, got no"),
        ({"answer": ["error"]}, "/answer: expected one of"),
        ({"delay": -1}, "/delay: expected seconds from 0 to 600, got -1"),
        ({"delay": 1e308}, "/delay: expected seconds from 0 to 600"),
        ({"delay": True}, "/delay: expected seconds from 0 to 600"),
        ({"progress": 0.5}, "/progress: expected a whole number from 0 to 1000"),
    ],
)
def test_a_wrong_choice_is_refused(url: str, choice: Any, text: str) -> None:
    meta = {"mcp-bindgen": choice}
    params = {"name": "search_metadata", "arguments": QUERY, "_meta": meta}
    with BaseClient.http(url) as client, pytest.raises(ProtocolError) as caught:
        client.request("tools/call", params)
    assert f"/_meta/mcp-bindgen{text}" in str(caught.value)


def test_over_stdio() -> None:
    command = StdioServerParameters(
        command=sys.executable, args=[*PROGRAM[1:], "serve", "-q", str(RECORDING)]
    )

    async def work() -> Any:
        async with OfficialClient(stdio_client(command)) as client:
            return await client.call_tool("search_metadata", {"query": 1})

    refused = asyncio.run(work())
    assert refused.is_error
    assert "/query: type" in refused.content[0].text


def test_calls_are_recorded_through_it(
    url: str, catalog: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "a-secret-value")
    file, header = tmp_path / "new.json", "Authorization: Bearer ${TOKEN}"
    with (
        serving(file, "--record-through", url, "--header", header) as through,
        catalog.Client.http(through) as client,
    ):
        first = client.search_metadata(query="a-secret-value")
        client.search_metadata(query="b")
        client.search_metadata(query="b")
    recorded, problems = load(file.read_bytes())
    assert problems == ()
    assert [call["arguments"] for call in recorded.calls] == [
        {"query": "***"},
        {"query": "b"},
    ]
    with serving(file, "--strict") as strict, catalog.Client.http(strict) as client:
        assert client.search_metadata(query="b") == first
        with pytest.raises(catalog.ToolError, match="no recorded call"):
            client.search_metadata(query="c")


def test_calls_of_a_program_are_recorded_through_it(tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    words = [*quick_program(), "serve", "-q", str(RECORDING)]
    arguments = [
        *(file, "--record-through", shlex.join(words)),
        *("--env", "TOKEN=a-secret-value"),
    ]
    with serving(*arguments) as url, BaseClient.http(url) as client:
        client.call_tool("search_metadata", {"query": "a-secret-value"})
    recorded, _ = load(file.read_bytes())
    assert [call["arguments"] for call in recorded.calls] == [{"query": "***"}]


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    answer = tmp_path / "a.json"
    answer.write_text(json.dumps({"total": 1}))
    for words, reason in (
        (["--answer", "search_metadata"], "expected TOOL=FILE"),
        (["--answer", "search_metadata=missing.json"], "missing.json"),
        (["--answer", f"nope={answer}"], "has no tool 'nope'"),
        (["--fail", "search_metadata=2"], "a rate from 0 to 1"),
        (["--header", "a: b"], "--record-through"),
        (["--env", "A=b"], "--record-through COMMAND"),
        (["--record-through", "a 'b"], "expected a command"),
    ):
        result = run("serve", str(RECORDING), *words)
        assert result.exit_code == 2
        assert reason in result.stderr
    assert run("serve", str(tmp_path / "none.json")).exit_code == 2
    assert run("serve", str(answer)).exit_code == 2


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = run("serve", str(RECORDING))
    assert result.exit_code == 2
    assert "pip install 'mcp-bindgen[serve]'" in result.stderr
