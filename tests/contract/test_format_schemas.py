"""Each format is what its readers take: GitLab's, GitHub's and JUnit's own rules."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import jsonschema_rs
import pytest

from tests.contract.changes import CLOSED, recording, tool
from tests.contract.test_command import run

if TYPE_CHECKING:
    from pathlib import Path

# GitLab Docs, Code Quality report format: what an issue must have.
GITLAB: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": [
            *("description", "check_name", "fingerprint", "severity", "location")
        ],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/.]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
# GitHub Docs, Workflow commands: a command is one line, its properties are escaped.
GITHUB = re.compile(
    r"::(error|warning|notice)"
    r"( (file|line|title)=([^%:,\r\n]|%(25|0D|0A|3A|2C))*"
    r"(,(file|line|title)=([^%:,\r\n]|%(25|0D|0A|3A|2C))*)*)?"
    r"::([^%\r\n]|%(25|0D|0A))+"
)
# The schema of the JUnit plugin of Jenkins: element to its attributes and children.
JUNIT: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), {"name"}, {"testsuite"}),
    "testsuite": ({"name", "tests"}, {"failures", "errors"}, {"testcase"}),
    "testcase": ({"name", "classname"}, set(), {"failure", "error"}),
    "failure": (set(), {"message", "type"}, set()),
    "error": (set(), {"message", "type"}, set()),
}
HOSTILE = 'a,b::c%0A\n<x> & "y" ]]> \' \x07'
TEXT = {"type": "string"}
PAIRS: dict[str, tuple[bytes, bytes]] = {
    "same": (recording(tool()), recording(tool())),
    "many": (
        recording(tool({f"p{number}": TEXT for number in range(30)}, **CLOSED)),
        recording(tool({"other": TEXT}, description="new", **CLOSED)),
    ),
    "hostile": (
        recording({**tool({HOSTILE: TEXT}), "name": HOSTILE}),
        recording({**tool({}, **CLOSED), "name": HOSTILE}),
    ),
    "twice": (
        recording(tool({"a": TEXT, "b": TEXT})),
        recording(tool({"a": {"type": "integer"}, "b": {"type": "integer"}})),
    ),
    "part": (recording(tool()), recording(tool(), {"name": "b", "inputSchema": 3})),
    "unread": (b"{", recording(tool())),
}


@pytest.fixture(params=[*PAIRS])
def files(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    monkeypatch.chdir(tmp_path)
    for name, data in zip(("old.json", "new.json"), PAIRS[request.param], strict=True):
        (tmp_path / name).write_bytes(data)
    return str(request.param)


def said(form: str, files: str) -> str:
    done = run("old.json", "new.json", "--all", "--format", form)
    expected = {"same": 0, "part": 2, "unread": 2}
    assert done.exit_code == expected.get(files, 1), done.stderr
    assert ("no changes" in done.stdout) <= (files == "same")
    return done.stdout


def test_gitlab_reads_its_report(files: str) -> None:
    issues = json.loads(said("gitlab", files))
    jsonschema_rs.validate(GITLAB, issues)
    marks = [issue["fingerprint"] for issue in issues]
    assert len({*marks}) == len(marks)
    assert bool(issues) == (files != "same")


def test_github_reads_its_commands(files: str) -> None:
    lines = said("github", files).splitlines()
    assert [line for line in lines if not GITHUB.fullmatch(line)] == []
    assert any(line.startswith("::error") for line in lines) == (files != "same")


def test_readers_of_junit_read_its_report(files: str) -> None:
    root = ET.fromstring(said("junit", files))
    assert root.tag == "testsuites"
    for element in root.iter():
        needed, allowed, children = JUNIT[element.tag]
        assert needed <= {*element.attrib} <= needed | allowed
        assert {child.tag for child in element} <= children
        assert element.get("name") != ""
    for suite in root.iter("testsuite"):
        for key, tag in (("failures", "failure"), ("errors", "error")):
            assert int(suite.get(key, "")) == len([*suite.iter(tag)])
        assert int(suite.get("tests", "")) == len([*suite.iter("testcase")])
    assert bool([*root.iter("testcase")]) == (files != "same")


def test_markdown_and_json_say_what_cannot_be_read(files: str) -> None:
    assert said("markdown", files).strip()
    document = json.loads(said("json", files))
    assert ("problems" in document) == (files in {"part", "unread"})
