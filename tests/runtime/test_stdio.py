"""Servers as child processes: how they start, talk, misbehave and end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import (
    ClosedError,
    ConfigError,
    DeadlineError,
    InvalidArgumentsError,
    LimitError,
    TransportError,
)
from mcp_bindgen.runtime.transport import printed_text

from tests.runtime.conftest import hurry

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver

ROGUE = str(Path(__file__).with_name("rogue.py"))


def rogue(act: str, *more: str) -> list[str]:
    """Return the command of a misbehaving server."""
    return [sys.executable, ROGUE, act, *more]


async def call(client: Any) -> Any:
    """Call one tool."""
    return await client.call_tool("tool", {})


def test_a_call(driver: Driver) -> None:
    async def work(client: Any) -> Any:
        result = await client.call_tool("tool", {"a": 1})
        return result.text, client.protocol_version, client.server_info

    facts = driver.stdio(rogue("good"), work)
    assert facts == ("done", "2025-11-25", {"name": "rogue"})


def test_junk_on_stdout_is_borne_up_to_a_limit(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slowly a busy machine prints them, they are too many lines.
    monkeypatch.setattr(limits, "TEXT_RATE", 0.0)
    assert driver.stdio(rogue("junk"), call).text == "done"
    with pytest.raises(LimitError, match="not MCP"):
        driver.stdio(rogue("rubbish"), call)


def test_junk_may_go_on_at_the_rate_of_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(printed_text, "time", SimpleNamespace(monotonic=lambda: now))
    printed = printed_text.PrintedText()
    at_once = [printed.add(b"Loading...") for _ in range(20_001)]
    assert at_once == [True] * 20_000 + [False]
    now = 2.0
    later = [printed.add(b"Loading...") for _ in range(2_000)]
    assert later == [True] * 1_999 + [False]


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ("nan", "NaN is not JSON"),
        ("surrogate", "not valid Unicode"),
        ("twice", "the same key twice"),
        ("batch", "no JSON-RPC 2.0 object"),
        ("bare", "no JSON-RPC 2.0 object"),
        ("cut", "no JSON at character"),
    ],
)
def test_a_malformed_answer_is_reported_at_once(
    act: str, why: str, driver: Driver
) -> None:
    with pytest.raises(TransportError, match=f"malformed: .*{why}") as caught:
        driver.stdio(rogue(act), call, retries=0, timeout=30)
    assert not isinstance(caught.value, DeadlineError)


def test_logs_that_look_like_json_are_borne(driver: Driver) -> None:
    assert driver.stdio(rogue("logs"), call).text == "done"


def test_a_malformed_answer_fails_its_own_call_alone() -> None:
    """The other still waits for the server, which sleeps."""
    made: Any = BaseClient.stdio(rogue("nan"), timeout=30)
    with made as client:
        client.connect()
        other = client._channel.driver._program.ask(10**6, b"{}")
        with pytest.raises(TransportError, match="malformed"):
            client.call_tool("tool", {})
        assert other.is_empty


def test_an_endless_line(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODY", 2_000_000)
    with pytest.raises(LimitError, match="line of more than"):
        driver.stdio(rogue("endless"), call)


def test_last_words_show(driver: Driver) -> None:
    with pytest.raises(TransportError, match="exit code 3") as caught:
        driver.stdio(rogue("dies"), call)
    assert "last \\x1b[31mwords" in str(caught.value)
    assert caught.value.outcome == "unknown"
    assert caught.value.server is not None


def test_a_program_that_ends_at_once(driver: Driver) -> None:
    with pytest.raises(TransportError, match="no licence"):
        driver.stdio(rogue("crash"), call, retries=0)


def test_a_program_that_ended_is_started_again(driver: Driver) -> None:
    async def work(client: Any) -> Any:
        with pytest.raises(TransportError):
            await client.call_tool("tool", {})
        with pytest.raises(TransportError, match="exit code 3"):
            await client.call_tool("tool", {})

    driver.stdio(rogue("dies"), work)


def test_the_deadline_holds(driver: Driver) -> None:
    with pytest.raises(DeadlineError) as caught:
        driver.stdio(rogue("silent"), hurry)
    assert caught.value.outcome == "unknown"
    with pytest.raises(DeadlineError):
        driver.stdio(rogue("deaf"), call, timeout=0.2, era="legacy")


def test_a_probe_without_answer_means_an_old_server(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PROBE_SECONDS", 0.5)
    assert driver.stdio(rogue("ignores"), call).text == "done"


def test_server_requests_are_answered(driver: Driver) -> None:
    answers = driver.stdio(rogue("asks"), call).json()
    assert answers[0] == {"jsonrpc": "2.0", "id": "s1", "result": {}}
    assert answers[1]["error"]["code"] == -32601


def test_messages_while_nobody_waits(driver: Driver) -> None:
    async def work(client: Any) -> Any:
        await client.connect()
        return await client.call_tool("tool", {})

    assert driver.stdio(rogue("idle"), work).text == "done"


def test_a_ping_while_nobody_waits(tmp_path: Path) -> None:
    note = tmp_path / "answer"
    with BaseClient.stdio(rogue("pings", str(note))) as client:
        client.connect()
        for _ in range(200):
            if note.exists() and note.read_text():
                break
            time.sleep(0.05)
        assert '"id":"s1","result":{}' in note.read_text()
        assert client.call_tool("tool", {}).text == "done"


def test_progress(driver: Driver) -> None:
    reports: list[object] = []

    def note(*facts: object) -> None:
        reports.append(facts)

    async def work(client: Any) -> None:
        heard = client.with_options(on_progress=note)
        await heard.call_tool("tool", {})

    driver.stdio(rogue("progress"), work)
    assert reports == [(1, None, None)]


def test_the_environment_is_an_allow_list(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    environment = driver.stdio(rogue("env"), call, env={"EXTRA": "1"}).json()
    assert "AWS_SECRET_ACCESS_KEY" not in environment
    assert environment["EXTRA"] == "1"
    assert environment["PATH"] == os.environ["PATH"]


def test_the_folder(driver: Driver, tmp_path: Path) -> None:
    with pytest.raises(TransportError, match="the folder"):
        driver.stdio(rogue("good"), call, cwd=tmp_path / "none", retries=0)
    assert driver.stdio(rogue("good"), call, cwd=tmp_path).text == "done"


@pytest.mark.parametrize("command", [[], "echo hi"])
def test_commands_that_are_refused(command: Any, driver: Driver) -> None:
    with pytest.raises(ConfigError):
        driver.client.stdio(command)


def test_a_program_that_is_not_there(driver: Driver) -> None:
    with pytest.raises(ConfigError, match="there is no program"):
        driver.stdio(["no-such-program-here"], call)


@pytest.mark.parametrize("word", ["a\0b", "a\ud800b"])
def test_a_command_with_a_character_that_no_system_takes(
    driver: Driver, word: str
) -> None:
    with pytest.raises(TransportError, match=r"start: .* in a word or a variable"):
        driver.stdio([*rogue("good"), word], call, retries=0)


def test_arguments_that_are_not_json(driver: Driver) -> None:
    async def work(client: Any) -> Any:
        with pytest.raises(InvalidArgumentsError):
            await client.call_tool("tool", {"a": object()})
        return await client.call_tool("tool", {})

    assert driver.stdio(rogue("good"), work).text == "done"


def test_a_closed_client_says_so(driver: Driver) -> None:
    async def work(client: Any) -> None:
        await client.call_tool("tool", {})
        await client.close()
        with pytest.raises(ClosedError):
            await client.call_tool("tool", {})

    driver.stdio(rogue("good"), work)


def alive(pid: int) -> bool:
    """Return whether a process runs."""
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_whole_group_is_ended(driver: Driver, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    driver.stdio(rogue("parent", str(note)), call)
    pid = int(note.read_text())
    for _ in range(100):
        if not alive(pid):
            return
        time.sleep(0.05)
    pytest.fail("a grandchild is left")


def test_who_does_not_end_is_ended() -> None:
    made: Any = BaseClient.stdio(rogue("stubborn"))
    with made as client:
        client.call_tool("tool", {})
        started = client._channel.driver._program
    assert started._process.returncode == -9


def test_where_there_are_no_process_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code path of Windows, as far as another system can take it."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> None:
        commands.append(command)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.delattr(os, "killpg")
    made: Any = BaseClient.stdio(rogue("good"))
    with made as client:
        client.call_tool("tool", {})
        pid = client._channel.driver._program._process.pid
    assert commands == [["taskkill", "/T", "/F", "/PID", str(pid)]]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_cancelling_a_task(backend: str) -> None:
    async def main() -> None:
        async with AsyncBaseClient.stdio(rogue("silent")) as client:
            await client.connect()
            with anyio.move_on_after(0.3) as scope:
                await client.call_tool("tool", {})
            assert scope.cancelled_caught

    anyio.run(main, backend=backend)
