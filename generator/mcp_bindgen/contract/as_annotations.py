"""A report for the machines of CI: GitHub's commands, GitLab's code quality, JUnit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from mcp_bindgen.contract.as_text import title, witness_text
from mcp_bindgen.contract.lines import line_of
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.summary import last_line
from mcp_bindgen.hidden import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.contract.summary import Compared, Total
    from mcp_bindgen.errors import Problem

__all__ = ["as_github", "as_gitlab", "as_junit"]

_MOST = 9  # GitHub keeps 10 of each kind
_SEVERITY = {"breaking": "major", "compatible": "minor", "text": "info", "none": "info"}


def as_github(servers: Sequence[Compared], total: Total, *, everything: bool) -> str:
    """Return a report as commands of GitHub Actions: one error or warning a finding.

    Source: GitHub Docs, Workflow commands for GitHub Actions.

    Args:
        servers: The comparisons.
        total: Their grades together.
        everything: Whether findings of the grade `text` are notices.
    """
    lines = [_problem(each, p) for each in servers for p in each.report.problems]
    if len(lines) > _MOST:
        more = f"{len(lines) - _MOST + 1} other problems: see the summary"
        lines[_MOST - 1 :] = [f"::error title=not compared::{more}"]
    # Of the notices, the last line is one.
    kinds = [
        ("error", "breaking", _MOST - len(lines)),
        ("warning", "compatible", _MOST),
    ]
    kinds += [("notice", "text", _MOST - 1)] if everything else []
    for kind, grade, most in kinds:
        listed = [
            (each, change)
            for each in servers
            for change in each.report.changes
            if change.grade == grade
        ]
        lines += [_command(kind, *pair) for pair in listed[:most]]
        if len(listed) > most:
            more = f"and {len(listed) - most} more {grade} findings"
            lines.append(f"::{kind} title=mcp-bindgen diff::{more}: see the summary")
    end = _data(last_line(servers, total, "" if everything else "--all"))
    return "\n".join([*lines, f"::notice title=mcp-bindgen diff::{end}"])


def _file(server: Compared) -> str:
    """Return the path of the new recording, also where a commit has it."""
    label = server.label
    path = label.split(":", 2)[2] if label.startswith("git:") else label
    return path.removeprefix("./")


def _problem(server: Compared, problem: Problem) -> str:
    file, text = _property(_file(server)), _data(problem.message)
    # Problems of the settings are in no recording.
    return f"::error {f'file={file},' if file else ''}title=not compared::{text}"


def _command(kind: str, server: Compared, change: Change) -> str:
    file = _property(_file(server))
    line = line_of(server, change)
    name = _property(f"{change.rule} {title(change)}")
    text = _data(_sentence(change))
    return f"::{kind} file={file},line={line},title={name}::{text}"


def _sentence(change: Change) -> str:
    unsure = "; cannot be decided" if change.unsure else ""
    witness = ""
    if change.witness is not ABSENT:
        witness = f" (was valid: {witness_text(change)})"
    return f"{change.message}{unsure}{witness}"


def _data(text: str) -> str:
    """Return a text as the message of a command, on one line."""
    clean = show(text)
    for character, escape in (("%", "%25"), ("\r", "%0D"), ("\n", "%0A")):
        clean = clean.replace(character, escape)
    return clean


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_gitlab(servers: Sequence[Compared], total: Total, *, everything: bool) -> str:
    """Return a report as GitLab's code quality: a JSON list of issues.

    Source: GitLab Docs, Code Quality report format.

    Args:
        servers: The comparisons.
        total: Their grades together.
        everything: Whether findings of the grade `text` are issues.
    """
    del total
    issues = [
        {
            **_issue(change.rule, f"{title(change)}: {_sentence(change)}"),
            "fingerprint": f"{each.name}{change.fingerprint}",
            "severity": _SEVERITY[change.grade],
            "location": _location(each, line_of(each, change)),
        }
        for each in servers
        for change in each.report.changes
        if everything or change.grade != "text"
    ]
    issues += [
        {
            **_issue("NOT_COMPARED", problem.message),
            "fingerprint": f"{each.name}not-compared{problem.pointer}{problem.message}",
            "severity": "critical",
            "location": _location(each, 1),
        }
        for each in servers
        for problem in each.report.problems
    ]
    return json.dumps(issues, indent=2, ensure_ascii=True)


def _issue(rule: str, text: str) -> dict[str, object]:
    return {"type": "issue", "check_name": rule, "description": show(text)}


def _location(server: Compared, line: int) -> dict[str, object]:
    return {"path": show(_file(server)), "lines": {"begin": line}}


def as_junit(servers: Sequence[Compared], total: Total, *, everything: bool) -> str:
    """Return a report as JUnit: one test for each finding, failed where it breaks.

    Args:
        servers: The comparisons.
        total: Their grades together.
        everything: Whether findings of the grade `text` are tests.
    """
    suites = Element("testsuites", name="mcp-bindgen diff")
    for each in servers:
        changes = [c for c in each.report.changes if everything or c.grade != "text"]
        failures = sum(change.grade == "breaking" for change in changes)
        problems = each.report.problems
        suite = SubElement(
            suites,
            "testsuite",
            name=_xml(each.name or each.label),
            tests=str(len(changes) + len(problems)),
            failures=str(failures),
            errors=str(len(problems)),
        )
        for change in changes:
            names = {"classname": change.rule, "name": _xml(title(change))}
            case = SubElement(suite, "testcase", names)
            if change.grade == "breaking":
                text = _xml(_sentence(change))
                SubElement(case, "failure", type=change.rule, message=text)
        for problem in problems:
            names = {"classname": "NOT_COMPARED", "name": _xml(problem.pointer) or "/"}
            case = SubElement(suite, "testcase", names)
            SubElement(case, "error", message=_xml(problem.message))
    del total
    indent(suites)
    return tostring(suites, encoding="unicode")


def _xml(text: str) -> str:
    """Return a text that XML can hold: it has no way to write control characters."""
    return show(text).replace("\n", " ")
