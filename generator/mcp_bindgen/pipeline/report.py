"""What a reader of bindings should know: renamed, checked twice, inferred, left out."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from mcp_bindgen.python.literals import WireStr, clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.errors import Problem
    from mcp_bindgen.schema.ir import Catalog, Note

__all__ = ["as_json", "as_table", "counts", "summary"]

# Kind of a note to what people call it, in the order of the table.
_WORDS: Mapping[str, str] = {
    "renamed": "renamed",
    "residual": "with residual validation",
    "not-enforced": "not enforced",
    "unwrapped": "unwrapped",
    "inferred": "inferred",
}


def counts(catalog: Catalog) -> dict[str, int]:
    """Return kind of note to the number of tools that have one."""
    found = Counter(kind for tool in catalog.tools for kind in _kinds(tool.notes))
    return {kind: found[kind] for kind in _WORDS if found[kind]}


def _kinds(notes: Sequence[Note]) -> set[str]:
    return {note.kind for note in notes}


def summary(catalog: Catalog) -> str:
    """Return the counts as a part of a sentence, "" where there is nothing."""
    return ", ".join(f"{n} {_WORDS[kind]}" for kind, n in counts(catalog).items())


def as_json(catalog: Catalog, problems: Sequence[Problem]) -> str:
    """Return the report as canonical JSON.

    Args:
        catalog: What was generated.
        problems: What was left out, and why.
    """
    tools = {
        tool.wire.text: {
            "function": tool.function,
            "notes": [
                {"kind": note.kind, "pointer": note.pointer, "detail": note.detail}
                for note in tool.notes
            ],
        }
        for tool in catalog.tools
    }
    document = {
        "package": catalog.package,
        "tools": tools,
        "counts": counts(catalog),
        "problems": [
            {"pointer": p.pointer, "message": p.message, "hint": p.hint}
            for p in problems
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def as_table(catalog: Catalog, problems: Sequence[Problem]) -> str:
    """Return the report as lines for people: one for each note, aligned.

    Args:
        catalog: What was generated.
        problems: What was left out, and why.
    """
    rows = [
        (_shown(tool.wire.text), _WORDS[note.kind], _place(note), _shown(note.detail))
        for tool in catalog.tools
        for note in tool.notes
    ]
    rows += [
        (_shown(problem.pointer), "left out", "", _shown(problem.message))
        for problem in problems
    ]
    if not rows:
        return "nothing to report\n"
    widths = [min(max(len(row[i]) for row in rows), 48) for i in range(3)]
    lines = (
        "  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[3]])
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _place(note: Note) -> str:
    return _shown(note.pointer)


def _shown(text: str) -> str:
    return " ".join(clean(WireStr(text), 200).split())
