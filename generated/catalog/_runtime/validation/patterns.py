# Copied by mcp-bindgen. Do not edit.
"""Translates ECMA-262 regular expressions for pydantic's linear-time Rust engine.

The patterns come from servers, so Python's backtracking `re` never runs one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from .. import limits

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["compile_pattern", "searcher", "states", "translate"]

_SPACE = r"\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}"
_SETS = {
    "d": "[0-9]",
    "D": "[^0-9]",
    "w": "[0-9A-Za-z_]",
    "W": "[^0-9A-Za-z_]",
    "s": rf"[{_SPACE}\u{{3000}}\u{{feff}}]",
    "S": rf"[^{_SPACE}\u{{3000}}\u{{feff}}]",
}
_NOTHING = r"[^\u{0}-\u{10ffff}]"
_ANYTHING = r"[\u{0}-\u{10ffff}]"
_SPECIAL = r"\.+*?()|[]{}^$"
_SPECIAL_IN_SET = r"[]\^&~-"
_DOT = r"[^\n\r\u{2028}\u{2029}]"
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}

_ESCAPE = re.compile(
    r"\\(?:u\{(?P<braced>[0-9A-Fa-f]{1,6})\}"
    r"|u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})\\u(?P<low>[dD][c-fC-F][0-9A-Fa-f]{2})"
    r"|[ux](?P<hex>(?<=u)[0-9A-Fa-f]{4}|(?<=x)[0-9A-Fa-f]{2})"
    r"|c(?P<control>[A-Za-z])"
    r"|(?P<property>[pP]\{[A-Za-z_]+(?:=\w+)?\})"
    r"|(?P<set>[dDwWsS])"
    r"|(?P<named>[tnvfr]|0(?![0-9]))"
    r"|(?P<itself>[^A-Za-z0-9]))"
)
_GROUP = re.compile(r"\((?:\?(?:-?i)?:|\?i\)|\?P?<\w+>|(?!\?))")
REPEAT = re.compile(r"(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??", re.ASCII)


def translate(pattern: str) -> str:
    r"""Rewrite a pattern of ECMA-262 so that the Rust engine reads it the same.

    `\d`, `\w` and `\b` are ASCII, `.` stops at every line end, and `[a&&b]` is a set
    of two letters. Python's `(?P<name>` and a leading `(?i)` are understood too.

    Args:
        pattern: The pattern as the schema gives it.

    Raises:
        ValueError: The engine has no such feature (look-around, back-references), the
            pattern is no ECMA-262 pattern, or it is too large to run quickly.
    """
    return _read(pattern)[0]


def states(pattern: str) -> int:
    """Return about how many states the engine makes of a pattern.

    Raises:
        ValueError: See `translate`.
    """
    return _read(pattern)[1]


def _read(pattern: str) -> tuple[str, int]:
    if len(pattern) > limits.PATTERN_CHARACTERS:
        raise ValueError("the pattern is too large")
    out: list[str] = []
    sizes = [0]  # states of each open group
    last = 0  # states of the part that a quantifier would repeat
    at = 0
    while at < len(pattern):
        text, end, last = _next(pattern, at, sizes, last)
        if sum(sizes) > limits.PATTERN_STATES or len(sizes) > limits.PATTERN_GROUPS:
            raise ValueError("the pattern is too large")
        out.append(text)
        at = end
    if len(sizes) > 1:
        raise ValueError("a group is not closed")
    return "".join(out), sum(sizes)


@lru_cache(maxsize=limits.PATTERNS)
def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """Make the test whether a string matches a pattern anywhere, in linear time.

    Raises:
        ValueError: See `translate`; or the engine refuses the pattern.
    """
    return searcher(translate(pattern))


def searcher(rust: str) -> Callable[[object], bool]:
    """Return a search for a pattern, in linear time.

    Args:
        rust: The pattern, in the syntax of Rust's regex.

    Raises:
        ValueError: The engine refuses the pattern.
    """
    # Few schemas have a pattern, and a program that only imports has none.
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    schema = core_schema.str_schema(
        pattern=rust, regex_engine="rust-regex", strict=True
    )
    try:
        return SchemaValidator(schema).isinstance_python
    except SchemaError:
        raise ValueError("the engine does not read the pattern") from None


def _next(pattern: str, at: int, sizes: list[int], last: int) -> tuple[str, int, int]:
    """Translate one token.

    Args:
        pattern: The whole pattern.
        at: The position where the token begins.
        sizes: States of each open group, the innermost last; they are updated.
        last: States of the token before, which a quantifier repeats; 0 for none.

    Returns:
        The token for the Rust engine, the position of the next one, and `last` for it.
    """
    char = pattern[at]
    if repeat := REPEAT.match(pattern, at):
        return _repeat(repeat, sizes, last)
    if char == "(":
        return _open(pattern, at, sizes)
    if char == ")":
        if len(sizes) == 1:
            raise ValueError("a group is closed twice")
        last = sizes.pop()
        sizes[-1] += last
        return char, at + 1, max(last, 1)
    if char == "|" or char in "^$":
        return char, at + 1, 0
    if pattern.startswith((r"\b", r"\B"), at):
        return f"(?-u:{pattern[at : at + 2]})", at + 2, 0
    text, end = read_atom(pattern, at)
    last = limits.PATTERN_PROPERTY if r"\p" in text.lower() else 1
    sizes[-1] += last
    return text, end, last


def _open(pattern: str, at: int, sizes: list[int]) -> tuple[str, int, int]:
    group = _GROUP.match(pattern, at)
    if not group:
        raise ValueError("look-around and the like are not supported")
    if group[0] != "(?i)":
        sizes.append(0)
    elif at:
        raise ValueError("(?i) is allowed only at the start")
    return group[0], group.end(), 0


def _repeat(repeat: re.Match[str], sizes: list[int], last: int) -> tuple[str, int, int]:
    if not last:
        raise ValueError("a quantifier has nothing to repeat")
    bound = int(repeat[2] or repeat[1] or 1)
    sizes[-1] += last * max(bound - 1, 0)
    return repeat[0], repeat.end(), 0


def read_atom(pattern: str, at: int) -> tuple[str, int]:
    """Translate the pattern of one character: a letter, an escape, `.` or a set.

    Args:
        pattern: The whole pattern.
        at: The position where it begins.

    Returns:
        The same for the Rust engine, and the position of the next token.

    Raises:
        ValueError: No character is written so.
    """
    char = pattern[at]
    if char == ".":
        return _DOT, at + 1
    if char == "[":
        return _set(pattern, at)
    if char == "\\":
        return _escape(pattern, at)
    if re.match(r"\{,\d+\}", pattern[at : at + 9]):
        raise ValueError("{,n} means different things in different languages")
    return _literal(ord(char), _SPECIAL), at + 1


def _escape(pattern: str, at: int, special: str = _SPECIAL) -> tuple[str, int]:
    escape = _ESCAPE.match(pattern, at)
    if not escape:
        raise ValueError("an escape is not supported")
    kind, text = escape.lastgroup, escape[escape.lastgroup or 0]
    if kind == "set":
        return _SETS[text], escape.end()
    if kind == "property":
        return f"\\{text}", escape.end()
    if kind == "low":
        high, low = int(escape["high"], 16), int(text, 16)
        code = 0x10000 + ((high - 0xD800) << 10) + low - 0xDC00
    elif kind == "control":
        code = ord(text) % 32
    elif kind == "named":
        code = _CONTROLS[text]
    else:
        code = ord(text) if kind == "itself" else int(text, 16)
    return _literal(code, special), escape.end()


def _literal(code: int, special: str) -> str:
    try:
        char = chr(code)
        char.encode()
    except ValueError:  # half of a surrogate pair, or beyond Unicode
        raise ValueError("an escape names no character") from None
    if not (char.isascii() and char.isprintable()):
        return rf"\u{{{code:x}}}"
    return f"\\{char}" if char in special else char


def _set(pattern: str, at: int) -> tuple[str, int]:
    """Translate a character class; Rust nests classes and gives `&&` a meaning."""
    out = ["[^" if pattern.startswith("[^", at) else "["]
    at += len(out[0])
    while at < len(pattern) and pattern[at] != "]":
        text, at = _member(pattern, at)
        if pattern.startswith("-", at) and pattern[at + 1 : at + 2] not in ("", "]"):
            end, after = _member(pattern, at + 1)
            if not _is_set(text) and not _is_set(end):
                text, at = f"{text}-{end}", after
        out.append(text)
    if at >= len(pattern):
        raise ValueError("a character class is not closed")
    if len(out) == 1:  # ECMA-262: [] is nothing, [^] anything
        return (_NOTHING if out[0] == "[" else _ANYTHING), at + 1
    if out[-1] == r"\-":
        out[-1] = "-"
    return "".join([*out, "]"]), at + 1


def _member(pattern: str, at: int) -> tuple[str, int]:
    if pattern.startswith(r"\b", at):
        return _literal(8, ""), at + 2
    if pattern[at] == "\\":
        return _escape(pattern, at, _SPECIAL_IN_SET)
    return _literal(ord(pattern[at]), _SPECIAL_IN_SET), at + 1


def _is_set(text: str) -> bool:
    return text.startswith(("[", r"\p", r"\P"))
