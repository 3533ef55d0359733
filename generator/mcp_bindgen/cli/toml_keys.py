"""Changes keys in the entries of a TOML file; all other bytes stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.cli.toml_spans import spans_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_bindgen.cli.toml_spans import Path, Statement, Table

__all__ = ["Change", "with_keys"]

_REST = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z)")
_COMMA = re.compile(r"\s*,[ \t]*")
_KIND_AND_NAME = 2


class Change(NamedTuple):
    """One change of an entry.

    Attributes:
        name: The name of the entry.
        key: The key in it.
        value: The new value, as TOML writes it; None takes the key out.
    """

    name: str
    key: str
    value: str | None


class _Edit(NamedTuple):
    """New text in place of a part of the file.

    Attributes:
        begin: Where the part begins ...
        end: ... and ends.
        is_table: Whether the text begins a table: it comes behind other new lines.
        text: The new text.
    """

    begin: int
    end: int
    is_table: bool
    text: str


class _Entry:
    """What a file says about one entry.

    Attributes:
        values: The values that are written below the name of the entry.
        table: `[kind.name]`, if there is one.
        first: The first table of the entry, or below it.
        whole: `name = { ... }`, if there is one.
    """

    def __init__(self) -> None:
        self.values: list[Statement] = []
        self.table: Table | None = None
        self.first: Table | None = None
        self.whole: Statement | None = None


def with_keys(text: str, kind: str, changes: Iterable[Change]) -> str:
    """Return a file with other values of keys in the entries of a kind.

    Each form of an entry stays: `[kind.name]`, `name = { ... }`, `name.key = ...`, or
    tables below it alone.

    Args:
        text: The file, which is right TOML, without the mark of the order of bytes.
        kind: The table of the entries.
        changes: The changes, each of another key.

    Raises:
        ValueError: The file is no TOML.
        KeyError: The file has no such entry.
    """
    entries = _entries(text, kind)
    line_end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    edits = [_edit(text, entries[c.name], (kind, *c[:2]), c, line_end) for c in changes]
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        parts += [text[at : edit.begin], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def _entries(text: str, kind: str) -> dict[str, _Entry]:
    """Return what a file says about each entry of a kind."""
    entries: dict[str, _Entry] = {}
    tables, statements = spans_of(text)
    for table in tables:
        if table.path[:1] == (kind,) and len(table.path) > 1:
            entry = entries.setdefault(table.path[1], _Entry())
            entry.first = entry.first or table
            if len(table.path) == _KIND_AND_NAME:
                entry.table = table
    for statement in statements:
        if statement.path[:1] == (kind,) and len(statement.path) > 1:
            entry = entries.setdefault(statement.path[1], _Entry())
            if len(statement.path) == _KIND_AND_NAME:
                entry.whole = statement
            else:
                entry.values.append(statement)
    return entries


def _edit(text: str, entry: _Entry, path: Path, change: Change, line_end: str) -> _Edit:
    """Return what has to be written for a change."""
    old = next((value for value in entry.values if value.path == path), None)
    if change.value is None:
        return _new(0, "") if old is None else _without(text, old)
    if old is not None:
        return _new(old.begin, change.value, old.end)
    return _with(text, entry, f"{change.key} = {change.value}", line_end)


def _with(text: str, entry: _Entry, added: str, line_end: str) -> _Edit:
    """Return what adds a key to an entry."""
    if entry.table is not None:
        table = entry.table.path
        own = [v for v in entry.values if v.table == table and not v.inline]
        if own:
            return _line(text, own[-1].end, _indent(text, own[-1]) + added, line_end)
        return _line(text, entry.table.end, added, line_end)
    if entry.whole is not None:
        return _in_braces(entry.whole, entry.values, added)
    dotted = [v for v in entry.values if 0 <= _part(v) < len(v.keys) - 1]
    if dotted:
        last = dotted[-1]
        prefix = text[last.keys[0][0] : last.keys[_part(last)][1]]
        if last.inline:
            return _new(last.end, f", {prefix}.{added}")
        line = f"{_indent(text, last)}{prefix}.{added}"
        return _line(text, last.end, line, line_end)
    return _table(text, entry, added, line_end)


def _new(begin: int, text: str, end: int | None = None) -> _Edit:
    return _Edit(begin, begin if end is None else end, is_table=False, text=text)


def _part(value: Statement) -> int:
    """Return which of the written keys of a value is the name of its entry."""
    return 1 - (len(value.path) - len(value.keys))


def _without(text: str, old: Statement) -> _Edit:
    """Return what takes a key out, with its line or its comma."""
    begin = old.keys[0][0]
    if not old.inline:
        rest = _REST.match(text, old.end)
        end = rest.end() if rest else old.end
        return _new(begin - len(_indent(text, old)), "", end)
    if comma := _COMMA.match(text, old.end):
        return _new(begin, "", comma.end())
    before = text[:begin].rstrip()
    return _new(len(before) - before.endswith(","), "", old.end)


def _indent(text: str, value: Statement) -> str:
    begin = value.keys[0][0]
    return text[text.rfind("\n", 0, begin) + 1 : begin]


def _line(text: str, at: int, added: str, line_end: str) -> _Edit:
    """Return what adds a line behind the one that ends at a value or a bracket."""
    rest = _REST.match(text, at)
    end = rest.end() if rest else at
    begun = end < len(text) or text.endswith("\n")
    return _new(end, f"{'' if begun else line_end}{added}{line_end}")


def _in_braces(whole: Statement, values: Iterable[Statement], added: str) -> _Edit:
    """Return what adds a key to `name = { ... }`."""
    inner = [value.end for value in values if whole.begin < value.begin < whole.end]
    if inner:
        return _new(max(inner), f", {added}")
    return _new(whole.begin, f"{{ {added} }}", whole.end)


def _table(text: str, entry: _Entry, added: str, line_end: str) -> _Edit:
    """Return what adds `[kind.name]` in front of the first table below it.

    Raises:
        KeyError: There is no such table.
    """
    if entry.first is None:
        raise KeyError
    keys, begin = entry.first.keys, entry.first.begin
    head = f"[{text[keys[0][0] : keys[_KIND_AND_NAME - 1][1]]}]"
    lines = f"{head}{line_end}{added}{line_end}{line_end}"
    return _Edit(begin, begin, is_table=True, text=lines)
