"""The report on a package: its notes, and the parts that were left out."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from mcp_bindgen.python.literals import WireStr, clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.errors import Problem
    from mcp_bindgen.schema.ir import Catalog, Feature, Tool

__all__ = ["as_json", "as_table", "counts", "summary"]

# Kind of a note to its words, in the order of the table.
_WORDS: Mapping[str, str] = {
    "renamed": "renamed",
    "residual": "with residual validation",
    "not-enforced": "not enforced",
    "no-models": "without models of another kind",
    "unwrapped": "unwrapped",
    "inferred": "inferred",
    "ambiguous": "ambiguous",
}
# Kinds that a user must know: checks that types do not express, or that are missing.
_SURPRISES = ("residual", "not-enforced", "no-models")


def counts(catalog: Catalog) -> dict[str, int]:
    """Return kind of note to the number of tools, templates and prompts with one."""
    kinds = ({note.kind for note in each.notes} for each in _noted(catalog))
    tools = Counter(kind for of_tool in kinds for kind in of_tool)
    return {kind: tools[kind] for kind in _WORDS if tools[kind]}


def _noted(catalog: Catalog) -> list[Tool | Feature]:
    """Return all tools and features, which may have notes."""
    return [*catalog.tools, *catalog.features]


def summary(catalog: Catalog) -> str:
    """Return the counts that a user must know, as "1 not enforced", or ""."""
    listed = counts(catalog).items()
    return ", ".join(
        f"{n:,} {_WORDS[kind]}" for kind, n in listed if kind in _SURPRISES
    )


def as_json(catalog: Catalog, problems: Sequence[Problem]) -> str:
    """Return the report as canonical JSON.

    Args:
        catalog: The catalogue of the package.
        problems: A problem for each part that was left out.
    """
    others = {"templates": catalog.templates, "prompts": catalog.prompts}
    members = {r.wire.text: {"member": r.member} for r in catalog.resources}
    document = {
        "package": catalog.package,
        "tools": _functions(catalog.tools),
        **({"resources": members} if members else {}),
        **{kind: _functions(listed) for kind, listed in others.items() if listed},
        "counts": counts(catalog),
        "problems": [
            {"pointer": p.pointer, "message": p.message, "hint": p.hint}
            for p in problems
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _functions(listed: Sequence[Tool | Feature]) -> dict[str, object]:
    """Return wire name to function and notes."""
    return {
        each.wire.text: {
            "function": each.function,
            "notes": [
                {"kind": note.kind, "pointer": note.pointer, "detail": note.detail}
                for note in each.notes
            ],
        }
        for each in listed
    }


def as_table(catalog: Catalog, problems: Sequence[Problem]) -> str:
    """Return the report as lines for people: one for each note, aligned.

    Args:
        catalog: The catalogue of the package.
        problems: A problem for each part that was left out.
    """
    rows = [
        (
            _cell(tool.wire.text),
            _WORDS[note.kind],
            _cell(note.pointer),
            _cell(note.detail),
        )
        for tool in _noted(catalog)
        for note in tool.notes
    ]
    rows += [
        (_cell(problem.pointer), "left out", "", _cell(problem.message))
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


def _cell(text: str) -> str:
    return " ".join(clean(WireStr(text), 200).split())
