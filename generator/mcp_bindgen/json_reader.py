"""Reads JSON of a stranger strictly, within limits that are checked before parsing."""

from __future__ import annotations

import json
import math
import re
import secrets
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, NoReturn, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.json_scan import has_members, plain_members
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.runtime.json_pointer import child

__all__ = ["JSON", "Parsed", "parse", "parse_leniently"]

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class _Flaw:
    """A value that is refused or rounded; it replaces the value in the parsed tree."""

    message: str
    rounded: float | None = None


_Tree: TypeAlias = "dict[str, _Tree] | list[_Tree] | str | float | bool | _Flaw | None"


class _Location(NamedTuple):
    """The last step to a value, and the location of the value around it."""

    step: str | int
    parent: _Location | None


# The next bracket or comma outside of strings, or the end: it cannot fail, since a
# search that fails begins again at each character.
_MARK = re.compile(r'(?s)(?:[^"[\]{},]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"?)*+([{}[\],]|\Z)')

_AS_NULL = "the value is read as null; report this to the server's authors"
_AS_DOUBLE = "the nearest double is used; report this to the server's authors"

# Replaces a value that is nested too deeply, so that json.loads never recurses into
# it. Nobody can write this number into a file, since it is random.
_TOO_DEEP = f"-0.0e-{secrets.randbits(128)}"
_NOT_ZERO = re.compile(r"[-0.]*[1-9]")
_DIGITS = 17  # significant digits, which tell each double from all others
_TEXT_LENGTH = 80  # characters of a number or key that a message repeats


class Parsed(NamedTuple):
    """The result of `parse_leniently`.

    Attributes:
        value: The value, with null in place of each fault.
        faults: One problem for each value that was refused.
        rounded: One problem for each number that lost digits.
    """

    value: JSON
    faults: tuple[Problem, ...] = ()
    rounded: tuple[Problem, ...] = ()


def parse(data: bytes, limits: Limits = DEFAULT) -> JSON:
    """Read strict JSON.

    Args:
        data: UTF-8 text, with or without a byte order mark.
        limits: The limits on the file and on each value.

    Raises:
        BindgenError: The text is not JSON (RFC 8259), an object has a key twice, or
            a limit is exceeded.
    """
    parsed = parse_leniently(data, limits)
    if parsed.faults:
        raise BindgenError(*parsed.faults)
    return parsed.value


def parse_leniently(data: bytes, limits: Limits = DEFAULT) -> Parsed:
    """Read JSON, with null and a problem in place of each value that is refused.

    It refuses NaN, numbers out of range, strings that are not Unicode, objects with
    a key twice, and single values over a limit. The rest of the file can be used.

    Args:
        data: UTF-8 text, with or without a byte order mark.
        limits: The limits on the file and on each value.

    Raises:
        BindgenError: The file is not JSON, or is over a limit of the whole file.
    """
    if len(data) > limits.bytes:
        _refuse(f"expected at most {limits.bytes:,} bytes, got more", _raise("bytes"))
    text, members = _decode(data), plain_members(data, limits)
    if members is not None and (plain := _load_plain(text, members, limits)):
        return plain
    tree = _load(_cut(text, limits), limits)
    problems: list[Problem] = []
    value = _clean(tree, None, limits, problems)
    faults = tuple(p for p in problems if p.hint == _AS_NULL)
    return Parsed(value, faults, tuple(p for p in problems if p.hint == _AS_DOUBLE))


def _raise(limit: str) -> str:
    return f"if you trust the server, raise the limit: --limit {limit}=NUMBER"


def _refuse(message: str, hint: str) -> NoReturn:
    raise BindgenError(Problem("", message, hint))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = f"line {line}: expected UTF-8, got the byte 0x{data[error.start]:02x}"
        _refuse(wrong, "save the file as UTF-8")


def _cut(text: str, limits: Limits) -> str:
    """Count the values and replace those that are nested too deeply, before parsing."""
    depth, nodes, begin, done = 0, 1, 0, 0
    pieces: list[str] = []
    for match in _MARK.finditer(text):
        mark = match[1]
        if mark == ",":
            nodes += 1
        elif mark in {"[", "{"}:
            depth += 1
            nodes += 1
            if depth == limits.depth + 1:
                begin = match.start(1)
        elif mark:
            if depth == limits.depth + 1:
                pieces += (text[done:begin], _TOO_DEEP)
                done = match.end()
            depth -= 1
            if depth < 0:  # It closes nothing: the parser stops here at the latest.
                break
        if nodes > limits.nodes:
            wrong = f"expected at most {limits.nodes:,} JSON values, got more"
            _refuse(wrong, _raise("nodes"))
    # A value that is too deep and never closed goes; the parser will say so.
    return "".join(pieces) + text[done : begin if depth > limits.depth else None]


def _load_plain(text: str, members: int, limits: Limits) -> Parsed | None:
    """Read a text without a flaw; None where there may be one."""
    flaws: list[object] = []

    def real(digits: str) -> _Tree:
        value = _real(digits)
        if isinstance(value, _Flaw):
            flaws.append(value)
        return value

    try:
        tree = json.loads(text, parse_float=real, parse_constant=flaws.append)
    except json.JSONDecodeError:  # the other reader says so
        return None
    is_sound = has_members(tree, members, limits.name)
    return Parsed(tree) if is_sound and not flaws else None


def _load(text: str, limits: Limits) -> _Tree:
    def integer(digits: str) -> _Tree:
        return int(digits) if len(digits) <= limits.digits else long(digits)

    def real(digits: str) -> _Tree:
        if digits == _TOO_DEEP:
            return _Flaw(f"expected at most {limits.depth} levels of nesting, got more")
        if len(digits) > limits.digits:
            return long(digits)
        return _real(digits)

    def long(digits: str) -> _Flaw:
        return _Flaw(_too_long("number", digits, limits.digits))

    try:
        tree: _Tree = json.loads(
            text,
            parse_int=integer,
            parse_float=real,
            parse_constant=lambda name: _Flaw(f"{name} is not a JSON value"),
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        message = f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        _refuse(message, "create the file with mcp-bindgen record")
    return tree


def _real(digits: str) -> _Tree:
    """Return the number that digits write, or a flaw where a double cannot hold it."""
    value = float(digits)
    if not math.isfinite(value) or (value == 0 and _NOT_ZERO.match(digits)):
        return _Flaw(f"{digits[:_TEXT_LENGTH]} is outside the range of a double")
    if len(digits) <= _DIGITS or value == 0:
        return value
    # Long texts of short numbers, as 1.000, and of exact doubles lose nothing.
    exact = Decimal(digits)
    significant = "".join(map(str, exact.as_tuple().digits)).strip("0")
    is_same = exact in (Decimal(value), Decimal(repr(value)))
    is_same = is_same or len(significant) <= _DIGITS
    flaw = _Flaw(f"{digits[:_TEXT_LENGTH]} is read as {value!r}", rounded=value)
    return value if is_same else flaw


def _too_long(kind: str, text: str, limit: int) -> str:
    return f"expected a {kind} of at most {limit:,} characters, got {len(text):,}"


def _object(pairs: list[tuple[str, _Tree]]) -> _Tree:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    (repeated, _), *_ = Counter(key for key, _ in pairs).most_common(1)
    return _Flaw(f"this object has the key {repeated[:_TEXT_LENGTH]!a} more than once")


def _clean(
    tree: _Tree, location: _Location | None, limits: Limits, problems: list[Problem]
) -> JSON:
    """Return the tree with null for each flaw, and add a problem for each."""
    if isinstance(tree, dict):
        message = next(filter(None, (_key_fault(key, limits) for key in tree)), "")
    else:
        message = _fault(tree, limits)
    if message:
        if len(problems) == limits.faults:
            wrong = f"more than {limits.faults:,} values cannot be read"
            _refuse(wrong, _raise("faults"))
        rounded = tree.rounded if isinstance(tree, _Flaw) else None
        hint = _AS_NULL if rounded is None else _AS_DOUBLE
        problems.append(Problem(_pointer(location), message, hint))
        return rounded

    def inner(step: str | int, part: _Tree) -> JSON:
        return _clean(part, _Location(step, location), limits, problems)

    if isinstance(tree, dict):
        return {key: inner(key, member) for key, member in tree.items()}
    if isinstance(tree, list):
        return [inner(index, element) for index, element in enumerate(tree)]
    return None if isinstance(tree, _Flaw) else tree


def _fault(value: _Tree, limits: Limits) -> str:
    """Return the mistake in a value, not in its parts; "" for none."""
    if isinstance(value, _Flaw):
        return value.message
    if not isinstance(value, str):
        return ""
    if len(value) > limits.text:
        return _too_long("string", value, limits.text)
    if value.isascii():
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return "the string holds half of a surrogate pair, which is not a character"
    return ""


def _key_fault(key: str, limits: Limits) -> str:
    long = len(key) > limits.name
    return _too_long("key", key, limits.name) if long else _fault(key, limits)


def _pointer(location: _Location | None) -> str:
    """Return the JSON pointer of a location, each key cut to a readable length."""
    steps: list[str | int] = []
    while location:
        step = location.step
        steps.append(step if isinstance(step, int) else step[:_TEXT_LENGTH])
        location = location.parent
    return child("", *reversed(steps))
