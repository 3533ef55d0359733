"""A report as Markdown: for a pull request, a wiki, or the summary of a job."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from mcp_bindgen.contract.as_text import axes, title
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.summary import last_line
from mcp_bindgen.hidden import show

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.contract.summary import Compared, Total

__all__ = ["as_markdown", "code"]

_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~&@:-])")
_WITNESS = 300  # characters


def as_markdown(servers: Sequence[Compared], total: Total, *, everything: bool) -> str:
    """Return a report as Markdown.

    Args:
        servers: The comparisons.
        total: Their grades together.
        everything: Whether findings of the grade `text` are shown.
    """
    end = last_line(servers, total, "" if everything else "--all")
    lines = [f"**{_words(end)}**", ""]
    for each in servers:
        changes = [c for c in each.report.changes if everything or c.grade != "text"]
        if each.name and changes:
            lines += [f"## {_words(each.name)}", ""]
        for grade in ("breaking", "compatible", "text"):
            graded = [change for change in changes if change.grade == grade]
            if graded:
                lines += [f"### {grade.capitalize()}", "", *_table(graded), ""]
        lines += [
            f"- {_words(': '.join(filter(None, (p.pointer, p.message))))}"
            for p in each.report.problems
        ]
    return "\n".join(lines).rstrip()


def _table(changes: Sequence[Change]) -> Iterator[str]:
    yield "| what | rule | breaks | why |"
    yield "|---|---|---|---|"
    for change in changes:
        message = _words(change.message)
        if change.unsure:
            message += "; cannot be decided"
        if change.witness is not ABSENT:
            text = json.dumps(change.witness, ensure_ascii=True)
            text = text if len(text) <= _WITNESS else f"{text[: _WITNESS - 3]}..."
            message += f" (was valid: {code(text)})"
        broken = axes(change) if change.grade == "breaking" else ""
        yield f"| {code(title(change))} | {change.rule} | {broken} | {message} |"


def code(text: str) -> str:
    """Return a text as code in one cell of a table; any text is safe."""
    safe = show(text).replace("\n", " ").replace("|", "\\|")
    # Longer fences than any in the text; spaces keep one at its edge apart.
    runs = [len(run) for run in re.findall("`+", safe)]
    fence = "`" * (max(runs, default=0) + 1)
    space = " " if "`" in safe else ""
    return f"{fence}{space}{safe}{space}{fence}"


def _words(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\1", show(text).replace("\n", " "))
