# Copied by mcp-bindgen. Do not edit.
"""Shows JSON values as tables in a notebook; all texts in them are escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from . import limits
from .json_values import elements, members
from .strict_json import dumps

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["table"]


def table(value: Any, depth: int = 0) -> str:
    """Return a value as an HTML table, "" where it is none.

    An array of objects has a row for each, an object has one for each member; objects
    in them are tables as well, down to a few levels.

    Example: `table([{"name": "orders", "rows": 5}])`.

    Args:
        value: A JSON value.
        depth: How many tables are around it.
    """
    if depth > limits.TABLE_DEPTH:
        return ""
    rows = elements(value)
    if rows and all(members(row) for row in rows):
        return _of_rows([members(row) for row in rows], depth)
    single = members(value)
    return _of_members(single, depth) if single else ""


def _of_rows(rows: list[dict[str, Any]], depth: int) -> str:
    names = [*dict.fromkeys(name for row in rows for name in row)]
    columns = names[: limits.TABLE_COLUMNS]
    head = "".join(f"<th>{_text(name)}</th>" for name in columns)
    lines = (
        "".join(
            f"<td>{_cell(row[name], depth) if name in row else ''}</td>"
            for name in columns
        )
        for row in rows[: limits.TABLE_ROWS]
    )
    return _table(f"<tr>{head}</tr>", lines, len(rows), len(names) - len(columns))


def _of_members(value: dict[str, Any], depth: int) -> str:
    listed = [*value.items()][: limits.TABLE_ROWS]
    lines = (f"<th>{_text(n)}</th><td>{_cell(v, depth)}</td>" for n, v in listed)
    return _table("", lines, len(value), 0)


def _table(head: str, lines: Iterable[str], rows: int, columns: int) -> str:
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    more = [
        f"{number:,} more {name}"
        for name, number in (("rows", rows - limits.TABLE_ROWS), ("columns", columns))
        if number > 0
    ]
    note = f"<p>... {' and '.join(more)}</p>" if more else ""
    return f"<table>{head}{body}</table>{note}"


def _cell(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return _text(value)
    return table(value, depth + 1) or _text(dumps(value).decode())


def _text(text: str) -> str:
    """Return a foreign text for HTML: capped, and nothing in it is invisible."""
    cut = text[: limits.TABLE_TEXT]
    plain = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in cut)
    return escape(f"{plain}..." if len(cut) < len(text) else plain)
