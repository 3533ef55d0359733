"""Changes a policy file; everything that a person wrote stays byte for byte."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from mcp_bindgen.cli.toml_keys import Change, with_keys
from mcp_bindgen.contract.policy_text import toml_text
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["parsed", "with_entries", "with_marks", "with_reviews"]

_MARK = "\ufeff"  # of the order of bytes, which editors on Windows write
# Tables that are written as one value.
_CLOSED = re.compile(r"^[ \t]*(tools|resources|prompts)[ \t]*=", re.MULTILINE)


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
    try:
        return _changed(text, kind, marks)
    except BindgenError:  # `tools.x.removed = true` is the whole entry
        return _changed(text, kind, marks | {name: {"removed": False} for name in back})


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
    """Return a file with other values of keys of tools; None removes a key.

    Raises:
        BindgenError: The file has a form that cannot be changed.
    """
    wanted: Any = _values(text)
    changes: list[Change] = []
    for name, keys in values.items():
        entry = wanted[kind][name]
        for key, value in keys.items():
            if entry.get(key) == value:
                continue
            written = None if value is None else _written(value)
            changes.append(Change(name, key, written))
            entry.pop(key, None)
            if value is not None:
                entry[key] = value
    if not changes:
        return text
    mark = _MARK * text.startswith(_MARK)
    whole = mark + with_keys(text.removeprefix(mark), kind, changes)
    if _values(whole) != wanted:
        hint = f"write its entries as [{kind}.NAME]; nothing was written"
        wrong = "the policy file has a form of TOML that cannot be changed"
        raise BindgenError(Problem("", wrong, hint))
    return whole


def _written(value: object) -> str:
    return toml_text(value) if isinstance(value, str) else str(value).lower()


def _values(text: str) -> object:
    try:
        return tomllib.loads(text.replace("\r\n", "\n").removeprefix(_MARK))
    except ValueError:
        return None
