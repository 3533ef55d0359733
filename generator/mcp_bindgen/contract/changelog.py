"""A section of a changelog for a report, in the form of Keep a Changelog."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_bindgen.contract.as_markdown import code
from mcp_bindgen.contract.as_text import axes, title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Bump, Change
    from mcp_bindgen.contract.summary import Compared, Total

__all__ = ["as_changelog", "bumped"]

_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")


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
    lines = ["## [Unreleased]", "", f"The next release is {total.bump}.", ""]
    changes = [(each, change) for each in servers for change in each.report.changes]
    for heading in ("Added", "Changed", "Removed"):
        listed = [
            _line(each, change)
            for each, change in changes
            if change.grade != "text" and _heading(change) == heading
        ]
        if listed:
            lines += [f"### {heading}", "", *listed, ""]
    texts = sum(change.grade == "text" for _, change in changes)
    if texts:
        lines += [
            "### Documentation",
            "",
            f"- {texts:,} texts of the server changed.",
            "",
        ]
    if not changes:
        lines[2] = "Nothing changed."
    for each in servers:
        lines += [f"- Not compared: {p.message}" for p in each.report.problems]
    return "\n".join(lines).rstrip()


def _heading(change: Change) -> str:
    words = change.rule.split("_")
    if words[1:2] == ["ADDED"] or words[-2:-1] == ["ADDED"]:
        return "Added"
    is_removal = words[1:2] == ["REMOVED"]
    return "Removed" if is_removal else "Changed"


def _line(server: Compared, change: Change) -> str:
    broken = f"**Breaking** ({axes(change)}): " if change.grade == "breaking" else ""
    name = f"{server.name}: " if server.name else ""
    return f"- {broken}{name}{code(title(change))}: {_words(change.message)}."


def _words(text: str) -> str:
    """Return a message as one line of Markdown, whatever values it repeats."""
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", text.replace("\n", " "))
