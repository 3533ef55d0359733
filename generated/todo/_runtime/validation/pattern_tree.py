# Copied by mcp-bindgen. Do not edit.
r"""Reads a pattern of ECMA-262, look-around and back-references included, as a tree.

The dialect is that of JSON Schema: the flag `u` is on, `i`, `m` and `s` are off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from .. import limits
from .patterns import REPEAT, read_atom

__all__ = [
    "Character",
    "Edge",
    "Either",
    "Group",
    "Look",
    "Part",
    "Pattern",
    "Repeat",
    "Same",
    "Series",
    "parse_pattern",
]

_OPENING = re.compile(
    r"\((?:\?(?::|(?P<look><?[=!])|P?<(?P<name>[A-Za-z_]\w*)>)|(?!\?))", re.ASCII
)
_SAME = re.compile(r"\\(?:([1-9][0-9]{0,3})|k<([A-Za-z_]\w*)>)", re.ASCII)
_EDGE = re.compile(r"\^|\$|\\[bB]")


class Character(NamedTuple):
    """One character of a set, which is written for the Rust engine."""

    rust: str


class Edge(NamedTuple):
    r"""A position between characters: `^`, `$`, `\b` or `\B`."""

    sign: str


class Same(NamedTuple):
    """The text that a group has matched, by the group's number or name."""

    group: int | str


class Series(NamedTuple):
    """Parts one after the other."""

    parts: tuple[Part, ...]


class Either(NamedTuple):
    """The first of several branches that leads to a match."""

    branches: tuple[Part, ...]


class Group(NamedTuple):
    """A part whose text is remembered under a number."""

    part: Part
    number: int


class Look(NamedTuple):
    """A part that must, or must not, match before or behind a position."""

    part: Part
    behind: bool
    negative: bool


class Repeat(NamedTuple):
    """A part repeated; `groups` are the numbers of the groups in it."""

    part: Part
    least: int
    most: int | None
    lazy: bool
    groups: range


_Nested: TypeAlias = "Series | Either | Group | Look | Repeat"
Part: TypeAlias = "Character | Edge | Same | _Nested"


class Pattern(NamedTuple):
    """A whole pattern.

    Attributes:
        part: The part that a text must match somewhere.
        groups: How many groups it has.
        names: Name to number of those that have names.
        refers: Whether it has back-references.
    """

    part: Part
    groups: int
    names: dict[str, int]
    refers: bool


@dataclass(slots=True)
class _Reader:
    """A pattern, and how far it has been read."""

    text: str
    at: int = 0
    depth: int = 0
    groups: int = 0
    names: dict[str, int] = field(default_factory=dict[str, int])
    references: list[int | str] = field(default_factory=list["int | str"])

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read the text that matches a regular expression, if it comes next."""
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match


def parse_pattern(text: str) -> Pattern:
    """Return the tree of a pattern.

    Raises:
        ValueError: It is no ECMA-262 pattern, or too large.
    """
    if len(text) > limits.PATTERN_CHARACTERS:
        raise ValueError("the pattern is too large")
    reader = _Reader(text)
    part = _either(reader)
    if reader.at < len(text):
        raise ValueError("a group is closed twice")
    known = {*reader.names, *range(1, reader.groups + 1)}
    for group in reader.references:
        if group not in known:
            raise ValueError("a back-reference names no group")
    return Pattern(part, reader.groups, reader.names, bool(reader.references))


def _either(reader: _Reader) -> Part:
    branches = [_series(reader)]
    while reader.text.startswith("|", reader.at):
        reader.at += 1
        branches.append(_series(reader))
    return Either(tuple(branches)) if len(branches) > 1 else branches[0]


def _series(reader: _Reader) -> Part:
    parts: list[Part] = []
    while reader.at < len(reader.text) and reader.text[reader.at] not in "|)":
        before = reader.groups
        part = _part(reader)
        if not isinstance(part, (Edge, Look)) and (repeat := reader.take(REPEAT)):
            part = _repeated(part, repeat, range(before + 1, reader.groups + 1))
        parts.append(part)
    return Series(tuple(parts))


def _part(reader: _Reader) -> Part:
    if edge := reader.take(_EDGE):
        return Edge(edge[0])
    if same := reader.take(_SAME):
        group = int(same[1]) if same[1] else same[2]
        reader.references.append(group)
        return Same(group)
    if reader.text[reader.at] == "(":
        return _group(reader)
    if REPEAT.match(reader.text, reader.at):
        raise ValueError("a quantifier has nothing to repeat")
    rust, reader.at = read_atom(reader.text, reader.at)
    return Character(rust)


def _group(reader: _Reader) -> Part:
    opening = reader.take(_OPENING)
    reader.depth += 1
    if not opening or reader.depth > limits.PATTERN_GROUPS:
        raise ValueError("a group is of an unknown kind, or too deep")
    look, number = opening["look"], 0
    if look is None and opening[0] != "(?:":
        reader.groups += 1
        number = reader.groups
        # A second group of one name is an error until ECMA-262 of 2025.
        if reader.names.setdefault(opening["name"] or str(number), number) != number:
            raise ValueError("two groups have one name")
    part = _either(reader)
    if not reader.text.startswith(")", reader.at):
        raise ValueError("a group is not closed")
    reader.at += 1
    reader.depth -= 1
    if look is not None:
        return Look(part, behind=look[0] == "<", negative=look[-1] == "!")
    return Group(part, number) if number else part


def _repeated(part: Part, repeat: re.Match[str], groups: range) -> Part:
    sign = repeat[0][0]
    if sign == "{":
        least = int(repeat[1])
        most = int(repeat[2]) if repeat[2] else None
        if repeat[2] is None:  # "{3}", and not "{3,}"
            most = least
    else:
        least, most = int(sign == "+"), 1 if sign == "?" else None
    if most is not None and most < least:
        raise ValueError("the numbers of a quantifier are out of order")
    lazy = len(repeat[0]) > 1 and repeat[0].endswith("?")
    return Repeat(part, least, most, lazy, groups)
