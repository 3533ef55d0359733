"""Texts of a server in what commands show: none hides, adds a line, or is a command."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.hidden import HIDDEN

from tests.commands import run

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

pytestmark = pytest.mark.xdist_group("commands")

FORGED = "forged: 0 problems"
# Colours, a title, a hyperlink, bells, C1, bidi, tags, a zero width space; a line that
# is written over, and one of its own; then what the forms of reports would obey.
TEXT = (
    "E\x1b[31mV\x1b]0;t\x07\x1b]8;;http://x.test\x1b\\\x9b2J\u202ea\u2066b\u2069"
    f"\U000e0041\u200b\x00\x7f\rover\n{FORGED}\n::error::{FORGED}\u2028{FORGED}\n"
    "| `c` [l](http://x.test) <img src=x> @org #1 $(touch pwned); touch pwned"
)


def hostile(more: str = "") -> dict[str, Any]:
    """Return a recording with the text in each place that a server fills."""
    text = TEXT + more
    entry = {"name": text, "title": text, "description": text, "mimeType": text}
    field = {"type": "string", "description": text, "title": text, "default": text}
    choice = field | {"enum": [text, "b"], "examples": [text]}
    listed = {"type": "array", "items": {"type": "string"}}
    schema = {
        "type": "object",
        "title": text,
        "description": text,
        "properties": {text: field, f"{text}2": choice, f"{text}3": listed},
        "required": [text, f"{text}2", f"{text}3"],
    }
    tools: list[dict[str, Any]] = [
        {"name": "good", "inputSchema": schema, "outputSchema": schema},
        {"name": text, "inputSchema": schema},
        {
            "name": f"left out {text}",
            "inputSchema": {"properties": {text: {"$ref": text}}},
        },
    ]
    icons = [{"src": text, "mimeType": text, "sizes": [text]}]
    said = {"title": text, "description": text, "icons": icons, "_meta": {text: text}}
    arguments = [{"name": text, "description": text, "required": True}]
    return {
        "server": {"name": text, "version": text, "title": text, "icons": icons},
        "instructions": text,
        "tools": [
            {**tool, **said, "annotations": {"title": text, "destructiveHint": True}}
            for tool in tools
        ],
        "resources": [
            {**entry, **said, "uri": "file:///ok"},
            {**entry, **said, "uri": f"file:///{text}"},
        ],
        "resourceTemplates": [
            {**entry, **said, "uriTemplate": "file:///{p}"},
            {**entry, **said, "uriTemplate": f"file:///{{{text}}}"},
        ],
        "prompts": [
            {**said, "name": "ask", "arguments": arguments},
            {**said, "name": text, "arguments": arguments},
        ],
        "calls": [
            {
                "name": "good",
                "arguments": {text: text},
                "result": {"content": [{"type": "text", "text": text}]},
            }
        ],
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with settings, recordings of two servers, and a package."""
    folder = tmp_path_factory.mktemp("made")
    for name, more in (("old", ""), ("new", "!")):
        (folder / f"{name}.json").write_text(json.dumps(hostile(more)))
    (folder / "pyproject.toml").write_text(
        '[tool.mcp-bindgen.servers.old]\nurl = "http://127.0.0.1:9/mcp"\n'
        'recording = "old.json"\npolicy = "old.toml"\n'
    )
    with chdir(folder):
        run("policy", "old", "-o", "old.toml")
        run("generate", "old.json", "-o", "out", "--name", "old", "--no-cache")
    return folder


@pytest.fixture
def project(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of that folder, in which commands run."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


FORMS = [
    ["diff", "old.json", "new.json", "--all", "--format", form]
    for form in ("text", "json", "markdown", "github", "gitlab", "junit")
]
OFFLINE = [
    *FORMS,
    ["diff", "old.json", "new.json", "--changelog"],
    *(["lint", "old.json", "--format", form] for form in ("text", "json")),
    *(["list", "--format", form] for form in ("text", "json")),
    *(["show", "old", "--all", "--format", form] for form in ("text", "json")),
    *(["show", "old", "good", "--format", form] for form in ("text", "json")),
    *(["show", "old", "ask"], ["show", "old", "nothing"], ["show", "old", TEXT]),
    *(
        ["policy", "old", "--check"],
        ["policy", "review", "--all", "--policy", "old.toml"],
    ),
    *(["policy", "explain", "good"], ["policy", "test", "old.toml"]),
    ["generate", "new.json", "-o", "out", "--name", "old", "--check", "--no-cache"],
    ["generate", "new.json", "-o", "out", "--name", "old", "--diff", "--no-cache"],
    ["--verbose", "generate", "old.json", "-o", "new", "--name", "old", "--no-cache"],
    ["docs", "old.json", "-o", "site"],
    *(["call", "old", "goo"], ["call", "old", "good"], ["call", "old", "good", "a=1"]),
]


@pytest.mark.parametrize("command", OFFLINE, ids=lambda words: " ".join(words)[:60])
def test_what_a_command_prints(project: Path, command: list[str]) -> None:
    result = run(*command)
    assert result.exit_code in (0, 1, 2)
    _assert_honest(result, command)
    for file in sorted(project.rglob("*")):
        if file.is_file() and file.name not in {"old.json", "new.json"}:
            _assert_visible(file.read_text("utf-8"), str(file))


def _assert_honest(result: Result, command: object) -> None:
    for text in (result.stdout, result.stderr):
        _assert_visible(text, str(command))
        forged = (FORGED, f"::error::{FORGED}")
        assert not [x for x in text.splitlines() if x.startswith(forged)], command


def _assert_visible(text: str, where: str) -> None:
    hidden = HIDDEN.search(text)
    assert hidden is None, (where, text[max(0, hidden.start() - 60) :][:120])


def test_a_line_to_copy_is_one_call_for_a_shell(project: Path) -> None:
    facts = json.loads(run("show", "old", "good", "--format", "json").stdout)
    program = project / "bin" / "mcp-bindgen"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nprintf '%s\\0' \"$@\"\n")
    program.chmod(0o755)
    ran = subprocess.run(
        # A NUL cannot be typed, so the shell never gets one.
        ["sh", "-c", facts["shell"].replace("\x00", "")],
        env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        cwd=project,
        check=True,
    )
    assert ran.stderr == ""
    call, server, tool, *words = ran.stdout.rstrip("\0").split("\0")
    assert (call, server, tool) == ("call", "old", "good")
    assert len(words) == len(hostile()["tools"][0]["inputSchema"]["required"])
    assert not (project / "pwned").exists()
    page = run("show", "old", "good").stdout.splitlines()
    (line,) = [line for line in page if line.startswith("shell:")]
    assert shlex.split(line)[1:4] == ["mcp-bindgen", "call", "old"]
