"""`mcp-bindgen diff` as a user runs it."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

from tests.contract.changes import CLOSED, recording, tool

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

OLD = recording(tool({"owner": {"type": "string"}}, **CLOSED))
NEW = recording(tool(**CLOSED))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "old.json").write_bytes(OLD)
    (tmp_path / "new.json").write_bytes(NEW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, ["diff", *arguments], input=stdin)


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, timeout=60)


@pytest.mark.usefixtures("folder")
def test_a_finding_is_a_line_with_its_witness_below() -> None:
    done = run("old.json", "new.json")
    assert done.exit_code == 1
    said = "the parameter is gone, and the server refuses it"
    assert done.stdout.splitlines() == [
        f"search(owner)  PARAM_REMOVED  wire+source  {said}",
        '    was valid: {"owner": "x"}',
        "1 breaking: major; mcp-bindgen diff --explain PARAM_REMOVED",
    ]


@pytest.mark.usefixtures("folder")
def test_the_report_is_json_for_programs() -> None:
    done = run("old.json", "new.json", "--format", "json")
    report = json.loads(done.stdout)
    grades = {key: report[key] for key in ("wire", "wire_strict", "source", "grade")}
    assert set(grades.values()) == {"breaking"}
    assert report["bump"] == "major"
    [finding] = report["findings"]
    assert finding["rule"] == "PARAM_REMOVED"
    assert finding["pointer"] == "/inputSchema/properties/owner"
    assert finding["symbol"] == "search(owner)"
    assert finding["witness"] == {"owner": "x"}


@pytest.mark.usefixtures("folder")
def test_exit_codes_follow_the_grade_and_the_axis() -> None:
    assert run("old.json", "old.json").exit_code == 0
    assert run("old.json", "old.json").stdout == "no changes\n"
    assert run("new.json", "old.json").exit_code == 0
    assert run("new.json", "old.json", "--fail-on", "compatible").exit_code == 1
    assert run("old.json", "new.json", "--axis", "source").exit_code == 1


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_cannot_be_read_is_never_no_change(folder: Path, form: str) -> None:
    broken = {"name": "broken", "inputSchema": 3}
    (folder / "part.json").write_bytes(recording(broken))
    done = run("part.json", "part.json", "--format", form)
    assert done.exit_code == 2
    assert "no changes" not in done.stdout
    assert "problems" in done.stdout
    assert '"none"' not in done.stdout
    missing = run("none.json", "old.json", "--format", form)
    assert missing.exit_code == 2
    assert "old.json" not in missing.stdout + missing.stderr
    if form == "text":
        assert missing.stdout == ""
    else:
        document = json.loads(missing.stdout)
        assert [*document] == ["problems"]
        assert "none.json" in document["problems"][0]["message"]


@pytest.mark.usefixtures("folder")
def test_a_changelog_is_on_standard_output_whatever_the_format() -> None:
    done = run("old.json", "new.json", "--changelog", "--format", "json")
    assert done.stdout == run("old.json", "new.json", "--changelog").stdout
    assert "search" in done.stdout
    assert run("none.json", "new.json", "--changelog", "--format", "json").stdout == ""


@pytest.mark.usefixtures("folder")
def test_one_side_may_come_from_standard_input() -> None:
    assert run("old.json", "-", stdin=NEW).exit_code == 1
    assert run("-", "-", stdin=NEW).exit_code == 2


def test_a_side_may_be_a_revision_of_git(folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "old.json")
    git(folder, "commit", "-qm", "recorded")
    assert run("git:HEAD:old.json", "new.json").exit_code == 1
    assert run("git:HEAD:none.json", "new.json").exit_code == 2
    assert run("git:none:old.json", "new.json").exit_code == 2
    assert run("git:--help:old.json", "new.json").exit_code == 2


def test_without_arguments_each_server_is_compared_with_the_last_commit(
    folder: Path,
) -> None:
    settings = '[tool.mcp-bindgen.servers.a]\nrecording = "a.json"\n'
    (folder / "pyproject.toml").write_text(settings)
    (folder / "a.json").write_bytes(OLD)
    assert run().exit_code == 2  # no repository
    git(folder, "init", "-q")
    git(folder, "add", "pyproject.toml")
    git(folder, "commit", "-qm", "settings")
    assert "TOOL_ADDED" in run().stdout  # no recording in the last commit
    git(folder, "add", "a.json")
    git(folder, "commit", "-qm", "recorded")
    assert run().stdout == "no changes\n"
    (folder / "a.json").write_bytes(NEW)
    assert run().exit_code == 1


def test_a_rule_is_explained() -> None:
    assert "why: " in run("--explain", "param_removed").stdout
    assert run("--explain", "PARAM_REMOVD").exit_code == 2


@pytest.mark.usefixtures("folder")
def test_texts_of_a_server_reach_no_terminal() -> None:
    hostile = {**tool(), "name": "a\x1b[2Jb\nc"}
    done = run("-", "new.json", stdin=recording(hostile))
    assert "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == 3


BROKEN = tool({"count": {"type": "integer", "minimum": "0"}})


@pytest.mark.parametrize("grade", ["breaking", "compatible"])
def test_a_tool_that_cannot_be_compared_has_the_grade_of_what_is_unsure(
    folder: Path, grade: str
) -> None:
    """Nobody knows its types, so `--unsure` decides on both axes; the exit is 2."""
    (folder / "old.json").write_bytes(recording(BROKEN))
    (folder / "new.json").write_bytes(recording(tool({"count": {"type": "integer"}})))
    ran = run("old.json", "new.json", "--unsure", grade, "--format", "json")
    said = json.loads(ran.stdout)
    assert {said[axis] for axis in ("wire", "wire_strict", "source")} == {grade}
    assert said["findings"][0]["rule"] == "TOOL_NOT_COMPARED"
    assert ran.exit_code == 2


def test_breaking_findings_come_before_undecided_ones(folder: Path) -> None:
    (folder / "old.json").write_bytes(recording(BROKEN, {**tool(), "name": "zoo"}))
    new = tool({"count": {"type": "integer"}})
    (folder / "new.json").write_bytes(recording(new))
    ran = run("old.json", "new.json", "--unsure", "compatible", "--format", "json")
    rules = [finding["rule"] for finding in json.loads(ran.stdout)["findings"]]
    assert rules == ["TOOL_REMOVED", "TOOL_NOT_COMPARED"]
