"""Changes the text of TOML, and reads each change back; comments and order stay."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError

from mcp_bindgen.cli.config_faults import table_of, toml_hint
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tomlkit.items import Table

__all__ = [
    "FAULTS",
    "are_alike",
    "loaded",
    "read_back",
    "with_items",
    "with_line_ends",
    "with_tables",
    "wrong_form",
]

FAULTS = (
    TOMLKitError,
    AttributeError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
"""The errors of tomlkit about forms of tables that it cannot change."""

_UNIX_END = re.compile(r"(?<!\r)\n")


def with_line_ends(text: str, before: str) -> str:
    r"""Return a text with the line ends that it had before a change.

    Example: `with_line_ends("a\r\nb\n", "a\r\n") == "a\r\nb\r\n"`.

    Args:
        text: The text after the change.
        before: The text before it; one with two kinds of line ends changes nothing.
    """
    is_windows = "\r\n" in before and not _UNIX_END.search(before)
    return _UNIX_END.sub("\r\n", text) if is_windows else text


def loaded(text: str) -> dict[str, Any]:
    """Return the values of settings.

    Raises:
        BindgenError: The text is not TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        hint = toml_hint(text)
        hint += "; nothing was written"
        raise BindgenError(Problem("", f"pyproject.toml: {error}", hint)) from error


def read_back(text: str) -> dict[str, Any] | None:
    """Return the values of changed settings, None where they are not TOML."""
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def are_alike(one: object, other: object) -> bool:
    """Return whether two settings have the same values; `nan` is like itself.

    Example: `are_alike({"a": 1, "b": 2}, {"b": 2, "a": 1})`.

    Args:
        one: The values of a text of TOML, or None.
        other: The values of another.
    """
    texts = (json.dumps(each, sort_keys=True, default=repr) for each in (one, other))
    return next(texts) == next(texts)


def wrong_form(change: str, path: Sequence[str]) -> BindgenError:
    """Return the error for settings that cannot be changed: `wrong_form("add to", [])`.

    Args:
        change: What the command does with the settings.
        path: The table, in the form that can be changed.
    """
    hint = f"write it as [{'.'.join(path)}]"
    return BindgenError(
        Problem("", f"cannot {change} this form of pyproject.toml", hint)
    )


def with_tables(
    text: str, path: Sequence[str], tables: Mapping[str, Mapping[str, Any]]
) -> str:
    """Return settings with more tables at a path, which replace those of their names.

    The library changes some forms of tables wrongly: each text is read again.

    Args:
        text: The settings, as TOML.
        path: The keys of the tables around them.
        tables: The tables by name.

    Raises:
        BindgenError: The text is not TOML, or has another form.
    """
    wanted = loaded(text)
    _inner(wanted, path).update(tables)
    block = _with_inner("", path, tables) or ""
    ours = [*path, *tables][:2]  # all our tables are below [tool.mcp-bindgen]
    inserted = _with_block(text, ours, block)
    if made := _first_like(wanted, inserted, _with_inner(text, path, tables)):
        return with_line_ends(made, text)
    if made := _first_like(wanted, f"{text.rstrip()}\n\n{block}"):
        return with_line_ends(made, text)
    raise wrong_form("add to", [*path, next(iter(tables))])


def with_items(text: str, path: Sequence[str], items: Sequence[dict[str, str]]) -> str:
    """Return settings with more items of a list, which may be new.

    Args:
        text: The settings, as TOML.
        path: The keys of the tables, and the key of the list.
        items: The new items.

    Raises:
        BindgenError: The text is not TOML, or has another form.
    """
    *tables, last = path
    wanted = loaded(text)
    parent = _inner(wanted, tables)
    listed: object = parent.get(last, [])
    if not isinstance(listed, list):
        hint = f"write it as {last} = [{{ fingerprint = ..., reason = ... }}]"
        message = f"expected {tables[-1]}.{last} to be a list"
        raise BindgenError(Problem("", message, hint))
    parent[last] = [*parent.get(last, []), *items]
    appended = f"{text.rstrip()}\n\n{_with_list('', path, items) or ''}"
    if made := _first_like(wanted, _with_list(text, path, items), appended):
        return with_line_ends(made, text)
    raise wrong_form("add to", tables)


def _first_like(wanted: object, *texts: str | None) -> str | None:
    """Return the first text that has these values, None where none has."""
    for text in texts:
        if text is not None and are_alike(read_back(text), wanted):
            return text
    return None


def _inner(data: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """Return the table at a path of settings that are read, a new one where none is.

    Raises:
        BindgenError: A part of the path is no table.
    """
    for key in path:
        inner: object = data.setdefault(key, {})
        if not isinstance(inner, dict):
            hint = f"write it as [{'.'.join(path)}]"
            raise BindgenError(Problem("", f"expected {key} to be a table", hint))
        data = cast("dict[str, Any]", inner)
    return data


def _with_inner(
    text: str, path: Sequence[str], tables: Mapping[str, Mapping[str, Any]]
) -> str | None:
    """Return settings with tables at a path, None where the library cannot do it."""
    try:
        document = tomlkit.parse(text)
        parent = _opened(document, path, has_keys=False)
        for name, values in tables.items():
            parent[name] = _table(values)
        return tomlkit.dumps(document)
    except FAULTS:
        return None


def _with_list(
    text: str, path: Sequence[str], items: Sequence[dict[str, str]]
) -> str | None:
    """Return settings with items of a list, None where the library cannot do it."""
    *tables, last = path
    try:
        document = tomlkit.parse(text)
        parent = _opened(document, tables, has_keys=True)
        if last not in parent:
            parent.add(last, tomlkit.array().multiline(multiline=True))
        parent[last].extend(map(_inline, items))
        return tomlkit.dumps(document)
    except FAULTS:
        return None


def _opened(document: Any, path: Sequence[str], *, has_keys: bool) -> Any:
    """Return the table at a path; a new one has a header where keys follow."""
    parent = document
    for number, key in enumerate(path, 1):
        if key not in parent:
            is_super = not has_keys or number < len(path)
            parent.add(key, tomlkit.table(is_super_table=is_super))
        parent = parent[key]
    return parent


def _with_block(text: str, path: Sequence[str], block: str) -> str | None:
    """Return settings with a table behind our last one, None where there is none.

    A comment directly above the next table belongs to that table.
    """
    lines = text.splitlines(keepends=True)
    headers = [i for i, line in enumerate(lines) if line.lstrip().startswith("[")]
    ours = [i for i in headers if _is_below(lines[i], path[:2])]
    later = [i for i in headers if ours and i > ours[-1]]
    if not later:  # It goes to the end.
        return None
    at = later[0]
    while lines[at - 1].lstrip().startswith("#"):
        at -= 1
    before, after = "".join(lines[:at]).rstrip(), "".join(lines[at:])
    return f"{before}\n\n{block.strip()}\n\n{after}"


def _is_below(header: str, path: Sequence[str]) -> bool:
    """Return whether a line begins a table at a path or below it."""
    table: dict[str, Any] | None = read_back(header)
    for key in path:
        table = table_of(table).get(key)
    return table is not None


def _table(values: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for key, value in values.items():
        table.add(key, _inline(value) if isinstance(value, dict) else value)
    return table


def _inline(values: Any) -> Any:
    table: Any = tomlkit.inline_table()
    table.update(values)
    return table
