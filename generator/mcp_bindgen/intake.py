"""Bytes from a stranger become JSON values, under budgets checked before the work."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem

__all__ = ["DEFAULT", "JSON", "Budget", "child", "parse", "sift"]

JSON: TypeAlias = "dict[str, JSON] | list[JSON] | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a recording may hold.

    The largest of 66 recordings of real servers needs a fifth of the bytes, a third of
    the nodes and half of the depth.

    Attributes:
        bytes: Bytes of the whole file; above, the file is refused.
        nodes: JSON values in the whole file; above, the file is refused.
        depth: Levels of nesting; what lies deeper is a problem of its tool.
        digits: Characters of one number, at most 4,300 (a limit of Python itself).
        text: Characters of one string or key.
        entries: Tools, resources or prompts in one list; above, the file is refused.
        entry_nodes: JSON values in one of them; above, it is left out.
        faults: Places that are reported before the rest is given up.
        pages: Pages of one list that a recorder follows.
    """

    bytes: int = 10_000_000
    nodes: int = 200_000
    depth: int = 64
    digits: int = 400
    text: int = 100_000
    entries: int = 2_000
    entry_nodes: int = 20_000
    faults: int = 10_000
    pages: int = 1_000


DEFAULT = Budget()


@dataclass(frozen=True, slots=True)
class _Flaw:
    """Stands in the parsed tree where the text held what we do not take."""

    message: str


_Tree: TypeAlias = (
    "dict[str, _Tree] | list[_Tree] | str | int | float | bool | _Flaw | None"
)


class _Place(NamedTuple):
    """Where a value stands, linked upwards so that going down costs nothing."""

    key: str | int
    parent: _Place | None


# A string that never ends is one token too, or the search would start again in it.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)

# Takes the place of a value that is nested too deeply, so that json.loads never
# recurses into it. Valid JSON that no serialiser writes.
_TOO_DEEP = "-0.0e-00000000064"


def parse(data: bytes, budget: Budget = DEFAULT) -> JSON:
    """Read strict JSON.

    Args:
        data: UTF-8 text, with or without a byte order mark.
        budget: How much of everything is allowed.

    Raises:
        BindgenError: It is no JSON (RFC 8259), a key stands twice in an object, or a
            budget is exceeded.
    """
    value, problems = sift(data, budget)
    if problems:
        raise BindgenError(*problems)
    return value


def sift(data: bytes, budget: Budget = DEFAULT) -> tuple[JSON, tuple[Problem, ...]]:
    """Read JSON and tell the values that we do not take from the others.

    Such a value is replaced by null and named by a problem, so that one bad place
    does not cost all the rest.

    Args:
        data: UTF-8 text, with or without a byte order mark.
        budget: How much of everything is allowed.

    Raises:
        BindgenError: It is no JSON at all, or too much of it.
    """
    if len(data) > budget.bytes:
        _refuse(f"{len(data):,} bytes, more than {budget.bytes:,}")
    tree = _load(_cut(_decode(data), budget), budget)
    problems: list[Problem] = []
    value = _clean(tree, None, budget, problems)
    return value, tuple(problems)


def child(pointer: str, key: str | int) -> str:
    """Return the JSON pointer (RFC 6901) of a member or an element."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def _refuse(message: str, hint: str = "") -> NoReturn:
    raise BindgenError(Problem("", message, hint))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(f"line {line}: no UTF-8 text", "save the file as UTF-8")


def _cut(text: str, budget: Budget) -> str:
    """Count nodes and replace what is nested too deeply, without parsing anything."""
    depth, nodes, begin, done = 0, 1, 0, 0
    kept: list[str] = []
    for match in _TOKEN.finditer(text):
        mark = text[match.start()]
        if mark in "[{":
            depth += 1
            nodes += 1
            if depth == budget.depth + 1:
                begin = match.start()
        elif mark in "]}":
            if depth == budget.depth + 1:
                kept += (text[done:begin], _TOO_DEEP)
                done = match.end()
            depth -= 1
        elif mark == ",":
            nodes += 1
        if nodes > budget.nodes:
            _refuse(f"more than {budget.nodes:,} JSON values")
    if depth > budget.depth:  # Never closed: no JSON, which the parser will say.
        return "".join(kept) + text[done:begin]
    return "".join(kept) + text[done:]


def _load(text: str, budget: Budget) -> _Tree:
    def integer(digits: str) -> _Tree:
        return int(digits) if len(digits) <= budget.digits else _long(digits)

    def real(digits: str) -> _Tree:
        if digits == _TOO_DEEP:
            return _Flaw(f"nested more than {budget.depth} levels deep")
        if len(digits) > budget.digits:
            return _long(digits)
        value = float(digits)
        return value if math.isfinite(value) else _Flaw(f"{digits} is out of range")

    try:
        tree: _Tree = json.loads(
            text,
            parse_int=integer,
            parse_float=real,
            parse_constant=lambda name: _Flaw(f"{name} is no JSON value"),
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        _refuse(f"line {error.lineno}, column {error.colno}: no JSON: {error.msg}")
    return tree


def _long(digits: str) -> _Flaw:
    return _Flaw(f"a number of {len(digits):,} characters")


def _object(pairs: list[tuple[str, _Tree]]) -> _Tree:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
    return _Flaw(f"the key {twice[:80]!a} stands more than once in this object")


def _clean(
    tree: _Tree, place: _Place | None, budget: Budget, problems: list[Problem]
) -> JSON:
    """Return the tree with null for each flaw, and tell the flaws."""
    if isinstance(tree, dict):
        message = next(filter(None, (_fault(key, budget) for key in tree)), "")
    else:
        message = _fault(tree, budget)
    if message:
        if len(problems) == budget.faults:
            _refuse(f"more than {budget.faults:,} places that cannot be taken")
        problems.append(Problem(_pointer(place), message))
        return None
    if isinstance(tree, dict):
        return {
            k: _clean(v, _Place(k, place), budget, problems) for k, v in tree.items()
        }
    if isinstance(tree, list):
        return [
            _clean(v, _Place(i, place), budget, problems) for i, v in enumerate(tree)
        ]
    return None if isinstance(tree, _Flaw) else tree


def _fault(value: _Tree, budget: Budget) -> str:
    if isinstance(value, _Flaw):
        return value.message
    if not isinstance(value, str):
        return ""
    if len(value) > budget.text:
        return f"a text of {len(value):,} characters, more than {budget.text:,}"
    try:
        value.encode()
    except UnicodeEncodeError:
        return "half of a surrogate pair, which is no character"
    return ""


def _pointer(place: _Place | None) -> str:
    """Return the JSON pointer, each key cut to what a person can read."""
    keys: list[str | int] = []
    while place:
        keys.append(place.key if isinstance(place.key, int) else place.key[:80])
        place = place.parent
    return "".join(child("", key) for key in reversed(keys))
