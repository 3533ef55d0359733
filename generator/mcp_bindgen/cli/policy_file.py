"""Changes a policy file; everything that a person wrote stays byte for byte."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["parsed", "with_entries", "with_marks", "with_reviews"]


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


def with_marks(text: str, removed: Iterable[str], back: Iterable[str]) -> str:
    """Return a file that marks the tools that the server no longer has.

    Args:
        text: The file.
        removed: Tools that get the mark.
        back: Tools that lose it.
    """
    marks: dict[str, dict[str, Any]] = {name: {"removed": True} for name in removed}
    marks |= {name: {"removed": None} for name in back}
    return _changed(text, marks)


def with_reviews(text: str, reviews: Mapping[str, str]) -> str:
    """Return a file with the reviews of tools.

    Args:
        text: The file.
        reviews: Wire name to pin.
    """
    return _changed(text, {name: {"reviewed": pin} for name, pin in reviews.items()})


def _changed(text: str, values: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a file with some keys of some tools set, or removed where None."""
    if not values:
        return text
    try:
        document: Any = tomlkit.parse(text)
        for name, changes in values.items():
            entry = document["tools"][name]
            for key, value in changes.items():
                if value is None:
                    entry.pop(key, None)
                elif entry.get(key) != value:
                    entry[key] = value
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, KeyError, RecursionError) as error:
        raise BindgenError(
            Problem("", f"the policy file cannot be changed: {error}")
        ) from error
