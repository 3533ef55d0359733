"""The formats of a report: for pull requests, GitHub, GitLab and JUnit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from mcp_bindgen.contract.as_text import as_text
from mcp_bindgen.contract.lines import line_of
from mcp_bindgen.contract.summary import Compared, compared, total

from tests.contract.changes import CLOSED, only, recording, tool
from tests.contract.test_command import git, run

if TYPE_CHECKING:
    from pathlib import Path

OLD = recording(tool({"owner": {"type": "string"}}, **CLOSED))
NEW = json.dumps(json.loads(recording(tool({"size": {}}, **CLOSED))), indent=1).encode()
HOSTILE = "x::error::%0A\n| ` </failure> *b* \x1b[2J"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "old.json").write_bytes(OLD)
    (tmp_path / "new.json").write_bytes(NEW)
    (tmp_path / "hostile.json").write_bytes(recording({**tool(), "name": HOSTILE}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def one() -> Compared:
    return compared("", "new.json", OLD, NEW)


def test_a_finding_has_the_line_of_its_recording() -> None:
    server = one()
    lines = NEW.decode().splitlines()
    lines_of_rules = {
        c.rule: lines[line_of(server, c) - 1].strip() for c in server.report.changes
    }
    assert lines_of_rules == {
        "PARAM_REMOVED": '"properties": {',
        "PARAM_ADDED_OPTIONAL": '"size": {}',
    }


def test_github_gets_commands_and_a_summary(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    lines = run("old.json", "new.json", "--format", "github").stdout.splitlines()
    assert lines[0].startswith(
        "::error file=new.json,line=7,title=PARAM_REMOVED search("
    )
    assert lines[1].startswith("::warning file=new.json,line=8,")
    assert lines[2].startswith("::notice title=mcp-bindgen diff::1 breaking, 1 compat")
    assert "| `search(owner)` | PARAM_REMOVED |" in (folder / "summary.md").read_text()


def test_annotations_of_a_commit_name_its_file(folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "add", "new.json")
    git(folder, "commit", "-qm", "recorded")
    sides = ("old.json", "git:HEAD:new.json", "--format")
    assert "::error file=new.json,line=7," in run(*sides, "github").stdout
    issues = json.loads(run(*sides, "gitlab").stdout)
    assert {issue["location"]["path"] for issue in issues} == {"new.json"}


def test_github_keeps_nine_and_counts_the_rest(folder: Path) -> None:
    many = {f"p{number}": {"type": "string"} for number in range(30)}
    (folder / "old.json").write_bytes(recording(tool(many, **CLOSED)))
    lines = run("old.json", "new.json", "--format", "github").stdout.splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 10
    assert "and 21 more breaking findings" in errors[-1]


@pytest.mark.parametrize(("problems", "annotations"), [(0, 10), (3, 10), (30, 10)])
def test_github_keeps_ten_of_each_kind(
    folder: Path, problems: int, annotations: int
) -> None:
    text = {f"p{number}": {"type": "string"} for number in range(30)}
    worded = {name: {**each, "title": "x"} for name, each in text.items()}
    added = {f"{name}_new": each for name, each in text.items()}
    broken = [{"name": f"b{n}", "inputSchema": 3} for n in range(problems)]
    old = [{**tool(text), "name": "a"}, {**tool(text, **CLOSED), "name": "b"}]
    new = [{**tool(worded | added), "name": "a"}, {**tool(**CLOSED), "name": "b"}]
    (folder / "a.json").write_bytes(recording(*old))
    (folder / "b.json").write_bytes(recording(*new, *broken))
    done = run("a.json", "b.json", "--format", "github", "--all")
    assert done.exit_code == (2 if problems else 1)
    lines = done.stdout.splitlines()
    for kind in ("error", "warning", "notice"):
        assert sum(line.startswith(f"::{kind} ") for line in lines) == annotations
    assert sum("title=not compared" in line for line in lines) == min(problems, 9)
    rest = [line for line in lines if " more " in line]
    assert f"and {21 + min(problems, 9)} more breaking findings" in rest[0]


@pytest.mark.usefixtures("folder")
def test_a_hostile_name_breaks_no_format() -> None:
    for form in ("text", "json", "markdown", "github", "gitlab", "junit"):
        done = run("hostile.json", "new.json", "--format", form)
        assert done.exit_code == 1, done.stderr
        assert "\x1b" not in done.stdout
    github = run("hostile.json", "new.json", "--format", "github").stdout
    assert all(line.startswith("::") for line in github.splitlines())
    assert sum(line.startswith("::error") for line in github.splitlines()) == 1
    ET.fromstring(run("hostile.json", "new.json", "--format", "junit").stdout)
    rows = run("hostile.json", "new.json", "--format", "markdown").stdout.splitlines()
    [row] = [row for row in rows if "TOOL_REMOVED |" in row]
    assert row.replace("\\|", "").count("|") == 5


@pytest.mark.usefixtures("folder")
def test_gitlab_and_junit_have_an_entry_for_each_finding() -> None:
    issues = json.loads(run("old.json", "new.json", "--format", "gitlab").stdout)
    assert [issue["severity"] for issue in issues] == ["major", "minor"]
    assert issues[1]["location"] == {"path": "new.json", "lines": {"begin": 8}}
    suites = ET.fromstring(run("old.json", "new.json", "--format", "junit").stdout)
    assert [case.get("classname") for case in suites.iter("testcase")] == [
        "PARAM_REMOVED",
        "PARAM_ADDED_OPTIONAL",
    ]
    assert len([*suites.iter("failure")]) == 1


@pytest.mark.parametrize("form", ["markdown", "github", "gitlab", "junit"])
def test_a_problem_is_in_every_format(folder: Path, form: str) -> None:
    (folder / "part.json").write_bytes(recording({"name": "a", "inputSchema": 3}))
    done = run("part.json", "part.json", "--format", form)
    assert done.exit_code == 2
    assert "no changes" not in done.stdout
    assert "expected an object" in done.stdout.replace("\\", "")


def test_a_finding_is_accepted_with_a_reason(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.mcp-bindgen]  # ours\n")
    report = json.loads(run("old.json", "new.json", "--format", "json").stdout)
    fingerprint = report["findings"][0]["fingerprint"]
    done = run("old.json", "new.json", "--accept", fingerprint, "--reason", "unused")
    assert done.exit_code == 0, done.stderr
    settings = (folder / "pyproject.toml").read_text()
    assert "# ours" in settings
    assert f'fingerprint = "{fingerprint}", reason = "unused"' in settings
    done = run("old.json", "new.json")
    assert done.exit_code == 0
    assert done.stdout.endswith("1 compatible, 1 accepted: minor\n")
    assert "covers no finding" in run("old.json", "old.json").stderr
    assert run("old.json", "new.json", "--accept", "0" * 12).exit_code == 2
    assert run("old.json", "new.json", "--accept", "x", "--reason", "y").exit_code == 2


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ('{ rule = "PARAM_REMOVED", tool = "sea*", reason = "unused" }', 0),
        ('{ rule = "PARAM_REMOVED", tool = "other", reason = "unused" }', 1),
        ('{ rule = "PARAM_REMOVD", reason = "unused" }', 2),
        ('{ rule = "PARAM_REMOVED" }', 2),
        ('{ rule = "PARAM_REMOVED", reason = "x", line = "3" }', 2),
        ("3", 2),
    ],
)
def test_findings_are_accepted_by_rule_and_tool(
    folder: Path, entry: str, code: int
) -> None:
    text = f"[tool.mcp-bindgen.diff]\naccept = [{entry}]\n"
    (folder / "pyproject.toml").write_text(text)
    assert run("old.json", "new.json").exit_code == code


def test_a_fingerprint_knows_no_position() -> None:
    other = {**tool({"x": {"type": "integer"}}), "name": "a"}
    before, after = json.loads(OLD)["tools"], json.loads(NEW)["tools"]
    shuffled = compared("", "", recording(*before, other), recording(other, *after))
    assert {c.fingerprint for c in shuffled.report.changes} == {
        c.fingerprint for c in one().report.changes
    }


def test_many_resources_of_one_rule_are_counted() -> None:
    listed = [{"name": f"r{n}", "uri": f"test://r/{n}"} for n in range(100)]
    gone = compared("", "", recording(resources=listed), recording())
    spans = as_text([gone], total([gone]), everything=False)
    lines = ["".join(span.text for span in line) for line in spans]
    assert len(lines) == 3
    assert lines[1] == "    and 99 more of RESOURCE_REMOVED (--all)"
    assert lines[2].startswith("100 breaking: major")


def test_the_support_of_tasks_is_printed_as_it_is_written() -> None:
    old, forbidden = tool(), {**tool(), "execution": {"taskSupport": "forbidden"}}
    change = only(old, forbidden)
    assert change.rule == "TOOL_EXECUTION_CHANGED"
    assert change.message.endswith("changed from nothing to forbidden")
    needed = {**tool(), "execution": {"taskSupport": "required"}}
    assert only(old, needed).rule == "TOOL_TASK_NOW_REQUIRED"


@pytest.mark.parametrize("form", ["markdown", "github", "text"])
def test_a_fault_of_the_old_recording_says_so(folder: Path, form: str) -> None:
    (folder / "old.json").write_text('{"tools": [5]}')
    (folder / "new.json").write_text('{"tools": []}')
    ran = run("old.json", "new.json", "--format", form)
    assert ran.exit_code == 2
    assert "in the old recording at /tools/0" in ran.stderr
    assert "not all was compared" in ran.stdout
    assert "none" not in ran.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("old.json", "bad.json", "bad.json: line 1, column 12: not JSON"),
        ("bad.json", "new.json", "bad.json: in the old recording: line 1, column 12"),
    ],
)
def test_a_recording_that_cannot_be_read_is_named(
    folder: Path, old: str, new: str, message: str
) -> None:
    (folder / "bad.json").write_text('{"tools": [')
    for form in ("text", "json"):
        done = run(old, new, "--format", form)
        assert done.exit_code == 2
        assert message in done.output


def test_a_recording_of_the_settings_that_cannot_be_read_is_named(folder: Path) -> None:
    git(folder, "init", "-q")
    (folder / "pyproject.toml").write_text(
        "[tool.mcp-bindgen.servers.one]\nrecording = 'new.json'\n"
        "[tool.mcp-bindgen.servers.two]\nrecording = 'old.json'\n"
    )
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "x")
    (folder / "old.json").write_text("{")
    done = run()
    assert done.exit_code == 2
    assert "error: old.json: line 1, column 2: not JSON" in done.stderr
    (folder / "pyproject.toml").write_text("[tool.mcp-bindgen]\nno-such = 1\n")
    done = run("--format", "github")
    assert done.exit_code == 2
    assert "::error title=not compared::" in done.stdout


@pytest.mark.parametrize("form", ["github", "gitlab", "junit"])
def test_the_name_of_a_file_is_no_terminal_sequence(folder: Path, form: str) -> None:
    name = "new\x1b[31m\u202e.json"
    (folder / name).write_bytes(NEW)
    ran = run("old.json", name, "--format", form)
    assert ran.exit_code == 1
    said = ran.stdout
    if form == "gitlab":
        said = "".join(each["location"]["path"] for each in json.loads(said))
    assert said
    assert not {"\x1b", "\u202e"} & {*said}
