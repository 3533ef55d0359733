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
        hint = "write the tools as [tools.NAME]; nothing was written"
        raise BindgenError(
            Problem("", f"{file}: no tool can be added", hint)
        ) from error
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
    """Return a file with some keys of some tools set, or removed where None."""
    if not values:
        return text
    rest: dict[str, dict[str, Any]] = {}
    for name, changes in values.items():
        for key, value in changes.items():
            whole = _with_line(text, kind, name, key, value)
            if whole is None:
                rest.setdefault(name, {})[key] = value
            text = text if whole is None else whole
    return _written(text, kind, rest) if rest else text


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
        (n for n, line in enumerate(lines) if _is_header(line, kind, name)), None
    )
    if begin is None:
        return None
    below = takewhile(
        lambda n: not _begins_table(lines[n]), range(begin + 1, len(lines))
    )
    numbers = [*below]
    written = "" if value is None else tomlkit.item(value).as_string()
    wholes = [_replaced(lines, number, key, written) for number in numbers]
    wholes.append(_inserted(lines, [begin, *numbers], f"{key} = {written}"))
    return next((whole for whole in wholes if _values(whole) == wanted), None)


def _is_header(line: str, kind: str, name: str) -> bool:
    bare = line.removeprefix(_MARK).strip()
    return _begins_table(bare) and _values(bare) == {kind: {name: {}}}


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
    """Return the file with a line more behind the last key of a table."""
    full = [n for n in numbers if (text := lines[n].strip()) and text[0] != "#"]
    last, end = full[-1], "\r\n" if lines[0].endswith("\r\n") else "\n"
    head = lines[last] if lines[last].endswith("\n") else lines[last] + end
    return "".join([*lines[:last], head, line, end, *lines[last + 1 :]])


def _values(text: str) -> object:
    try:
        return tomllib.loads(text.replace("\r\n", "\n").removeprefix(_MARK))
    except ValueError:
        return None
