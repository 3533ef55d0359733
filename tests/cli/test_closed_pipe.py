"""A reader that leaves, as `| head` does, ends no command before its work is saved."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.commands import PROGRAM, run

ROOT = Path(__file__).resolve().parents[2]
RECORDING = str(ROOT / "generated" / "todo" / "recording.json")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def without_reader(*words: str) -> int:
    """Run a command whose standard output nobody reads, and return its exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as output:
        done = subprocess.run(
            [*PROGRAM, *words], stdout=output, stderr=subprocess.PIPE, check=False
        )
    code, messages = done.returncode, done.stderr.decode()
    assert "Traceback" not in messages
    assert "Broken pipe" not in messages
    return code


def test_a_review_is_saved() -> None:
    assert run("policy", RECORDING, "-o", "todo.toml").exit_code == 0
    assert without_reader("policy", "review", "--all", "--policy", "todo.toml") == 0
    policy = tomllib.loads(Path("todo.toml").read_text("utf-8"))
    kinds = [policy[kind] for kind in ("tools", "resources", "prompts")]
    assert [len(entries) for entries in kinds] == [5, 4, 2]
    assert all("reviewed" in entry for entries in kinds for entry in entries.values())


def test_servers_and_packages_are_written() -> None:
    Path(".mcp.json").write_text('{"mcpServers": {"a": {"command": "x"}}}')
    assert without_reader("import") == 0
    assert "servers.a]" in Path("pyproject.toml").read_text("utf-8")
    words = ["generate", RECORDING, "-o", "out", "--name", "todo", "--format", "json"]
    assert without_reader(*words) == 0
    assert Path("out/todo/manifest.json").is_file()
