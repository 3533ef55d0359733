"""Looks through a text of JSON before it is parsed: most texts hold nothing to refuse.

All of it is done by functions on whole texts, in a fraction of the time that a look at
each value takes. A text that is no JSON may be measured wrong, but only after the
place where the parser gives up.
"""

from __future__ import annotations

import marshal
import re
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from mcp_bindgen.limits import Limits

_Object: TypeAlias = "dict[str, Any]"

__all__ = ["count", "count_above", "has_members", "plain_members"]

# Halves of surrogate pairs, which are no characters, and whole pairs.
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]")
_MARKS = b"[]{},:"
_NO_MARKS = bytes({*range(256)} - {*_MARKS})
_SQUARE = bytes.maketrans(b"{}", b"[]")
_CONTAINERS = frozenset({dict, list})
_NO_REFERENCES = 2  # a version of marshal that writes each value as it comes
_QUOTES = 4  # of one value: its own, and those of its key


def plain_members(data: bytes, limits: Limits) -> int | None:
    """Return how many members all objects of a text have together.

    Args:
        data: The text, in UTF-8.
        limits: The limits on a file and on each value.

    Returns:
        The number; None where the text may be over a limit, except that on keys, or
        holds a value that must be looked at.
    """
    # An escaped quote ends no string; two other characters keep the length.
    text = data.replace(rb"\\", b"..").replace(rb"\"", b"..")
    halves, pairs = (len(each.findall(text)) for each in (_HALF, _PAIR))
    if halves != 2 * pairs or text.count(b'"') > _QUOTES * limits.nodes:
        return None
    pieces = text.split(b'"')
    outside = b" ".join(pieces[::2])
    if max(map(len, pieces[1::2]), default=0) > limits.text:
        return None
    if re.search(rb"[-+.0-9eE]{%d}" % (limits.digits + 1), outside):
        return None
    marks = outside.translate(None, _NO_MARKS)
    nodes = 1 + marks.count(b",") + marks.count(b"{") + marks.count(b"[")
    if nodes > limits.nodes or not _is_flat(marks, limits.depth):
        return None
    return marks.count(b":")


def _is_flat(marks: bytes, depth: int) -> bool:
    """Return whether brackets are nested at most so deep."""
    brackets = marks.translate(_SQUARE, b",:")
    for _ in range(depth):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"")  # the innermost level
    return not brackets


def has_members(tree: Any, number: int, longest: int) -> bool:
    """Return whether the objects in a value have so many members together.

    Fewer are left where an object had a key twice.

    Args:
        tree: The value.
        number: The members of all objects.
        longest: The characters that a key may have.
    """
    total, keys = 0, set[str]()
    level: list[Any] = [tree]
    while level:
        objects: list[_Object] = [each for each in level if type(each) is dict]
        lists: list[list[Any]] = [each for each in level if type(each) is list]
        total += sum(map(len, objects))
        keys.update(*objects)
        inner = chain(*(each.values() for each in objects), *lists)
        level = [each for each in inner if type(each) in _CONTAINERS]
    return total == number and max(map(len, keys), default=0) <= longest


def count(value: Any) -> int:
    """Return the number of JSON values in a value: `count({"a": [1, 2]}) == 4`."""
    number = 0
    level: list[Any] = [value]
    while level:
        number += len(level)
        objects = [cast("_Object", each) for each in level if isinstance(each, dict)]
        lists: list[list[Any]] = [each for each in level if isinstance(each, list)]
        level = [*chain(*(each.values() for each in objects), *lists)]
    return number


def count_above(value: Any, most: int) -> int:
    """Return the number of JSON values in a value if there are more than so many.

    Args:
        value: The value.
        most: How many there may be.

    Returns:
        The number, 0 where it is not more.
    """
    # Each value takes a byte or more there: so few bytes hold no more values.
    if len(marshal.dumps(value, _NO_REFERENCES)) <= most:
        return 0
    number = count(value)
    return number if number > most else 0
