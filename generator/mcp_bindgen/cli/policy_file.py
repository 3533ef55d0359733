"""Changes a policy file; everything that a person wrote stays byte for byte."""

from __future__ import annotations

import re
import tomllib
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["parsed", "with_entries", "with_marks", "with_reviews"]

_MARK = "\ufeff"  # of the order of bytes, which editors on Windows write
# Tables that are written as one value.
_CLOSED = re.compile(r"^[ \t]*(tools|resources|prompts)[ \t]*=", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def parsed(text: str, file: str) -> dict[str, Any]:
    """Return a policy file as TOML reads it.

    Raises:
        BindgenError: It is not TOML.
    """
    try:
        return tomllib.loads(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise BindgenError(
            Problem("", f"{file}: {error}", "correct the file; nothing was written")
        ) from error


def with_entries(text: str, entries: Iterable[str], file: str) -> str:
    """Return a file with more entries at its end.

    Args:
        text: The file.
        entries: The texts of the entries.
        file: Its name, for messages.

    Raises:
        BindgenError: The file writes its tools in a way that takes no more of them.
    """
    more = "".join(entries)
    if not more:
        return text
    if "\r\n" in text:
        more = more.replace("\n", "\r\n")
    begin = text if text.endswith("\n") or not text else f"{text}\n"
    whole = begin + more
    try:
        tomllib.loads(whole.replace("\r\n", "\n").removeprefix("\ufeff"))
    except ValueError as error:
        closed = _CLOSED.search(text)
        kind = closed[1] if closed else "tools"
        wrong = f"{file}: {kind} = ... is one value of TOML, which takes no new entry"
        hint = f"write its entries as [{kind}.NAME]; nothing was written"
        raise BindgenError(Problem("", wrong, hint)) from error
    return whole


def with_marks(
    text: str, kind: str, removed: Iterable[str], back: Iterable[str]
) -> str:
    """Return a file that marks the tools that the server no longer has.

    Args:
        text: The file.
        kind: The table of the entries: "tools", "resources" or "prompts".
        removed: Tools that get the mark.
        back: Tools that lose it.
    """
    marks: dict[str, dict[str, Any]] = {name: {"removed": True} for name in removed}
    marks |= {name: {"removed": None} for name in back}
    return _changed(text, kind, marks)


def with_reviews(text: str, kind: str, reviews: Mapping[str, str]) -> str:
    """Return a file with the reviews of tools.

    Args:
        text: The file.
        kind: The table of the entries: "tools", "resources" or "prompts".
        reviews: Wire name to pin.
    """
    pins = {name: {"reviewed": pin} for name, pin in reviews.items()}
    return _changed(text, kind, pins)


def _changed(text: str, kind: str, values: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a file with other values of keys of tools; None removes a key."""
    if not values:
        return text
    if (whole := _all_at_once(text, kind, values)) is not None:
        return whole
    rest: dict[str, dict[str, Any]] = {}
    for name, changes in values.items():
        for key, value in changes.items():
            whole = _with_line(text, kind, name, key, value)
            if whole is None:
                rest.setdefault(name, {})[key] = value
            text = text if whole is None else whole
    return _written(text, kind, rest) if rest else text


def _all_at_once(
    text: str, kind: str, values: Mapping[str, Mapping[str, Any]]
) -> str | None:
    """Return a file with the changes, None if a changed tool has no `[tools.NAME]`.

    The file is read once for all changes: read anew for each of a thousand tools, it
    takes minutes.
    """
    wanted: Any = _values(text)
    tables: list[list[str]] = [[]]
    for line in _LINE.findall(text):
        if _begins_table(line.removeprefix(_MARK)):
            tables.append([])
        tables[-1].append(line)
    numbers = {_name_in(t[0], kind): n for n, t in enumerate(tables) if t}
    end = _line_end(text)
    for name, changes in values.items():
        entry = wanted[kind][name]
        for key, value in changes.items():
            if entry.get(key) == value:
                continue
            if name not in numbers:
                return None
            number = numbers[name]
            tables[number] = _changed_table(tables[number], key, value, end)
            entry.pop(key, None)
            if value is not None:
                entry[key] = value
    whole = "".join(line for table in tables for line in table)
    return whole if _values(whole) == wanted else None


def _name_in(line: str, kind: str) -> str | None:
    """Return the name in a line `[tools.NAME]`, None for any other line."""
    bare = line.removeprefix(_MARK).strip()
    read: Any = _values(bare) if _begins_table(bare) else {}
    try:
        (name,) = read[kind]
        return str(name) if read == {kind: {name: {}}} else None
    except (KeyError, TypeError, ValueError):
        return None


def _changed_table(lines: list[str], key: str, value: object, end: str) -> list[str]:
    """Return the lines of a table with another value of a key, without it for None."""
    written = "" if value is None else tomlkit.item(value).as_string()
    for number in range(1, len(lines)):
        if whole := _replaced(lines, number, key, written):
            return _LINE.findall(whole)
    whole = _inserted(lines, [*range(len(lines))], f"{key} = {written}{end}")
    return _LINE.findall(whole)


def _written(text: str, kind: str, values: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a file as tomlkit changes it, where a tool has no table of its own.

    Raises:
        BindgenError: tomlkit does not read the file.
    """
    mark = _MARK * text.startswith(_MARK)
    try:
        document: Any = tomlkit.parse(text.removeprefix(mark))
        for name, changes in values.items():
            entry = document[kind][name]
            for key, value in changes.items():
                if value is None:
                    entry.pop(key, None)
                elif entry.get(key) != value:
                    entry[key] = value
        return mark + tomlkit.dumps(document)
    except (TOMLKitError, ValueError, KeyError, RecursionError) as error:
        raise BindgenError(
            Problem("", f"the policy file cannot be changed: {error}")
        ) from error


def _with_line(text: str, kind: str, name: str, key: str, value: object) -> str | None:
    """Return a file with one line of one `[tools.NAME]` changed, None if it has none.

    tomlkit writes tables in another order where those of tools are not together.
    """
    wanted: Any = _values(text)
    entry = wanted[kind][name]
    entry.pop(key, None)
    if value is not None:
        entry[key] = value
    if wanted == _values(text):
        return text
    lines = _LINE.findall(text)
    begin = next(
        (n for n, line in enumerate(lines) if _name_in(line, kind) == name), None
    )
    if begin is None:
        return None
    below = takewhile(
        lambda n: not _begins_table(lines[n]), range(begin + 1, len(lines))
    )
    numbers = [*below]
    written = "" if value is None else tomlkit.item(value).as_string()
    wholes = [_replaced(lines, number, key, written) for number in numbers]
    added = f"{key} = {written}{_line_end(text)}"
    wholes.append(_inserted(lines, [begin, *numbers], added))
    return next((whole for whole in wholes if _values(whole) == wanted), None)


def _begins_table(line: str) -> bool:
    return line.lstrip().startswith("[")


def _replaced(lines: list[str], number: int, key: str, written: str) -> str:
    """Return the file with another value of a key, without the line for none."""
    old = re.match(rf"""[ \t]*{key}[ \t]*=[ \t]*("[^"]*"|'[^']*'|\w+)""", lines[number])
    if old is None:
        return ""
    line = lines[number].replace(old[1], written, 1) if written else ""
    return "".join([*lines[:number], line, *lines[number + 1 :]])


def _inserted(lines: list[str], numbers: list[int], line: str) -> str:
    """Return the file with one more line behind the last key of a table."""
    full = [n for n in numbers if (text := lines[n].strip()) and text[0] != "#"]
    last, end = full[-1], _line_end(line)
    head = lines[last] if lines[last].endswith("\n") else lines[last] + end
    return "".join([*lines[:last], head, line, *lines[last + 1 :]])


def _line_end(text: str) -> str:
    """Return how the first line of a text ends."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


def _values(text: str) -> object:
    try:
        return tomllib.loads(text.replace("\r\n", "\n").removeprefix(_MARK))
    except ValueError:
        return None
