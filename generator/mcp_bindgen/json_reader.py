"""Bytes from a stranger become JSON values, under limits checked before the work."""

from __future__ import annotations

import json
import math
import re
import secrets
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, NoReturn, TypeAlias, TypeGuard, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.runtime.json_pointer import child

__all__ = ["JSON", "Sifted", "count", "parse", "sift"]

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class _Flaw:
    """Stands in the parsed tree where the text held what we do not take."""

    message: str


@dataclass(frozen=True, slots=True)
class _Rounded:
    """Stands in the parsed tree for a number with more digits than we can keep."""

    value: float
    digits: str


_Tree: TypeAlias = (
    "dict[str, _Tree] | list[_Tree] | str | float | bool | _Flaw | _Rounded | None"
)


class _Place(NamedTuple):
    """Where a value stands, linked upwards so that going down costs nothing."""

    key: str | int
    parent: _Place | None


# The next mark outside strings, or the end: a search that fails would start again.
_MARK = re.compile(r'(?s)(?:[^"[\]{},]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"?)*+([{}[\],]|\Z)')

_AS_NULL = "it is read as null; only the server's authors can mend it"
_AS_DOUBLE = "the nearest number that there is is used; tell the server's authors"

# Takes the place of a value that is nested too deeply, so that json.loads never
# recurses into it. A number that no file can hold, since nobody knows it before.
_TOO_DEEP = f"-0.0e-{secrets.randbits(128)}"
_NOT_ZERO = re.compile(r"[-0.]*[1-9]")
_DIGITS = 17  # as many tell each double from all others


class Sifted(NamedTuple):
    """What was read.

    Attributes:
        value: All of it, with null for each fault.
        faults: Places with what we do not take.
        rounded: Places with numbers that were not read exactly.
    """

    value: JSON
    faults: tuple[Problem, ...] = ()
    rounded: tuple[Problem, ...] = ()


def parse(data: bytes, limits: Limits = DEFAULT) -> JSON:
    """Read strict JSON.

    Args:
        data: UTF-8 text, with or without a byte order mark.
        limits: How much of everything is allowed.

    Raises:
        BindgenError: It is no JSON (RFC 8259), a key stands twice in an object, or a
            limits is exceeded.
    """
    sifted = sift(data, limits)
    if sifted.faults:
        raise BindgenError(*sifted.faults)
    return sifted.value


def sift(data: bytes, limits: Limits = DEFAULT) -> Sifted:
    """Read JSON and tell the values that we do not take from the others.

    Such a value is replaced by null and named by a problem, so that one bad place
    does not cost all the rest.

    Args:
        data: UTF-8 text, with or without a byte order mark.
        limits: How much of everything is allowed.

    Raises:
        BindgenError: It is no JSON at all, or too much of it.
    """
    if len(data) > limits.bytes:
        _refuse(f"{len(data):,} bytes, more than {limits.bytes:,}", _raise("bytes"))
    tree = _load(_cut(_decode(data), limits), limits)
    if _is_flawless(tree, limits):
        return Sifted(tree)
    problems: list[Problem] = []
    value = _clean(tree, None, limits, problems)
    faults = tuple(p for p in problems if p.hint == _AS_NULL)
    return Sifted(value, faults, tuple(p for p in problems if p.hint == _AS_DOUBLE))


def count(value: object) -> int:
    """Return how many JSON values a value is, itself included."""
    if isinstance(value, dict):
        return 1 + sum(map(count, cast("dict[str, object]", value).values()))
    if isinstance(value, list):
        return 1 + sum(map(count, cast("list[object]", value)))
    return 1


def _raise(limit: str) -> str:
    return f"if that is as it should be, raise the limit: --limit {limit}=NUMBER"


def _refuse(message: str, hint: str) -> NoReturn:
    raise BindgenError(Problem("", message, hint))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(f"line {line}: no UTF-8 text", "save the file as UTF-8")


def _cut(text: str, limits: Limits) -> str:
    """Count nodes and replace what is nested too deeply, without parsing anything."""
    depth, nodes, begin, done = 0, 1, 0, 0
    kept: list[str] = []
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
                kept += (text[done:begin], _TOO_DEEP)
                done = match.end()
            depth -= 1
        if nodes > limits.nodes:
            _refuse(f"more than {limits.nodes:,} JSON values", _raise("nodes"))
    if depth > limits.depth:  # Never closed: no JSON, which the parser will say.
        return "".join(kept) + text[done:begin]
    return "".join(kept) + text[done:]


def _load(text: str, limits: Limits) -> _Tree:
    def integer(digits: str) -> _Tree:
        return int(digits) if len(digits) <= limits.digits else _long(digits)

    def real(digits: str) -> _Tree:
        if digits == _TOO_DEEP:
            return _Flaw(f"nested more than {limits.depth} levels deep")
        if len(digits) > limits.digits:
            return _long(digits)
        return _real(digits)

    try:
        tree: _Tree = json.loads(
            text,
            parse_int=integer,
            parse_float=real,
            parse_constant=lambda name: _Flaw(f"{name} is no JSON value"),
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        message = f"line {error.lineno}, column {error.colno}: no JSON: {error.msg}"
        _refuse(message, "make the file with mcp-bindgen record")
    return tree


def _real(digits: str) -> _Tree:
    value = float(digits)
    if not math.isfinite(value) or (value == 0 and _NOT_ZERO.match(digits)):
        return _Flaw(f"{digits[:80]} is out of range")
    if len(digits) <= _DIGITS or value == 0:
        return value
    exact = Decimal(digits)
    said = "".join(map(str, exact.as_tuple().digits)).strip("0")
    is_same = len(said) <= _DIGITS or exact in (Decimal(value), Decimal(repr(value)))
    return value if is_same else _Rounded(value, digits)


def _long(digits: str) -> _Flaw:
    return _Flaw(f"a number of {len(digits):,} characters")


def _object(pairs: list[tuple[str, _Tree]]) -> _Tree:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
    return _Flaw(f"the key {twice[:80]!a} stands more than once in this object")


def _is_flawless(tree: _Tree, limits: Limits) -> TypeGuard[JSON]:
    """Tell whether all of a tree can be taken, without noting any place."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            if _fault(node, limits):
                return False
        elif isinstance(node, dict):
            keys = "".join(node)  # Where all together are sound, so is each.
            if _key_fault(keys, limits) and any(_key_fault(k, limits) for k in node):
                return False
            pending += node.values()
        elif isinstance(node, list):
            pending += node
        elif isinstance(node, (_Flaw, _Rounded)):
            return False
    return True


def _clean(
    tree: _Tree, place: _Place | None, limits: Limits, problems: list[Problem]
) -> JSON:
    """Return the tree with null for each flaw, and tell the flaws."""
    if isinstance(tree, dict):
        message = next(filter(None, (_key_fault(key, limits) for key in tree)), "")
    else:
        message = _fault(tree, limits)
    if message:
        if len(problems) == limits.faults:
            message = f"more than {limits.faults:,} places that cannot be taken"
            _refuse(message, _raise("faults"))
        if isinstance(tree, _Rounded):
            problems.append(Problem(_pointer(place), message, _AS_DOUBLE))
            return tree.value
        problems.append(Problem(_pointer(place), message, _AS_NULL))
        return None
    if isinstance(tree, dict):
        return {
            k: _clean(v, _Place(k, place), limits, problems) for k, v in tree.items()
        }
    if isinstance(tree, list):
        return [
            _clean(v, _Place(i, place), limits, problems) for i, v in enumerate(tree)
        ]
    return None if isinstance(tree, (_Flaw, _Rounded)) else tree


def _fault(value: _Tree, limits: Limits) -> str:
    if isinstance(value, _Flaw):
        return value.message
    if isinstance(value, _Rounded):
        return f"{value.digits[:80]} is read as {value.value!r}"
    if not isinstance(value, str):
        return ""
    if len(value) > limits.text:
        return f"a text of {len(value):,} characters, more than {limits.text:,}"
    if value.isascii():
        return ""
    try:
        value.encode()
    except UnicodeEncodeError:
        return "half of a surrogate pair, which is no character"
    return ""


def _key_fault(key: str, limits: Limits) -> str:
    if len(key) > limits.name:
        return f"a key of {len(key):,} characters, more than {limits.name:,}"
    return _fault(key, limits)


def _pointer(place: _Place | None) -> str:
    """Return the JSON pointer, each key cut to what a person can read."""
    keys: list[str | int] = []
    while place:
        keys.append(place.key if isinstance(place.key, int) else place.key[:80])
        place = place.parent
    return "".join(child("", key) for key in reversed(keys))
