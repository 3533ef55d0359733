"""`mcp-bindgen sync`: records, regenerates, shows the difference, goes on after one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from mcp_bindgen.cli import app

from tests.commands import ALPHA, SCRIPTED


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
    assert "+++ demo/tools/pong" in first.stdout
    assert Path("recordings/demo.json").is_file()
    again = sync()
    assert (again.exit_code, again.stdout) == (0, "")
    Path("generated/demo/client.py").unlink()
    mended = sync("--offline", "demo")
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
