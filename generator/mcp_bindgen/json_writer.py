"""Writes JSON as `json.dumps(indent=2)` does, in well under half of its time."""

from __future__ import annotations

import json
from typing import cast

__all__ = ["block", "indented"]

_string = json.encoder.encode_basestring_ascii
_scalar = json.JSONEncoder(allow_nan=False).encode
_WORDS = {True: "true", False: "false", None: "null"}


def indented(value: object, level: int = 0) -> str:
    """Return the ASCII text of a JSON value; `json.dumps` has no fast way to it.

    Args:
        value: Dicts with string keys, lists, strings, numbers, booleans and None.
        level: Levels of nesting around it; the first line comes without indentation.

    Raises:
        ValueError: A number is no JSON number.
    """
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
        inner = level + 1
        # Most members are strings, and a call for each would cost more than they do.
        parts = [
            f"{_string(key)}: "
            + (_string(item) if isinstance(item, str) else indented(item, inner))
            for key, item in members
        ]
        return block("{", parts, "}", level)
    if isinstance(value, list):
        elements = cast("list[object]", value)
        return block("[", [indented(item, level + 1) for item in elements], "]", level)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    return _scalar(value)


def block(opening: str, parts: list[str], closing: str, level: int = 0) -> str:
    """Return an object or array of texts; those of an object begin with their keys.

    Args:
        opening: Its bracket.
        parts: The text of each member or element, written for one level further in.
        closing: Its other bracket.
        level: As for `indented`.
    """
    if not parts:
        return opening + closing
    margin = "\n" + "  " * level
    return f"{opening}{margin}  {f',{margin}  '.join(parts)}{margin}{closing}"
