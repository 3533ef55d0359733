"""`mcp-bindgen sync`: records, regenerates, shows the difference, goes on after one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from mcp_bindgen.cli import app

from tests.commands import ALPHA, PROGRAM, SCRIPTED


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
    (found,) = json.loads(sync("--check", "--format", "json").stdout)
    assert (found["state"], found["grade"]) == ("changed", "breaking")
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
    watching = subprocess.Popen(
        [*PROGRAM, "sync", "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=dict(os.environ),
    )
    assert watching.stdout is not None
    with watching:
        assert watching.stdout.readline().startswith("server")
        assert watching.stdout.readline().startswith("demo    new")
        settings(demo=[*SCRIPTED, "pages"], other=[*SCRIPTED, "pages"])
        assert watching.stdout.readline().startswith("server")
        assert watching.stdout.readline().startswith("other   new")
        watching.send_signal(signal.SIGINT)
        assert watching.wait() == 130
