"""`sync` grades what changes in a package, wherever its recording comes from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import SCRIPTED, run

pytestmark = pytest.mark.usefixtures("folder")


def settings(mode: str) -> None:
    command = json.dumps([*SCRIPTED, mode])
    text = f"[tool.mcp-bindgen.servers.demo]\ncommand = {command}\n"
    Path("pyproject.toml").write_text(text, "utf-8")


def test_a_package_of_an_older_recording_is_graded_as_well() -> None:
    settings("pages")
    run("sync")
    recording = Path("recordings/demo.json")
    now = recording.read_text("utf-8")
    recording.write_text(now.replace("pong", "pang"), "utf-8")
    graded = [run("sync", "--offline")]
    recording.write_text(now, "utf-8")  # as `record` would
    graded.append(run("sync"))
    for result in graded:
        assert "breaking (major)" in result.stdout
        assert result.stderr.count("TOOL_RENAMED") == 2, "a line, and what to do"
    recording.write_text(now.replace("pong", "pang"), "utf-8")
    run("sync", "--offline")
    assert run("sync").stderr.count("TOOL_RENAMED") == 2, "not for the package, too"
    assert run("sync").stdout == ""
