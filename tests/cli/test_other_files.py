"""A mistake in a path, an era or a number costs no file, and no busy loop."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """
import json, sys
TOOL = {"name": "t", "inputSchema": {"type": "object"}}
for line in sys.stdin:
    message = json.loads(line)
    method, number = message["method"], message.get("id")
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        about = {"name": "s", "version": "1"}
        answer = {"protocolVersion": version, "capabilities": {"tools": {}}}
        answer = {"result": {**answer, "serverInfo": about}}
    elif method == "tools/list":
        answer = {"result": {"tools": [TOOL]}}
    else:
        answer = {"error": {"code": -32601, "message": "unknown"}}
    if number is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": number, **answer}), flush=True)
"""
OTHERS = {
    "README.md": "# mine\n",
    "client.py": "import this\n",
    "list.json": "[1]",
    "package.json": '{"name": "mine"}',
    "settings.json": '{\n  // mine\n  "editor.tabSize": 2\n}\n',
    "lines.jsonl": '{"event": 1}\n{"event": 2}\n',
    "flake.nix": "{ pkgs }: { x = 1; }",
    "page.html": "{% block x %}",
    "names.json": '{"name": "x", "tools": ["a"]}',
    "table.json": '{"tools": {"go": "1.2"}}',
    "scripts.json": '{"tools": [{"inputSchema": {}}], "scripts": {}}',
    "answer.json": '{"result": {"tools": []}}',
    "empty.json": "{}",
    "notes.md": 'a mark: {"format": "mcp-bindgen/1"}',
    "users": "root:x:0:0::/root:/bin/sh\n",
}
BEFORE = {
    "empty": "",
    "blank": " \n",
    "damaged": '{"format": "mcp-bindgen/1", "tools": [',
    "marked": '\ufeff{\r\n  "format": "mcp-bindgen/1"}',
    "sorted": '{"calls": [], "format": "mcp-bindgen/1"}',
    "old": '{"tools": [{"name": "a", "inputSchema": {}}], "nextCursor": "b"}',
    "answer": '{"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}',
}


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "server.py").write_text(SERVER, "utf-8")


def settings(recording: str) -> str:
    command = json.dumps([sys.executable, "server.py"])
    return f"""# mine
[tool.mcp-bindgen]
output = "src"

[tool.mcp-bindgen.servers.s]
command = {command}
recording = "{recording}"
"""


@pytest.mark.parametrize("name", OTHERS)
def test_a_recording_replaces_no_other_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(OTHERS[name], "utf-8")
    (tmp_path / "pyproject.toml").write_text(settings(name), "utf-8")
    server = (sys.executable, "server.py")
    for words in (("sync",), ("record",), ("record", "-o", name, "--", *server)):
        ran = CliRunner().invoke(app, words)
        assert ran.exit_code == 2, ran.output
        assert f"{name} is in the way" in ran.stderr
        assert "hint: " in ran.stderr
        assert (tmp_path / name).read_text("utf-8") == OTHERS[name]
    assert not (tmp_path / "src").exists()


def test_settings_that_name_themselves_stay(tmp_path: Path) -> None:
    text = settings("pyproject.toml")
    (tmp_path / "pyproject.toml").write_text(text, "utf-8")
    assert CliRunner().invoke(app, ["sync"]).exit_code == 2
    assert (tmp_path / "pyproject.toml").read_text("utf-8") == text


@pytest.mark.parametrize("name", BEFORE)
def test_a_recording_replaces_a_damaged_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(BEFORE[name], "utf-8")
    words = ["record", "-o", name, "--", sys.executable, "server.py"]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert len(json.loads((tmp_path / name).read_text("utf-8"))["tools"]) == 1


def test_a_server_of_another_era_gives_no_empty_recording(tmp_path: Path) -> None:
    words = ["record", "--era", "modern", "-o", "r.json"]
    ran = CliRunner().invoke(app, [*words, "--", sys.executable, "server.py"])
    assert ran.exit_code == 2
    assert "does not speak MCP 2026-07-28" in ran.stderr
    assert "hint: choose the other era" in ran.stderr
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize("words", [[], ["--era", "legacy"], ["--era", "modern"]])
def test_a_server_that_knows_no_method_gives_no_empty_recording(
    tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "server.py").write_text(SERVER.replace("initialize", "x"), "utf-8")
    words = ["record", *words, "-o", "r.json", "--", sys.executable, "server.py"]
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 2, ran.output
    assert "does not speak MCP" in ran.stderr
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize("number", ["nan", "inf", "1e999"])
@pytest.mark.parametrize(
    "words",
    [
        *(
            ["sync", "--watch", "--every"],
            ["sync", "--timeout"],
            ["check", "--timeout"],
        ),
        *(["test", "--timeout"], ["call", "s", "t", "--timeout"]),
        *(["record", "--timeout"], ["add", "a", "--url", "https://a.b", "--timeout"]),
        ["serve", "r.json", "--latency"],
    ],
)
def test_a_time_is_a_number_of_seconds(words: list[str], number: str) -> None:
    ran = CliRunner().invoke(app, [*words, number])
    assert ran.exit_code == 2
    assert words[-1] in ran.stderr
    assert "expected a number" in ran.stderr
