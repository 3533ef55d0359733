"""A report as text that a person reads in a minute."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.summary import last_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.contract.summary import Compared, Total

__all__ = ["Span", "as_text", "axes", "title", "witness_text"]

_WITNESS = 200  # characters
_REPEATED = 8  # findings of one rule in one tool, before they are counted only


class Span(NamedTuple):
    """A piece of a line, and the colour that it has on a terminal."""

    text: str
    colour: str = ""


_COLOURS = {"breaking": "red", "compatible": "yellow", "text": ""}


def as_text(
    compared: Sequence[Compared],
    total: Total,
    *,
    everything: bool,
    more: str = "--all",
) -> Iterator[list[Span]]:
    """Yield the lines of a report: by server and tool, breaking ones first.

    Args:
        compared: The comparisons.
        total: Their grades together.
        everything: Whether findings of the grade `text`, and many of one rule, are
            shown one by one.
        more: The words of a command that shows them.
    """
    for each in compared:
        listed = [c for c in each.report.changes if everything or c.grade != "text"]
        if each.name and listed:
            yield [Span(f"{each.name}:", "bold")]
        groups: dict[tuple[str, str], list[Change]] = {}
        for change in listed:
            groups.setdefault(_group(change), []).append(change)
        for changes in groups.values():
            yield from _tool(changes, "" if everything else more)
    end = last_line(compared, total, "" if everything else more)
    yield [Span(end, "bold")]


def _tool(changes: Sequence[Change], more: str) -> Iterator[list[Span]]:
    for rule, same in groupby(sorted(changes, key=_order), key=lambda c: c.rule):
        listed = [*same]
        many = len(listed) > _REPEATED and more
        for change in listed[: 1 if many else None]:
            yield from _change(change)
            if not more:
                yield [Span(f"    fingerprint: {change.fingerprint}")]
        if many:
            where = " in this tool" if _group(listed[0])[1] else ""
            rest = f"    and {len(listed) - 1} more of {rule}{where} ({more})"
            yield [Span(rest)]


def _group(change: Change) -> tuple[str, str]:
    """Return the key that groups findings: their tool, or resources, or prompts."""
    noun = change.rule.partition("_")[0]
    return (noun, "") if noun in {"RESOURCE", "PROMPT"} else ("", change.tool)


def _order(change: Change) -> tuple[int, str, str]:
    grades = ("breaking", "compatible", "text", "none")
    return grades.index(change.grade), change.rule, change.path


def _change(change: Change) -> Iterator[list[Span]]:
    colour = _COLOURS.get(change.grade, "")
    unsure = "; cannot be decided" if change.unsure else ""
    yield [
        Span(title(change), "bold"),
        Span(f"  {change.rule}  ", colour),
        Span(axes(change), colour),
        Span(f"  {change.message}{unsure}"),
    ]
    if change.witness is not ABSENT:
        word = "may come" if change.path.startswith("out") else "was valid"
        yield [Span(f"    {word}: {witness_text(change)}")]


def title(change: Change) -> str:
    """Return the subject of a finding: `search(owner)`, with the names of the wire."""
    side, _, path = change.path.partition("/")
    inner = path.replace("/[]", "[]").replace("/", ".")
    if side == "in":
        return f"{change.tool}({inner})"
    if side == "out":
        return f"{change.tool}() -> {inner or 'result'}"
    parts = change.tool or "server", side, inner
    return ".".join(part for part in parts if part)


def axes(change: Change) -> str:
    """Return the axes that a finding is about, or its grade where it breaks none."""
    graded = (("wire", change.wire), ("source", change.source))
    broken = [axis for axis, grade in graded if grade == "breaking"]
    return "+".join(broken) or change.grade


def witness_text(change: Change) -> str:
    """Return the witness of a finding as short JSON."""
    text = json.dumps(change.witness, ensure_ascii=False)
    return text if len(text) <= _WITNESS else f"{text[: _WITNESS - 3]}..."
