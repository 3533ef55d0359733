# Copied by mcp-bindgen. Do not edit.
"""Replaces secrets in texts by patterns of the owner."""

from __future__ import annotations

import re

from ... import limits
from ...validation.pattern_reach import matches_nothing
from ...validation.patterns import compile_pattern, translate
from .mask_search import PARTS, matches
from .mask_ways import ways_of

__all__ = ["fault_of_mask", "masked"]

_MASK = "[masked]"
# Python's engine may take the square of a text's length; pieces bound it. Each begins
# in the middle of the one before, so that no match of up to 2,048 characters is cut.
_AMBIGUOUS = (
    "two of its repetitions match the same characters, which may take very long; write"
    " [^;]*; in place of .*;"
)
_SET = (
    "a later Python may read a set in it in another way; write a backslash before each"
    r" [, -, &, | and ~ of the set that is meant as it is: [\[\-]"
)
# A set, an escape, or another character.
_PART = re.compile(
    r"\\.|\[(?P<set>\^?+(?:\\.|[^\\])(?:\\.|[^\]\\])*)(?:\]|\Z)|.", re.DOTALL
)
# `re` warns of these once only, and where the filters of the whole program let it.
_LATER = re.compile(r"\[|\^?+(?:\\.|[^\\])(?:\\.|[^\\])*?(?:--|&&|\|\||~~)", re.DOTALL)
_ALIKE = re.compile(r"[\t\n -~]*")
_REPEAT = re.compile(r"[*+]|\{\d+,\d*\}")
_MANY = re.compile(r"[*+]|\{\d+,\d*\}|\{(?:9|\d{2,})\}")


def fault_of_mask(pattern: str) -> str:
    """Return the reason why a pattern cannot mask, "" if it can.

    Python's engine finds where a match ends, but may take for ever on a repetition in
    a repetition, and on several where one text can be divided among them in many ways.
    """
    try:
        translate(pattern)
        if _has_later_set(pattern):
            return _SET
        compiled = re.compile(pattern)
    except (ValueError, re.error) as error:
        return str(error)
    if pattern.isascii() and matches_nothing(pattern):
        return "no text matches it"
    if compiled.match(""):
        return "it matches the empty text"
    if _nested(pattern):
        return "a repetition in a repetition"
    if ways_of(pattern) > limits.MASK_WAYS:
        return _AMBIGUOUS
    return ""


def _has_later_set(pattern: str) -> bool:
    """Return whether a set may hold another set, or two signs that combine sets."""
    sets = (part["set"] for part in _PART.finditer(pattern))
    return any(each is not None and _LATER.match(each) for each in sets)


def _nested(pattern: str) -> bool:
    """Return whether a group that repeats something, or has branches, is repeated."""
    groups = [False]
    tokens = list(PARTS.finditer(pattern))
    for token in tokens:
        text = token[0]
        if text.startswith("("):
            groups.append(False)
        elif text == ")" and len(groups) > 1:
            variable = groups.pop()
            if variable and _MANY.match(pattern, token.end()):
                return True
            groups[-1] |= variable
        elif text in "*+|?" or _REPEAT.match(pattern, token.start()):
            groups[-1] = True
    return False


def _may_match(pattern: str, piece: str) -> bool:
    """Return whether a piece may have a match; the Rust engine tells in linear time.

    It reads texts of these characters as Python's engine does, except for a line end
    before the end. A match that begins in the middle of a word is in the piece before,
    too.
    """
    if not _ALIKE.fullmatch(piece) or piece.endswith("\n"):
        return True
    return compile_pattern(pattern)(piece)


def masked(text: str, patterns: tuple[str, ...]) -> str:
    """Return a text with a mark in place of each match.

    Example: `masked("key sk-12", ("sk-[0-9]+",)) == "key [masked]"`.

    Args:
        text: The text.
        patterns: Patterns that `fault_of_mask` finds no fault in.
    """
    for pattern in patterns:
        parts, end = list[str](), 0
        begins = range(0, len(text), limits.MASK_PIECE // 2)
        spans = sorted(
            match.span()
            for begin in begins
            if _may_match(pattern, text[begin : begin + limits.MASK_PIECE])
            for match in matches(pattern, text, begin, begin + limits.MASK_PIECE)
        )
        for first, after in spans:
            if first >= end:
                parts += [text[end:first], _MASK]
            end = max(end, after)
        text = "".join([*parts, text[end:]])
    return text
