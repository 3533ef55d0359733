"""Live servers against their recordings: `check`, and the last lines of `record`."""

from __future__ import annotations

import json
import shutil
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.servers.launch import stdio_command

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


pytestmark = pytest.mark.xdist_group("live")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    command = json.dumps([*stdio_command("todo")])
    settings = f"[tool.mcp-bindgen.servers.todo]\ncommand = {command}\n"
    (folder / "pyproject.toml").write_text(settings)
    with chdir(folder):
        assert run("record").exit_code == 0
    return folder


@pytest.fixture
def file(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "recordings" / "todo.json"


def change(file: Path, edit: Any) -> None:
    recording = json.loads(file.read_text())
    edit(recording["tools"])
    file.write_text(json.dumps(recording))


def add_gone(tools: list[dict[str, Any]]) -> None:
    tools.append({**tools[0], "name": "gone"})


def describe_otherwise(tools: list[dict[str, Any]]) -> None:
    del tools[-1]
    tools[0].update(description="old")


def test_a_server_is_as_recorded_or_it_has_changed(file: Path) -> None:
    done = run("check", "todo")
    assert (done.exit_code, done.stdout) == (0, "no changes\n"), done.stderr
    change(file, add_gone)
    before = file.read_bytes()
    done = run("check")
    assert done.exit_code == 1
    assert "gone  TOOL_REMOVED  wire+source" in done.stdout
    assert file.read_bytes() == before, "nothing is written"
    change(file, describe_otherwise)
    assert run("check").exit_code == 1
    assert run("check", "--fail-on", "compatible").exit_code == 0


def test_a_server_that_cannot_be_reached_is_never_unchanged(file: Path) -> None:
    text = '[tool.mcp-bindgen.servers.todo]\ncommand = ["none-such-program"]\n'
    (file.parents[1] / "pyproject.toml").write_text(text)
    done = run("check")
    assert (done.exit_code, done.stdout) == (2, "")
    done = run("check", "--format", "json")
    document = json.loads(done.stdout)
    assert (done.exit_code, document) == (2, {"findings": [], "failed": ["todo"]})
    assert run("check", "unknown").exit_code == 2


def test_a_server_that_cannot_be_reached_is_counted_beside_another(file: Path) -> None:
    shutil.copy(file, file.with_name("gone.json"))
    settings = file.parents[1] / "pyproject.toml"
    text = '[tool.mcp-bindgen.servers.gone]\ncommand = ["none-such-program"]\n'
    settings.write_text(settings.read_text() + text)
    done = run("check")
    assert (done.exit_code, done.stdout) == (2, "1 problem: not all was compared\n")
    change(file, add_gone)
    last = run("check").stdout.splitlines()[-1]
    assert last.startswith("1 breaking, 1 problem: not all was compared: major;")


def test_record_ends_with_what_changed(file: Path) -> None:
    change(file, add_gone)
    done = run("record")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[-2:] == [
        "gone  TOOL_REMOVED  wire+source  the tool is gone",
        "1 breaking: major; mcp-bindgen diff --explain TOOL_REMOVED",
    ]
    assert "breaking" not in run("record").stderr
