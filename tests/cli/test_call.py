"""`mcp-bindgen call` and `test`, with real servers over HTTP and stdio."""

from __future__ import annotations

import json
import re
import shlex
import socketserver
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.commands import SCRIPTED, run
from tests.servers.launch import CATALOG_TOKEN, stdio_command

if TYPE_CHECKING:
    from collections.abc import Generator

    from click.testing import Result

TODO = stdio_command("todo")
ME = "user_id=8a0f4a1e-1111-4222-8333-123456789abc"
MEDIA = """
import json, sys
schema = {"type": "object", "properties": {"a": {"type": ["integer", "null"]}}}
tool = {"name": "draw", "inputSchema": schema}
content = [
    {"type": "text", "text": "drawn"},
    {"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
    {"type": "resource", "resource": {"uri": "x://../../up", "text": "inner"}},
]
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        facts = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
        facts["serverInfo"] = {"name": "media", "version": "1"}
        result = {"tools/list": {"tools": [tool]}, "tools/call": {"content": content}}
        answer = {"initialize": facts, **result}.get(message["method"], {})
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": answer}
        if message["method"] == "server/discover":
            reply = {"jsonrpc": "2.0", "id": message["id"],
                     "error": {"code": -32601, "message": "Method not found"}}
        print(json.dumps(reply), flush=True)
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog_url: str) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATALOG_TOKEN", CATALOG_TOKEN)
    servers = {
        "catalog": {
            "url": f"{catalog_url}",
            "headers": {"Authorization": "Bearer ${CATALOG_TOKEN}"},
        },
        "down": {"url": "http://127.0.0.1:9/mcp"},
        "todo": {"command": TODO[0], "args": TODO[1:], "env": {"X": "${X:-}"}},
        "dies": {"command": SCRIPTED[0], "args": [*SCRIPTED[1:], "dies"]},
        "old": {"command": SCRIPTED[0], "args": [*SCRIPTED[1:], "usual"]},
    }
    Path(".mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    assert run("import", ".mcp.json").exit_code == 0
    return tmp_path


def test_five_servers_are_tested_at_once_and_one_that_is_down_stops_none() -> None:
    assert run("record", "--server", "catalog").exit_code == 0
    file = Path("recordings/catalog.json")
    document = json.loads(file.read_text("utf-8"))
    document["tools"][0]["description"] = "another"
    file.write_text(json.dumps(document), "utf-8")
    result = run("test", "--format", "json")
    assert result.exit_code == 1
    facts = {fact["name"]: fact for fact in json.loads(result.stdout)}
    assert [name for name, fact in facts.items() if fact["ok"]] == [
        "catalog",
        "old",
        "todo",
    ]
    assert (facts["catalog"]["tools"], facts["catalog"]["drift"]) == (6, "words")
    assert facts["todo"]["drift"] is None
    assert facts["down"]["error"]["kind"] == "offline"
    assert facts["down"]["error"]["hint"]
    assert facts["dies"]["error"]["kind"] == "protocol"
    table = run("test", "catalog", "todo")
    assert table.exit_code == 0
    assert table.stdout.splitlines()[1].startswith("catalog")


def test_a_wrong_token_is_reported_and_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATALOG_TOKEN", "wrong-secret-value")
    result = run("test", "catalog", "--format", "json", "--verbose")
    (fact,) = json.loads(result.stdout)
    assert fact["error"]["kind"] == "auth"
    assert "wrong-secret-value" not in result.stdout + result.stderr
    monkeypatch.delenv("CATALOG_TOKEN")
    (fact,) = json.loads(run("test", "catalog", "--format", "json").stdout)
    assert "CATALOG_TOKEN is not set" in fact["error"]["message"]


@pytest.mark.parametrize(
    "words",
    [("catalog", "search_metadata"), ("catalog.search_metadata",)],
)
def test_a_call_prints_the_result(words: tuple[str, ...]) -> None:
    result = run("call", *words, "query=sales", "size=1")
    assert result.exit_code == 0, result.stderr
    assert len(json.loads(result.stdout)["hits"]) == 1
    raw = run("call", *words, "query=sales", "size:=1", "--format", "json")
    assert json.loads(raw.stdout)["structuredContent"]["total"] == 2


def test_a_command_and_a_url_are_servers(catalog_url: str) -> None:
    added = run("call", "add_task", ME, "title=12", "--", *TODO)
    assert added.exit_code == 0, added.stderr
    assert json.loads(added.stdout)["title"] == "12"  # a string, since the schema says
    header = f"Authorization: Bearer {CATALOG_TOKEN}"
    words = ("search_metadata", "query=sales", "--header", header)
    assert run("call", catalog_url, *words).exit_code == 0


def piped(text: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, input=text)


def test_arguments_come_from_files_and_from_standard_input() -> None:
    Path("query.txt").write_text("sales", "utf-8")
    words = ("call", "catalog", "search_metadata")
    assert run(*words, "query=@query.txt").exit_code == 0
    assert piped('{"query": "sales"}', *words, "-", "size=1").exit_code == 0
    missing = run(*words, "query=@nowhere.txt")
    assert (missing.exit_code, "nowhere.txt: No such" in missing.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("search_metadata",), "query: expected string, got nothing"),
        (("search_metadata", "query=a", "size=x"), "expected an integer, got 'x'"),
        (("search_metadata", "query=a", "size=999"), "/size: "),
        (("search_metadata", "query=a", "query=b"), "expected one value, got two"),
        (("search_metadata", "qery=a"), "did you mean query?"),
        (("search_metadata", "query"), "expected key=value, got 'query'"),
        (("search_metadata", "query:=["), "query: expected JSON"),
        (("serch_metadata", "query=a"), "did you mean search_metadata?"),
    ],
)
def test_faults_of_arguments_come_before_a_connection(
    words: tuple[str, ...], message: str
) -> None:
    assert run("record", "--server", "catalog").exit_code == 0
    settings = Path("pyproject.toml").read_text("utf-8")
    lost = "http://127.0.0.1:9/mcp"
    url = settings.partition('url = "')[2].partition('"')[0]
    Path("pyproject.toml").write_text(settings.replace(url, lost), "utf-8")
    result = run("call", "catalog", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "cannot connect" not in result.stderr
    if words[0] == "search_metadata":
        assert "as in: mcp-bindgen call catalog search_metadata query=TEXT" in (
            result.stderr
        )
    assert "cannot connect" in run("call", "catalog.search_metadata", "query=a").stderr


def test_a_wrong_server_is_never_corrected() -> None:
    result = run("call", "catlog", "search_metadata", "query=a")
    assert result.exit_code == 2
    assert "did you mean catalog?" in result.stderr


def test_a_destructive_tool_needs_yes_and_a_failing_one_exits_with_1() -> None:
    refused = run("call", "todo", "delete_task", ME, "task_id=1")
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    failed = run("call", "todo", "delete_task", ME, "task_id=1", "--yes")
    assert (failed.exit_code, failed.stdout) == (1, "")
    raw = run(
        "call", "todo", "delete_task", ME, "task_id=1", "--yes", "--format", "json"
    )
    assert (raw.exit_code, json.loads(raw.stdout)["isError"]) == (1, True)


def test_a_call_to_copy_is_a_call() -> None:
    command = shlex.join([*TODO])
    result = run("call", "add_task", "--", *TODO)
    assert (result.exit_code, f" -- {command}" in result.stderr) == (2, True)
    wrong = run("call", "ad_task", "--", *TODO)
    assert "the server has no tool 'ad_task'" in wrong.stderr
    table = f'[tool.mcp-bindgen.servers."my todo"]\ncommand = {[*TODO]}\n'
    names = 'package = "mine"\nrecording = "mine.json"\n'
    Path("pyproject.toml").write_text(table + names, "utf-8")
    for words in (("call", "my todo", "add_task"), ("call", "my todo.add_task")):
        assert "mcp-bindgen call 'my todo' add_task" in run(*words).stderr
    assert "my todo has no tool 'ad_task'" in run("call", "my todo", "ad_task").stderr
    assert run("record", "--server", "my todo").exit_code == 0
    page = run("show", "my todo", "add_task").stdout
    assert "shell:   mcp-bindgen call 'my todo' add_task" in page


def test_options_without_an_effect_are_refused() -> None:
    header = run("call", "todo", "add_task", "--header", "A: b")
    assert (header.exit_code, "expected a URL with --header" in header.stderr) == (2, 1)
    variable = run("call", "down", "add_task", "--env", "A=b")
    assert (variable.exit_code, "expected a COMMAND with --env" in variable.stderr) == (
        2,
        1,
    )


def test_a_server_that_is_down_is_reported_as_json() -> None:
    result = run("call", "down", "x", "--format", "json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"]["kind"] == "offline"


def test_images_are_saved_under_names_of_ours() -> None:
    command = [sys.executable, "-c", MEDIA]
    drawn = run("call", "draw", "a=null", "--", *command)
    assert (drawn.exit_code, drawn.stdout) == (0, "drawn\n")
    assert "2.png (5 bytes) is not shown" in drawn.stderr
    assert run("call", "draw", "--save", "out", "--", *command).exit_code == 0
    assert Path("out/2.png").read_bytes() == b"hello"
    assert Path("out/3.bin").read_bytes() == b"inner"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "protocol"),
        (
            b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"id": 9}',
            "protocol",
        ),
        (
            b"HTTP/1.1 500 Broken\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "http",
        ),
        (
            b"HTTP/1.1 404 Missing\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "http",
        ),
        (b"HTTP/1.1 401 Who\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "auth"),
        (b"", "timeout"),
    ],
)
def test_the_kind_of_a_failure(answer: bytes, kind: str) -> None:
    with one_answer(answer) as url:
        table = f"[tool.mcp-bindgen.servers.a]\nurl = {json.dumps(url)}\n"
        Path("pyproject.toml").write_text(table, "utf-8")
        seconds = "1" if kind == "timeout" else "20"
        result = run("test", "a", "--timeout", seconds, "--format", "json")
    (fact,) = json.loads(result.stdout)
    assert (result.exit_code, fact["error"]["kind"]) == (1, kind), fact
    assert fact["error"]["message"]
    assert fact["error"]["hint"]


def test_a_program_that_is_not_there_is_offline() -> None:
    table = '[tool.mcp-bindgen.servers.a]\ncommand = ["no-such-program"]\n'
    Path("pyproject.toml").write_text(table, "utf-8")
    (fact,) = json.loads(run("test", "--format", "json").stdout)
    assert fact["error"]["kind"] == "offline"


class _Answering(socketserver.StreamRequestHandler):
    """Gives one answer to each request; nothing where the answer is empty."""

    def handle(self) -> None:
        head = b"".join(iter(self.rfile.readline, b"\r\n"))
        size = re.search(rb"(?i)content-length: (\d+)", head)
        self.rfile.read(int(size[1]) if size else 0)
        answer: bytes = vars(self.server)["answer"]
        self.wfile.write(answer)
        if not answer:
            self.rfile.read()  # until the client has had enough


@contextmanager
def one_answer(answer: bytes) -> Generator[str]:
    """Serve one answer to all requests, and yield the URL."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Answering) as server:
        server.daemon_threads = True
        vars(server)["answer"] = answer
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
        server.shutdown()
