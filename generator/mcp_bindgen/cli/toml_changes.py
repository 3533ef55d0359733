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
    "with_line_ends",
    "with_value",
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


def with_value(
    text: str, path: Sequence[str], value: dict[str, Any] | list[dict[str, str]]
) -> str:
    """Return settings with a value at a path; a list there gets more items.

    The library changes some forms of tables wrongly: each text is read again.

    Args:
        text: The settings, as TOML.
        path: The keys of the tables, and the key of the value.
        value: A table, or the new items of a list.

    Raises:
        BindgenError: The text is not TOML, or has another form.
    """
    wanted = loaded(text)
    _put(wanted, path, value)
    block = _with_item("", path, value) or ""
    appended = f"{text.rstrip()}\n\n{block}"
    inserted = _with_block(text, path, block) if isinstance(value, dict) else None
    for made in (inserted, _with_item(text, path, value), appended):
        if made is not None and are_alike(read_back(made), wanted):
            return with_line_ends(made, text)
    raise wrong_form("add to", path if isinstance(value, dict) else path[:-1])


def _put(data: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Put a value into settings that are read already.

    Raises:
        BindgenError: A part of the path is no table, or the list there is no list.
    """
    *tables, last = path
    for key in tables:
        inner: object = data.setdefault(key, {})
        if not isinstance(inner, dict):
            hint = f"write it as [{'.'.join(tables)}]"
            raise BindgenError(Problem("", f"expected {key} to be a table", hint))
        data = cast("dict[str, Any]", inner)
    if isinstance(value, dict):
        data[last] = value
        return
    listed: object = data.get(last, [])
    if not isinstance(listed, list):
        hint = f"write it as {last} = [{{ fingerprint = ..., reason = ... }}]"
        message = f"expected {tables[-1]}.{last} to be a list"
        raise BindgenError(Problem("", message, hint))
    data[last] = [*data.get(last, []), *value]


def _with_item(text: str, path: Sequence[str], value: Any) -> str | None:
    """Return settings with a value at a path, None where the library cannot do it."""
    *tables, last = path
    try:
        document = tomlkit.parse(text)
        parent: Any = document
        for key in tables:
            if key not in parent:
                is_super = isinstance(value, dict) or key != tables[-1]
                parent.add(key, tomlkit.table(is_super_table=is_super))
            parent = parent[key]
        if isinstance(value, dict):
            parent[last] = _table(cast("dict[str, Any]", value))
        else:
            if last not in parent:
                parent.add(last, tomlkit.array().multiline(multiline=True))
            parent[last].extend(map(_inline, value))
        return tomlkit.dumps(document)
    except FAULTS:
        return None


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
