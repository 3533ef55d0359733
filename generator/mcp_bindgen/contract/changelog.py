"""A section of a changelog for a report, in the form of Keep a Changelog."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_bindgen.contract.as_markdown import code
from mcp_bindgen.contract.as_text import axes, title
from mcp_bindgen.hidden import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Bump, Change
    from mcp_bindgen.contract.summary import Compared, Total

__all__ = ["as_changelog", "bumped", "with_changes"]

_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")

# A value of an enum that is added or removed is none: its parameter changed.
_PART = re.compile(r"(?:PROMPT_ARGUMENT|RESOURCE_TEMPLATE|[A-Z]+)_(ADDED|REMOVED)")

_UNRELEASED = re.compile(r"## +\[?unreleased\b", re.IGNORECASE)


def bumped(version: str, bump: Bump) -> str:
    """Return the next version of a package.

    Example: `bumped("1.2.3", "minor") == "1.3.0"`.

    Args:
        version: The version now, as `1.2.3`; any other counts as `0.0.0`.
        bump: The part that grows; before 1.0.0 as after it.
    """
    match = _VERSION.fullmatch(version)
    major, minor, patch = map(int, match.groups()) if match else (0, 0, 0)
    if bump == "major":
        return f"{major + 1}.0.0"
    if bump == "minor":
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}" if bump == "patch" else version


def as_changelog(servers: Sequence[Compared], total: Total) -> str:
    """Return a section that is ready to commit.

    Args:
        servers: The comparisons.
        total: Their grades together; the first line says the bump.
    """
    sections = _sections(servers)
    bump = f"The next release is {total.bump}." if sections else "Nothing changed."
    if any(each.report.problems for each in servers):
        bump = "Not all was compared."
    lines = ["## [Unreleased]", "", bump, ""]
    for heading, listed in sections.items():
        lines += [f"### {heading}", "", *listed, ""]
    for each in servers:
        lines += [
            f"- Not compared: {_words(': '.join(filter(None, (p.pointer, p.message))))}"
            for p in each.report.problems
        ]
    return "\n".join(lines).rstrip()


def with_changes(text: str, servers: Sequence[Compared]) -> str:
    """Return a changelog whose section "Unreleased" lists more changes.

    A missing section is made; existing entries stay as they are.

    Args:
        text: The changelog, in the form of Keep a Changelog; it may be empty.
        servers: The comparisons.
    """
    lines = text.rstrip("\n").split("\n") if text else ["# Changelog"]
    tops = [n for n, line in enumerate(lines) if line.startswith("## ")]
    if not any(_UNRELEASED.match(lines[n]) for n in tops):
        first = tops[0] if tops else len(lines)
        lines[first:first] = ["", "## [Unreleased]", ""][not lines[first - 1].strip() :]
    tops = [n for n, line in enumerate(lines) if line.startswith("## ")]
    begin = next(n for n in tops if _UNRELEASED.match(lines[n]))
    end = next((n for n in tops if n > begin), len(lines))
    while not lines[end - 1].strip():
        end -= 1
    body = lines[begin + 1 : end]
    for heading, listed in _sections(servers).items():
        body = _with_entries(body, f"### {heading}", listed)
    return "\n".join([*lines[: begin + 1], *body, *lines[end:]]).rstrip() + "\n"


def _with_entries(body: list[str], heading: str, entries: Sequence[str]) -> list[str]:
    """Return a section with more entries under a heading, each once."""
    new = [entry for entry in entries if entry not in body]
    if heading not in body:
        return [*body, "", heading, "", *new] if new else body
    at = body.index(heading) + 1
    end = next((n for n in range(at, len(body)) if body[n].startswith("#")), len(body))
    while not body[end - 1].strip() and end > at + 1:
        end -= 1
    return [*body[:end], *new, *body[end:]]


def _sections(servers: Sequence[Compared]) -> dict[str, list[str]]:
    """Return the lines of each heading that has some."""
    sections: dict[str, list[str]] = {"Added": [], "Changed": [], "Removed": []}
    for each in servers:
        changes = each.report.changes
        listed = [change for change in changes if not _is_text(change)]
        for change in listed:
            sections[_heading(change)].append(_line(each, change))
        if texts := len(changes) - len(listed):
            name = f"{each.name}: " if each.name else ""
            noun = "text" if texts == 1 else "texts"
            line = f"- {name}{texts:,} {noun} of the server changed."
            sections.setdefault("Documentation", []).append(line)
    return {heading: listed for heading, listed in sections.items() if listed}


def _is_text(change: Change) -> bool:
    """Return whether a change is one of words; a new prompt or resource is not."""
    return change.grade == "text" and not change.rule.endswith("_ADDED")


def _heading(change: Change) -> str:
    part = _PART.match(change.rule)
    return part[1].capitalize() if part else "Changed"


def _line(server: Compared, change: Change) -> str:
    broken = f"**Breaking** ({axes(change)}): " if change.grade == "breaking" else ""
    name = f"{server.name}: " if server.name else ""
    return f"- {broken}{name}{code(title(change))}: {_words(change.message)}."


def _words(text: str) -> str:
    """Return a message as one line of Markdown; any repeated value is safe."""
    return re.sub(r"([\\`*_\[\]<>&])", r"\\\1", show(text).replace("\n", " "))
