"""Live servers into recordings: both eras, all pages, and every way to fail."""

from __future__ import annotations

import json
import signal
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.recording.document import digest
from mcp_bindgen.recording.recorder import (
    Call,
    Options,
    Program,
    Recorded,
    over_http,
    over_stdio,
)

from tests.servers.launch import CATALOG_TOKEN, stdio_command

if TYPE_CHECKING:
    from collections.abc import Generator

SCRIPTED = Path(__file__).parents[1] / "servers" / "scripted.py"
BEARER = {"Authorization": f"Bearer {CATALOG_TOKEN}"}


def scripted(
    mode: str, *more: str, seconds: float = 30.0, limits: Limits = DEFAULT
) -> Recorded:
    command = [sys.executable, str(SCRIPTED), mode, *more]
    return over_stdio(Program(command), seconds, Options(limits=limits))


def refusal(mode: str, seconds: float = 30.0) -> Problem:
    with pytest.raises(BindgenError) as caught:
        scripted(mode, seconds=seconds)
    (problem,) = caught.value.problems
    return problem


def test_two_runs_give_the_same_bytes(catalog_url: str) -> None:
    first = over_http(catalog_url, BEARER, 30)
    assert over_http(catalog_url, BEARER, 30).text == first.text
    assert first.problems == ()
    assert len(first.recording.tools) == 6
    assert CATALOG_TOKEN not in first.text
    assert catalog_url not in first.text


def test_both_eras_and_transports_give_the_same_tools(catalog_url: str) -> None:
    program = Program(stdio_command("catalog"))
    recorded = [
        over_http(catalog_url, BEARER, 30, Options(era="modern")),
        over_http(catalog_url, BEARER, 30, Options(era="legacy")),
        over_stdio(program, 30, Options(era="modern")),
        over_stdio(program, 30, Options(era="legacy")),
    ]
    assert len({one.version for one in recorded}) == 2
    assert len({one.text for one in recorded}) == 1
    assert len({digest(one.recording) for one in recorded}) == 1


def test_resources_templates_and_prompts_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    todo = over_stdio(Program(stdio_command("todo")), 30).recording
    assert len(todo.tools) == 5
    assert len(todo.resources) == 2
    assert len(todo.resource_templates) == 2
    assert len(todo.prompts) == 2
    assert todo.server["name"] == "todo"
    assert todo.instructions


def test_every_page_is_followed_and_an_empty_cursor_is_one() -> None:
    recorded = scripted("pages")
    assert [tool["name"] for tool in recorded.recording.tools] == ["ping", "pong"]
    assert recorded.version == "2025-06-18"
    # This server declares resources and answers templates with an error.
    assert len(recorded.recording.resources) == 1
    assert recorded.recording.resource_templates == ()


@pytest.mark.parametrize(("mode", "tools"), [("undeclared", 2), ("nothing", 0)])
def test_tools_are_listed_even_if_undeclared(mode: str, tools: int) -> None:
    recording = scripted(mode).recording
    assert len(recording.tools) == tools
    assert recording.resources == ()


def test_odd_capabilities_are_none() -> None:
    assert len(scripted("odd").recording.tools) == 2


def test_the_file_keeps_what_cannot_be_used() -> None:
    recorded = scripted("bad-tools")
    listed = json.loads(recorded.text)["tools"]
    assert listed == [5, {"name": "bad"}, recorded.recording.tools[0]]
    pointers = [problem.pointer for problem in recorded.problems]
    assert pointers == ["/tools/0", "/tools/1/inputSchema"]


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("same-cursor", "tools/list: expected a new string as nextCursor"),
        ("fresh-cursors", "tools/list: expected at most 1,000 pages"),
        ("growing", "tools/list: expected at most 2,000 entries"),
        ("wordy", "expected answers within the limits of a recording"),
        ("crowded", "the server's answer is malformed: more than 1,000,000 values"),
        ("full", "expected answers within the limits of a recording"),
        ("number-cursor", "tools/list: expected a new string as nextCursor"),
        ("no-list", 'expected an array "tools" in the answer to tools/list'),
        ("declared", "the server answered with error -32601"),
        ("dies", "the server's program ended (exit code 3"),
    ],
)
def test_a_server_at_fault_is_reported_in_one_line(mode: str, message: str) -> None:
    problem = refusal(mode)
    assert problem.message.startswith(message)
    assert "\n" not in problem.message
    assert problem.hint
    assert ("out of luck" in problem.message) == (mode == "dies")
    too_many = mode in ("fresh-cursors", "growing")
    assert ("--limit" in problem.hint) >= too_many


def test_a_silent_server_ends_at_the_timeout() -> None:
    problem = refusal("silent", seconds=1.5)
    assert problem.message.startswith(
        "the recording was not complete after 1.5 seconds"
    )
    assert "--timeout" in problem.hint


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system cannot")
def test_it_ends_by_processor_time(tmp_path: Path) -> None:
    before = {*threading.enumerate()}
    command = ["record", "-o", str(tmp_path / "x.json"), "--limit", "seconds=1", "--"]
    ran = CliRunner().invoke(app, [*command, sys.executable, str(SCRIPTED), "noisy"])
    assert (ran.exit_code, "takes more than 1 seconds" in ran.stderr) == (2, True)
    for thread in {*threading.enumerate()} - before:
        thread.join(30)
        assert not thread.is_alive()  # it would read from the program for ever


def test_answers_of_tools_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    calls = (Call("list_tasks", {"user_id": "1c9d1b5e-8f1c-4f0a-9d62-1f3a5c7e9b10"}),)
    recorded = [
        over_stdio(Program(stdio_command("todo")), 30, Options(calls=calls, era=era))
        for era in ("legacy", "modern")
    ]
    assert recorded[0].text == recorded[1].text
    (call,) = recorded[0].recording.calls
    assert (call["name"], call["arguments"]) == calls[0]
    assert recorded[0].problems == ()


def test_a_call_that_fails_is_reported_with_its_json_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    user = '{"user_id": "1c9d1b5e-8f1c-4f0a-9d62-1f3a5c7e9b10"}'
    calls = ["--call", "list_tasks", "{}", "--call", "list_tasks", user]
    command = ["record", "-o", "x.json", *calls, "--", *stdio_command("todo")]
    ran = CliRunner().invoke(app, command)
    assert ran.exit_code == 1
    assert "error: --call list_tasks: it failed: {" in ran.stderr
    assert Path("x.json").read_text().count('"arguments"') >= 1


def test_declared_capabilities_are_noted_and_reach_the_server(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    declare = ["--declare", "roots,elicitation", "--verbose", "-o", str(file)]
    for era in ("legacy", "modern"):
        command = ["record", *declare, "--era", era, "--", *stdio_command("todo")]
        ran = CliRunner().invoke(app, command)
        assert ran.exit_code == 0, ran.stderr
        assert '"elicitation":{"form":{},"url":{}}' in ran.stderr.replace(" ", "")
        assert '"declared":["elicitation","roots"]' in "".join(file.read_text().split())
    wrong = CliRunner().invoke(app, ["record", "--declare", "root", "https://x"])
    assert (wrong.exit_code, "got 'root'" in wrong.stderr) == (2, True)


def test_limits_hold() -> None:
    with pytest.raises(BindgenError):
        scripted("well", limits=replace(DEFAULT, tools=1))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["no-such-program-anywhere"], "there is no program"),
        ([sys.executable, "-c", "print('hello')"], "the server's program ended"),
        ([sys.executable, "-c", "raise SystemExit(4)"], "the server's program ended"),
    ],
)
def test_a_command_that_is_no_server(command: list[str], message: str) -> None:
    with pytest.raises(BindgenError) as caught:
        over_stdio(Program(command), 20)
    (problem,) = caught.value.problems
    assert problem.message.startswith(message)
    assert problem.hint


class Other(BaseHTTPRequestHandler):
    """Answers every POST in one way that is not MCP."""

    reply: ClassVar[tuple[int, str, bytes]]

    def do_POST(self) -> None:
        status, kind, body = self.reply
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, its name
        pass


@pytest.fixture
def other(request: pytest.FixtureRequest) -> Generator[str]:
    handler = type("Handler", (Other,), {"reply": request.param})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "other",
    [
        (200, "text/html", b"<html>Welcome</html>"),
        (200, "application/json", b"[]"),
        (200, "application/json", b'{"hello": NaN}'),
        (404, "text/plain", b"no"),
        (500, "text/plain", b"no"),
        (302, "text/plain", b""),
    ],
    indirect=True,
)
def test_what_is_no_mcp_server_is_reported_in_one_line(other: str) -> None:
    with pytest.raises(BindgenError) as caught:
        over_http(f"{other}?key=secret-in-the-query", {"X-Key": "secret-too"}, 20)
    (problem,) = caught.value.problems
    assert problem.message
    assert problem.hint
    assert "\n" not in problem.message
    assert "secret" not in str(problem)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer not-the-token"}])
def test_a_wrong_token_is_reported(catalog_url: str, headers: dict[str, str]) -> None:
    with pytest.raises(BindgenError) as caught:
        over_http(catalog_url, headers, 20)
    (problem,) = caught.value.problems
    assert problem.message.startswith("the server refused the credentials (HTTP 401)")
    assert "--header" in problem.hint
    assert "not-the-token" not in str(problem)


@pytest.mark.parametrize("url", ["ftp://x/mcp", "nonsense", "http://u:pw@x/", ""])
def test_a_url_that_is_none(url: str) -> None:
    with pytest.raises(BindgenError) as caught:
        over_http(url, {}, 20)
    assert "pw" not in str(caught.value)


def test_an_unreachable_server() -> None:
    with pytest.raises(BindgenError) as caught:
        over_http("http://127.0.0.1:1/mcp", {}, 20)
    (problem,) = caught.value.problems
    assert problem.message.startswith("cannot connect to the server")
    assert "http://127.0.0.1:1" in problem.message
