# Copied by mcp-bindgen. Do not edit.
"""Reads schemas as texts: without their annotations and without their order."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ...json_pointer import child, steps
from ...json_values import elements, members
from .rules import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["WORDS", "Forms", "bare", "changed_words", "differ", "lead_to_same", "text"]

WORDS = frozenset(
    {"title", "description", "default", "examples", "example", "deprecated"}
    | {"$comment"}
)
"""The annotations whose change is a finding."""

_NOTES = frozenset(
    {*WORDS, "$schema", "readOnly", "writeOnly"}
    | {"contentEncoding", "contentMediaType"}
)
_DEPENDENT = frozenset({"dependentRequired", "dependencies"})
# Their keys are names, not keywords: a member may be called `title`.
_MAPS = _DEPENDENT | frozenset(
    {"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}
)
_UNORDERED = _DEPENDENT | frozenset(
    {"type", "enum", "required", "anyOf", "oneOf", "allOf"}
)
_INTO_LIST = re.compile(r'"\$ref": "(#[^"]*/(?:anyOf|oneOf|allOf)/[^"]*)"')


Forms: TypeAlias = "dict[tuple[int, bool], dict[str, Any]]"
"""The identity of a schema, and whether its annotations stay, to its form. Without it,
nested unions would be read at each level again."""


def text(value: object) -> str:
    """Return JSON that is the same for equal values, with members in any order."""
    return json.dumps(value, sort_keys=True)


def differ(old: Any, new: Any) -> bool:
    """Return whether two values differ, where one may be absent."""
    if old is ABSENT or new is ABSENT:
        return old is not new
    return text(old) != text(new)


def bare(schema: Any, forms: Forms | None = None, *, noted: bool = False) -> Any:
    """Return a schema without its annotations and its order, definitions stay.

    Args:
        schema: The schema; names of members are no keywords.
        forms: Forms that are known, of schemas that do not change; it gets this one.
        noted: Whether the annotations stay.
    """
    forms = {} if forms is None else forms
    if isinstance(schema, list):
        listed = cast("list[object]", schema)
        return [bare(each, forms, noted=noted) for each in listed]
    if not isinstance(schema, dict):
        return schema
    key = id(cast("object", schema)), noted
    if key not in forms:
        forms[key] = _form(members(cast("object", schema)), forms, noted=noted)
    return forms[key]


def _form(schema: Mapping[str, Any], forms: Forms, *, noted: bool) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _NOTES:
            result |= {key: value} if noted else {}
            continue
        is_map = key in _MAPS and isinstance(value, dict)
        named: Mapping[str, Any] = cast("Any", value) if is_map else {key: value}
        inner = {
            name: each if key in {"enum", "const"} else bare(each, forms, noted=noted)
            for name, each in named.items()
        }
        if key in _UNORDERED:
            inner = {name: _in_order(each) for name, each in inner.items()}
        result |= {key: inner} if is_map else inner
    return result


def _in_order(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return sorted(cast("list[object]", value), key=text)


def lead_to_same(plain: str, old: object, new: object) -> bool:
    """Return whether references into lists without an order have the same targets.

    Such a list may be equal on both sides, and the number of a schema in it not.

    Args:
        plain: The text of a schema that is the same on both sides.
        old: The document of its references.
        new: The same, of the other side.
    """
    both = ((_at(old, ref), _at(new, ref)) for ref in {*_INTO_LIST.findall(plain)})
    return all(one is not None and text(one) == text(other) for one, other in both)


def _at(document: Any, ref: str) -> Any:
    """Return the bare schema that a reference leads to, None for none."""
    node: Any = document
    for step in steps(ref):
        inner: Mapping[str, Any] = members(node) or {
            str(number): each for number, each in enumerate(elements(node))
        }
        node = inner.get(step)
    return bare(node)


def changed_words(
    old: Any,
    new: Any,
    pointer: str,
    forms: Forms | None = None,
    *,
    named: bool = False,
    ordered: bool = True,
) -> Iterator[tuple[str, str]]:
    """Yield pointer and keyword of the annotations in which two schemas differ.

    Args:
        old: A schema.
        new: Another schema that differs in annotations only.
        pointer: The pointer of both.
        forms: As for `bare`.
        named: Whether both are schemas by the names of members.
        ordered: Whether both are lists with an order.
    """
    forms = {} if forms is None else forms
    if isinstance(old, list):
        sides = cast("object", old), cast("object", new)
        both = (_numbered(side, forms, ordered=ordered) for side in sides)
        for (_, before), (number, after) in zip(*both, strict=False):
            yield from changed_words(before, after, child(pointer, number), forms)
        return
    before, after = members(old), members(new)
    for key in sorted({*before, *after} - (set() if named else {"enum", "const"})):
        if key in WORDS and not named:
            one, other = ([side.get(key), key in side] for side in (before, after))
            if text(one) != text(other):
                yield pointer, key
        elif key in before and key in after:
            is_map = key in _MAPS and not named
            inner = before[key], after[key], child(pointer, key), forms
            in_order = named or key not in _UNORDERED
            yield from changed_words(*inner, named=is_map, ordered=in_order)


def _numbered(listed: object, forms: Forms, *, ordered: bool) -> list[tuple[int, Any]]:
    """Return the numbers and the schemas of a list, sorted where it has no order."""
    numbered = [*enumerate(elements(listed))]
    if ordered:
        return numbered
    texts = {
        number: (text(bare(each, forms)), text(bare(each, forms, noted=True)))
        for number, each in numbered
    }
    return sorted(numbered, key=lambda pair: texts[pair[0]])
