# Copied by mcp-bindgen. Do not edit.
"""Compares the schemas of a tool: members, types, values and bounds.

All other schemas are undecided: unions of objects, `allOf`, `not`, conditions, names by
pattern. `mcp-bindgen diff` compares these, too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ... import limits
from ...json_pointer import child
from ...json_values import elements, members
from .members import At, compare_members
from .rules import ABSENT, Change
from .shapes import UndecidedError, bound_of, shape_of, words
from .spelling import bare, changed_words, differ, lead_to_same, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .shapes import Branch, Shape
    from .spelling import Forms

__all__ = ["compare_schemas"]

_SAFE = 2**53 - 1  # the largest integer that every JSON reader keeps
_WORD_RULES = {"title": "TITLE", "description": "DESCRIPTION", "default": "DEFAULT"}
_BOUNDS: Mapping[str, tuple[str, str]] = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
    "number": ("minimum", "maximum"),
}
_OTHER_BOUNDS: Mapping[str, tuple[str, ...]] = {
    "array": ("uniqueItems",),
    "number": ("exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


@dataclass
class _Pair:
    """Two whole schemas that are compared, and the side of a call that they are on."""

    prefix: str
    old: Any
    new: Any
    steps: int = limits.VERIFY_STEPS
    same: dict[tuple[int, int], bool] = field(
        default_factory=dict[tuple[int, int], bool]
    )
    forms: Forms = field(default_factory=dict[tuple[int, bool], dict[str, Any]])

    @property
    def is_input(self) -> bool:
        return self.prefix == "PARAM_"

    @cached_property
    def has_same_definitions(self) -> bool:
        """Whether references have the same targets on both sides."""
        old, new = (
            [bare({key: members(side).get(key)}) for key in ("$defs", "definitions")]
            for side in (self.old, self.new)
        )
        return text(old) == text(new)

    def are_alike(self, old: Any, new: Any) -> bool:
        """Return whether schemas differ in order and annotations at most."""
        plain = text(bare(old, self.forms))
        if plain != text(bare(new, self.forms)):
            return False
        return '"$ref"' not in plain or (
            self.has_same_definitions and lead_to_same(plain, self.old, self.new)
        )

    def are_same(self, old: Any, new: Any) -> bool:
        """Return whether schemas without references are spelled the same."""
        key = id(old), id(new)
        if key not in self.same:
            first = text(old)
            self.same[key] = '"$ref"' not in first and first == text(new)
        return self.same[key]


def compare_schemas(prefix: str, old: Any, new: Any) -> Iterator[Change]:
    """Yield the changes of a schema, each once; pointers lead into the schema.

    Args:
        prefix: "PARAM_" for arguments, "FIELD_" for results.
        old: The recorded schema.
        new: The schema as the server has it now.
    """
    reported = set[tuple[str, str]]()
    if prefix == "PARAM_":
        old, new = _as_object(old), _as_object(new)
    one, other = text(old), text(new)
    if one == other:
        return
    pair = _Pair(prefix, old, new)
    # Another order alone is no change; without this, large schemas were undecided.
    may_be_alike = len(one) == len(other) and pair.are_alike(old, new)
    if may_be_alike and not any(changed_words(old, new, "", pair.forms)):
        return
    for change in _compare(pair, At("", old), At("", new)):
        if (change.rule, change.pointer) not in reported:
            reported.add((change.rule, change.pointer))
            yield change


def _as_object(schema: Any) -> Any:
    """Return a schema of arguments, which are always an object."""
    facts = members(schema)
    if isinstance(schema, dict) and "object" in elements(facts.get("type", ["object"])):
        return {**facts, "type": "object"}
    return cast("object", schema)


def _compare(
    pair: _Pair, old: At, new: At, visited: tuple[tuple[int, int], ...] = ()
) -> Iterator[Change]:
    key = id(old.node), id(new.node)
    if key in visited or pair.are_same(old.node, new.node):
        return
    pair.steps -= 1
    if pair.steps < 0 or len(visited) > limits.VERIFY_DEPTH:
        yield Change(f"{pair.prefix}UNDECIDED", new.pointer)
        return
    yield from _words(pair, old, new)
    try:
        before = shape_of(pair.old, *old)
        after = shape_of(pair.new, *new)
        if before.is_any or after.is_any:
            yield from _any(pair, before, after)
            return
        yield from _kinds(pair, before, after)
        for kind in [kind for kind in before.branches if kind in after.branches]:
            branches = before.branches[kind], after.branches[kind]
            yield from _scalars(pair, kind, *branches)
            yield from _inner(pair, kind, branches, (*visited, key))
    except UndecidedError:
        yield from _hard(pair, old, new)


def _hard(pair: _Pair, old: At, new: At) -> Iterator[Change]:
    """Yield an undecided change; or the changed texts, if nothing else differs."""
    if not pair.are_alike(old.node, new.node):
        yield Change(f"{pair.prefix}UNDECIDED", new.pointer)
        return
    for at, word in changed_words(old.node, new.node, new.pointer, pair.forms):
        rule = f"{pair.prefix}{_WORD_RULES.get(word, 'TEXT')}_CHANGED"
        yield Change(rule, at)


def _words(pair: _Pair, old: At, new: At) -> Iterator[Change]:
    before, after = words(pair.old, old.node), words(pair.new, new.node)
    for word in sorted({*before, *after}):
        values = before.get(word, ABSENT), after.get(word, ABSENT)
        if differ(*values):
            rule = f"{pair.prefix}{_WORD_RULES.get(word, 'TEXT')}_CHANGED"
            yield Change(rule, new.pointer, *values)


def _any(pair: _Pair, before: Shape, after: Shape) -> Iterator[Change]:
    """Yield the change from or to a schema that every value fits."""
    if before.is_any and after.is_any:
        return
    rule = "TYPE_WIDENED"
    if before.is_any:
        rule = "ANY_NARROWED" if pair.is_input else "TYPE_NARROWED"
    yield _retyped(pair, rule, before, after)


def _retyped(pair: _Pair, rule: str, before: Shape, after: Shape) -> Change:
    names = [
        ["any"] if shape.is_any else [branch.kind for branch in shape.branches.values()]
        for shape in (before, after)
    ]
    return Change(pair.prefix + rule, after.pointer, names[0], names[1])


def _kinds(pair: _Pair, before: Shape, after: Shape) -> Iterator[Change]:
    """Yield how the types of a value differ; an integer is a number here."""
    old, new = {*before.branches}, {*after.branches}
    if ("null" in old) != ("null" in new):
        rule = "NULL_ADDED" if "null" in new else "NULL_REMOVED"
        yield Change(pair.prefix + rule, after.pointer)
    removed, added = old - new - {"null"}, new - old - {"null"}
    if removed or added:
        rule = "TYPE_WIDENED" if added else "TYPE_NARROWED"
        rule = "TYPE_CHANGED" if removed and added else rule
        yield _retyped(pair, rule, before, after)


def _scalars(pair: _Pair, kind: str, old: Branch, new: Branch) -> list[Change]:
    """Return the differences of two branches of one type, without their members."""
    at, prefix = new.pointer, pair.prefix
    changes: list[Change] = []
    if old.kind != new.kind:
        rule = "TYPE_WIDENED" if new.kind == "number" else "TYPE_NARROWED"
        changes.append(Change(prefix + rule, at, [old.kind], [new.kind]))
    # Before the values: bounds that cannot be compared leave all of it undecided.
    bounds = _bounds(pair, kind, old, new)
    if old.values is not None or new.values is not None:
        # Only `mcp-bindgen diff` compares values with bounds.
        if _has_bounds(kind, old) or _has_bounds(kind, new):
            raise UndecidedError
        changes += _listed(pair, old, new)
    else:
        changes += bounds
    if kind == "string":
        before, after = (side.node.get("pattern", ABSENT) for side in (old, new))
        if differ(before, after):
            rule = "IMPOSED" if before is ABSENT else "CHANGED"
            rule = "LIFTED" if after is ABSENT else rule
            changes.append(Change(f"{prefix}PATTERN_{rule}", at, before, after))
        before, after = (side.node.get("format", ABSENT) for side in (old, new))
        if differ(before, after):
            changes.append(Change(f"{prefix}FORMAT_CHANGED", at, before, after))
    return changes


def _listed(pair: _Pair, old: Branch, new: Branch) -> Iterator[Change]:
    """Yield how the values of an enum differ."""
    rule = f"{pair.prefix}ENUM_"
    if old.values is None or new.values is None:
        way = "IMPOSED" if old.values is None else "LIFTED"
        yield Change(rule + way, new.pointer, _read(old.values), _read(new.values))
        return
    for way, values in (
        ("VALUE_REMOVED", old.values - new.values),
        ("VALUE_ADDED", new.values - old.values),
    ):
        if values:
            yield Change(rule + way, new.pointer, _read(values), _read(values))


def _read(values: frozenset[str] | None) -> Any:
    return ABSENT if values is None else [json.loads(each) for each in sorted(values)]


def _has_bounds(kind: str, branch: Branch) -> bool:
    names = {*_BOUNDS.get(kind, ()), *_OTHER_BOUNDS.get(kind, ()), "pattern"}
    return bool(branch.node.keys() & names)


def _bounds(pair: _Pair, kind: str, old: Branch, new: Branch) -> list[Change]:
    """Return one change for the bounds that are tighter, and one for the looser."""
    others = [
        {name: side.node.get(name) for name in _OTHER_BOUNDS.get(kind, ())}
        for side in (old, new)
    ]
    # Not by truth: above 0 is a bound.
    is_hard = any(v is not None and v is not False for v in others[0].values())
    ways: dict[str, list[dict[str, Any]]] = {}
    for name, sign in zip(_BOUNDS.get(kind, ()), (1, -1), strict=False):
        before, after = (bound_of(kind, side, name) for side in (old, new))
        if before != after:
            way = _way(new.kind, sign, before, after)
            olds, news = ways.setdefault(way, [{}, {}])
            for values, value in ((olds, before), (news, after)):
                if value is not None:
                    values[name] = value
    if text(others[0]) != text(others[1]) or (ways and is_hard):
        raise UndecidedError
    return [
        Change(f"{pair.prefix}BOUND_{way}", new.pointer, olds, news)
        for way, (olds, news) in ways.items()
    ]


def _way(kind: str, sign: int, before: Any, after: Any) -> str:
    """Return how a bound changed: upwards is tighter for a lower one (sign 1)."""
    if kind == "integer" and {before, after} <= {None, _SAFE, -_SAFE}:
        return "VACUOUS"
    if after is None:
        return "LOOSENED"
    is_tighter = before is None or sign * after > sign * before
    return "TIGHTENED" if is_tighter else "LOOSENED"


def _inner(
    pair: _Pair, kind: str, both: tuple[Branch, Branch], visited: tuple[Any, ...]
) -> Iterator[Change]:
    """Yield the differences of the elements of arrays, or of the members of objects."""
    if kind == "array":
        items = [At(child(s.pointer, "items"), s.node.get("items", True)) for s in both]
        yield from _compare(pair, items[0], items[1], visited)
    elif kind == "object":
        for each in compare_members(pair.prefix, *both):
            if isinstance(each, Change):
                yield each
            else:
                yield from _compare(pair, *each, visited)
