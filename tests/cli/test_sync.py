"""`mcp-bindgen sync`: records, regenerates, shows the difference, goes on after one."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from mcp_bindgen.cli import app, screen, watch
from mcp_bindgen.cli.sync_pass import How
from mcp_bindgen.limits import DEFAULT

from tests.commands import ALPHA, BETA, PROGRAM, SCRIPTED

if TYPE_CHECKING:
    from mcp_bindgen.cli.sync_pass import Synced
    from mcp_bindgen.json_reader import JSON


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def settings(**commands: list[str]) -> None:
    tables = (
        f"[tool.mcp-bindgen.servers.{name}]\ncommand = {json.dumps(command)}\n"
        for name, command in commands.items()
    )
    Path("pyproject.toml").write_text("".join(tables), "utf-8")


def sync(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["sync", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_it_records_regenerates_and_shows_what_changed() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    first = sync()
    assert first.exit_code == 1, first.stderr
    assert "demo    new" in first.stdout
    assert "+++" not in first.stdout, "a new package is one line"
    assert Path("recordings/demo.json").is_file()
    again = sync()
    assert (again.exit_code, again.stdout) == (0, "")
    Path("generated/demo/client.py").unlink()
    mended = sync("--offline", "demo", "--diff")
    assert mended.exit_code == 1
    assert "+++ demo/client.py" in mended.stdout
    assert sync("--offline").exit_code == 0


def test_a_server_that_fails_stops_no_other_and_keeps_its_package() -> None:
    settings(bad=["no-such-program-anywhere"], demo=[*SCRIPTED, "pages"])
    Path("recordings").mkdir()
    Path("recordings/bad.json").write_text(json.dumps({"tools": [ALPHA]}), "utf-8")
    result = sync()
    assert result.exit_code == 2
    assert "error: bad: " in result.stderr
    assert Path("generated/demo/manifest.json").is_file()
    assert not Path("generated/bad").exists()
    assert sync("demo").exit_code == 0
    assert sync("--offline", "bad").exit_code == 1


def test_a_change_of_tools_that_are_left_out_is_a_change_of_the_recording() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    project_file = Path("pyproject.toml")
    project_file.write_text(f'{project_file.read_text()}exclude = ["p*"]\n', "utf-8")
    assert sync().exit_code == 1
    assert sync().exit_code == 0
    recording = Path("recordings/demo.json")
    recording.write_text(recording.read_text().replace("pong", "pang"), "utf-8")
    assert sync().exit_code == 1


def test_all_mistakes_in_the_settings_are_reported_before_a_recording() -> None:
    Path("pyproject.toml").write_text(
        f"""
[tool.mcp-bindgen.servers.a]
command = {json.dumps([*SCRIPTED, "pages"])}
targets = ["nope", "./neither"]
[tool.mcp-bindgen.servers.b]
""",
        "utf-8",
    )
    result = sync()
    assert result.exit_code == 2
    lines = [line for line in result.stderr.splitlines() if "hint:" not in line]
    assert lines[0] == 'error: [tool.mcp-bindgen.servers.a]: no target "nope"'
    assert 'neither"' in lines[1]
    assert lines[2].endswith(
        "has no url and no command, and there is no file recordings/b.json"
    )
    assert len(lines) == 3
    assert not Path("recordings").exists()


def test_without_such_a_server_nothing_is_done() -> None:
    assert "the settings name no server" in sync().stderr
    settings(demo=[*SCRIPTED, "pages"])
    result = sync("dmeo", "other")
    assert result.exit_code == 2
    assert "no server 'dmeo'" in result.stderr
    assert "no server 'other'" in result.stderr
    assert not Path("recordings").exists()


def test_check_says_what_would_change_and_writes_nothing() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    assert sync("--check").exit_code == 1
    assert not Path("recordings").exists()
    assert not Path("generated").exists()
    sync()
    assert sync("--check").exit_code == 0
    recording = Path("recordings/demo.json")
    recording.write_text(recording.read_text().replace("pong", "pang"), "utf-8")
    (entry,) = json.loads(sync("--check", "--format", "json").stdout)
    assert (entry["state"], entry["grade"]) == ("changed", "breaking")
    assert "pang" in recording.read_text()


def test_a_changed_tool_is_graded_on_standard_output() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    sync()
    recording = Path("recordings/demo.json")
    recording.write_text(recording.read_text().replace("pong", "pang"), "utf-8")
    result = sync()
    assert result.exit_code == 1
    assert "breaking (major)" in result.stdout
    assert "TOOL_RENAMED" in result.stderr


def test_many_servers_are_recorded_at_once_and_a_silent_one_delays_none() -> None:
    silent = ["python3", "-c", "import time; time.sleep(60)"]
    settings(silent=silent, **{f"s{n}": [*SCRIPTED, "pages"] for n in range(4)})
    result = sync("--timeout", "8", "--jobs", "3")
    assert result.exit_code == 2
    order = [line.split(":")[0] for line in result.stderr.splitlines() if ":" in line]
    assert order.index("error") > order.index("s3"), result.stderr
    assert "1 failed" in result.stderr


def test_watch_syncs_again_when_the_settings_change() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    # Who starts the tests in the background has them ignore the signal.
    heeds = "import signal as s; s.signal(s.SIGINT, s.default_int_handler)"
    watching = subprocess.Popen(
        [sys.executable, "-c", f"{heeds}; {PROGRAM[-1]}", "sync", "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=dict(os.environ),
    )
    assert watching.stdout is not None
    with watching, contextlib.ExitStack() as stack:
        stack.callback(watching.kill)  # A test that fails must not wait for it.
        assert watching.stdout.readline().startswith("server")
        assert watching.stdout.readline().startswith("demo    new")
        settings(demo=[*SCRIPTED, "pages"], other=[*SCRIPTED, "pages"])
        assert watching.stdout.readline().startswith("server")
        assert watching.stdout.readline().startswith("other   new")
        watching.send_signal(signal.SIGINT)
        assert watching.wait(timeout=60) == 130


def test_watch_ends_though_the_interrupt_is_lost_in_a_finaliser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost: list[object] = []

    class Last:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def one_pass(*_: object) -> list[Synced]:
        assert not lost, "it goes on"
        Last()
        return []

    settings(demo=[*SCRIPTED, "pages"])
    monkeypatch.setattr(watch, "sync_all", one_pass)
    monkeypatch.setattr(screen, "progress", str)
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in watch.watched((), How(DEFAULT), 0.01):
                pass
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(lost) == 1


def test_the_version_of_a_package_grows_by_what_changed() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    recording, manifest = Path("recordings/demo.json"), Path("generated/demo")
    recording.parent.mkdir()

    def version(*tools: JSON) -> str:
        recording.write_text(json.dumps({"tools": tools}), "utf-8")
        assert sync("--offline").exit_code == 1
        assert sync("--offline").exit_code == 0
        return str(json.loads((manifest / "manifest.json").read_text())["version"])

    assert version(ALPHA) == "1.0.0"
    assert version(ALPHA, BETA) == "1.1.0"
    worded: JSON = {
        "name": "alpha",
        "description": "new",
        "inputSchema": {"type": "object"},
    }
    assert version(worded, BETA) == "1.1.1"
    assert version(BETA) == "2.0.0"
    done = CliRunner().invoke(app, ["wheel", "generated/demo", "-o", "dist"])
    assert done.stdout.strip() == "dist/demo-2.0.0-py3-none-any.whl"
    assert CliRunner().invoke(app, ["generate", "--check"]).exit_code == 0


def test_the_version_grows_when_generate_comes_before_sync() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    recording = Path("recordings/demo.json")
    recording.parent.mkdir()
    for tools, version in (([ALPHA, BETA], "1.0.0"), ([BETA], "2.0.0")):
        recording.write_text(json.dumps({"tools": tools}), "utf-8")
        assert CliRunner().invoke(app, ["generate"]).exit_code == 0
        assert sync("--offline").exit_code == 0
        assert CliRunner().invoke(app, ["generate", "--check"]).exit_code == 0
        manifest = json.loads(Path("generated/demo/manifest.json").read_text())
        assert manifest["version"] == version
    done = CliRunner().invoke(app, ["wheel", "generated/demo", "-o", "dist"])
    assert done.stdout.strip() == "dist/demo-2.0.0-py3-none-any.whl"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_changelog_may_be_a_pipe() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    recording, pipe = Path("recordings/demo.json"), Path("pipe")
    recording.parent.mkdir()
    os.mkfifo(pipe)
    for tools in ([ALPHA], [ALPHA, BETA]):
        recording.write_text(json.dumps({"tools": tools}), "utf-8")
        with os.fdopen(os.open(pipe, os.O_RDWR | os.O_NONBLOCK), "rb") as reader:
            assert sync("--offline", "--changelog", "pipe").exit_code == 1
            text = reader.read(1 << 16) if tools[1:] else b""
    assert pipe.is_fifo()
    assert b"`beta`: the tool is new." in text


def test_the_changelog_gets_what_changed() -> None:
    settings(demo=[*SCRIPTED, "pages"])
    recording, file = Path("recordings/demo.json"), Path("CHANGES.md")
    recording.parent.mkdir()
    for tools in ([ALPHA], [ALPHA, BETA], [BETA]):
        recording.write_text(json.dumps({"tools": tools}), "utf-8")
        assert sync("--offline", "--changelog", "CHANGES.md").exit_code == 1
    gone = "- **Breaking** (wire+source): demo: `alpha`: the tool is gone."
    assert file.read_text("utf-8").splitlines() == [
        "# Changelog",
        "",
        "## [Unreleased]",
        "",
        "### Added",
        "",
        "- demo: `beta`: the tool is new.",
        "",
        "### Removed",
        "",
        gone,
    ]
    file.write_text("# Changes\n\nAll of them.\n\n## [1.0.0]\n\n- First.\n")
    project_file = Path("pyproject.toml")
    table = '[tool.mcp-bindgen]\nchangelog = "CHANGES.md"\n'
    project_file.write_text(table + project_file.read_text("utf-8"), "utf-8")
    recording.write_text(json.dumps({"tools": [ALPHA, BETA]}), "utf-8")
    assert sync("--offline").exit_code == 1
    assert file.read_text("utf-8").splitlines()[4:] == [
        "## [Unreleased]",
        "",
        "### Added",
        "",
        "- demo: `alpha`: the tool is new.",
        "",
        "## [1.0.0]",
        "",
        "- First.",
    ]
