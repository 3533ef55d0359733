# Copied by mcp-bindgen. Do not edit.
r"""Tells of patterns that no text matches: `a^`, `$b`, `c\bd`, `[^\s\S]`."""

from __future__ import annotations

import string
import sys
from functools import lru_cache
from typing import NamedTuple

from .pattern_tree import (
    Character,
    Edge,
    Either,
    Group,
    Look,
    Part,
    Repeat,
    Same,
    Series,
    parse_pattern,
)
from .patterns import searcher

__all__ = ["UNREAD", "least_length", "matches_nothing", "share_character"]

_WORD = string.ascii_letters + string.digits + "_"
_OTHER = "".join(sorted({*map(chr, range(128))} - {*_WORD}))
_TURNS = 30
"""More turns of a loop lead to no new position."""


class _Position(NamedTuple):
    """A position in a text: what is before it, and what must come next.

    Attributes:
        before: "start", "word" or "other".
        after: Some of "word", "other" and "end".
    """

    before: str
    after: frozenset[str]


_ANY = frozenset({"word", "other", "end"})
# Malformed or too deep; in one name, which black leaves for all versions of Python.
UNREAD = (ValueError, RecursionError)


def matches_nothing(pattern: str, *, whole: bool = False) -> bool:
    """Return whether it is certain that no text matches a pattern.

    Example: `matches_nothing("a$b") and not matches_nothing("a$")`.

    Args:
        pattern: The pattern, of ECMA-262.
        whole: Whether it must match a whole text, rather than a part of one.
    """
    try:
        part = parse_pattern(pattern.removeprefix("(?i)")).part
        befores = ("start",) if whole else ("start", "word", "other")
        ends = _after(part, {_Position(before, _ANY) for before in befores})
    except UNREAD:
        return False
    return not any("end" in end.after if whole else end.after for end in ends)


def least_length(pattern: str) -> int:
    """Return how many characters a text that matches a pattern has, at least."""
    try:
        return _least(parse_pattern(pattern.removeprefix("(?i)")).part)
    except UNREAD:
        return 0


def _least(part: Part) -> int:
    match part:
        case Character():
            return 1
        case Series(parts):
            return sum(map(_least, parts))
        case Either(branches):
            return min(map(_least, branches))
        case Group(inner, _):
            return _least(inner)
        case Repeat():
            return part.least * _least(part.part)
        case Edge() | Same() | Look():
            return 0


def _after(part: Part, positions: set[_Position]) -> set[_Position]:
    """Return the positions behind a part."""
    match part:
        case Character(rust):
            possible = frozenset[str]().union(*(one.after for one in positions))
            return {_Position(kind, _ANY) for kind in possible & _kinds(rust)}
        case Edge(sign):
            return _at_edge(sign, positions)
        case Series(parts):
            for inner in parts:
                positions = _after(inner, positions)
            return positions
        case Either(branches):
            return {end for one in branches for end in _after(one, positions)}
        case Group(inner, _):
            return _after(inner, positions)
        case Repeat():
            return _after_repeat(part, positions)
        case Same() | Look():
            raise ValueError("nothing is known of what it matches")


def _after_repeat(repeat: Repeat, positions: set[_Position]) -> set[_Position]:
    for _ in range(min(repeat.least, _TURNS)):
        positions = _after(repeat.part, positions)
    more = _TURNS if repeat.most is None else repeat.most - repeat.least
    for _ in range(min(more, _TURNS)):
        ends = positions | _after(repeat.part, positions)
        if ends == positions:
            break
        positions = ends
    return positions


def _at_edge(sign: str, positions: set[_Position]) -> set[_Position]:
    """Return the positions that are at an edge."""
    words, ends = frozenset({"word"}), set[_Position]()
    for before, after in positions:
        if sign == "^":
            possible = after if before == "start" else frozenset[str]()
        elif sign == "$":
            possible = after & {"end"}
        else:
            changes = (before == "word") == (sign == r"\b")
            possible = after - words if changes else after & words
        if possible:
            ends.add(_Position(before, possible))
    return ends


@lru_cache(maxsize=256)
def _kinds(rust: str) -> frozenset[str]:
    """Return the kinds of characters in a set, which is written for the Rust engine.

    Raises:
        ValueError: The engine does not read it.
    """
    has = searcher(rust)
    kinds = {"word"} if has(_WORD) else set[str]()
    if has(_OTHER) or (not _in_ascii(rust) and has(_beyond_ascii())):
        kinds.add("other")
    return frozenset(kinds)


def share_character(rust: str, other: str, *, any_case: bool = False) -> bool:
    """Return whether a character may be in two sets, written for the Rust engine.

    It may where both sets go beyond ASCII: nobody searches all of Unicode for it.

    Args:
        rust: The one set.
        other: The other one.
        any_case: Whether upper and lower case are the same.

    Raises:
        ValueError: The engine does not read one of them.
    """
    has = searcher(f"{'(?i)' * any_case}[[{rust}]&&[{other}]]")
    return has(_WORD + _OTHER) or not (_in_ascii(rust) or _in_ascii(other))


def _in_ascii(rust: str) -> bool:
    return not any(sign in rust for sign in ("[^", r"\p", r"\P", r"\u"))


def _beyond_ascii() -> str:
    """Return all characters that are not ASCII."""
    codes = (*range(128, 0xD800), *range(0xE000, sys.maxunicode + 1))
    return "".join(map(chr, codes))
