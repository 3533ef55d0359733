"""A server that lists no tools any more: its recording is not lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import SCRIPTED, run

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize("name", ["x.json", "-"])
def test_a_server_without_tools_replaces_no_recording_that_has_some(name: str) -> None:
    assert run("record", "-o", "x.json", "--", *SCRIPTED, "pages").exit_code == 0
    before = Path("x.json").read_bytes()
    result = run("record", "-o", name, "--", *SCRIPTED, "no-tools")
    if name == "-":  # There is no recording that it could replace.
        assert result.exit_code == 0
        return
    assert result.exit_code == 2
    assert (
        "x.json would be empty: it has 2 tools, the server lists none" in result.stderr
    )
    assert "hint: look at the server, or pass --allow-empty" in result.stderr
    assert Path("x.json").read_bytes() == before
    result = run("record", "-o", "x.json", "--allow-empty", "--", *SCRIPTED, "no-tools")
    assert result.exit_code == 0
    assert json.loads(Path("x.json").read_text())["tools"] == []
    # A recording without tools may be replaced.
    result = run("record", "-o", "x.json", "--", *SCRIPTED, "no-tools")
    assert result.exit_code == 0


def settings(mode: str) -> None:
    command = json.dumps([*SCRIPTED, mode])
    text = f"[tool.mcp-bindgen.servers.demo]\ncommand = {command}\n"
    Path("pyproject.toml").write_text(text, "utf-8")


def test_sync_leaves_the_recording_and_the_package_as_they_were() -> None:
    settings("pages")
    assert run("sync").exit_code == 1
    recording = Path("recordings/demo.json")
    before = recording.read_bytes()
    settings("no-tools")
    assert run("sync", "--check").exit_code == 1
    result = run("sync")
    assert result.exit_code == 2
    assert "demo: recordings/demo.json would be empty: it has 2 tools" in result.stderr
    assert recording.read_bytes() == before
    assert run("sync", "--offline").exit_code == 0, "the package is as it was"
    assert run("sync", "--allow-empty").exit_code == 1
    assert json.loads(recording.read_text("utf-8"))["tools"] == []
