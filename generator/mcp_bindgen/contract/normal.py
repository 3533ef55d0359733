"""A schema to its normal form: one branch for each type, for any spelling.

`anyOf` with null and a list of types, `const` and an enum of one value, `minimum: 1`
and `exclusiveMinimum: 0` of an integer, a `$ref` and its target: one form for both.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.contract.alternatives import alternatives_of, schemas_of, target_of
from mcp_bindgen.contract.bounds import Bound, fits_bounds, merge_bounds
from mcp_bindgen.contract.bounds import read as read_bounds
from mcp_bindgen.contract.constraints import text_constraints
from mcp_bindgen.contract.shape import ALL_KINDS, KINDS, Branch, Part, Parts, Shape
from mcp_bindgen.contract.values import (
    common,
    excluded_values,
    kind_of,
    listed_values,
    matching,
    outside,
    without_idle_not,
)
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.node import is_array, mapped, members
from mcp_bindgen.schema.spelling import stripped

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from mcp_bindgen.contract.shape import Alternative, ShapedDocument
    from mcp_bindgen.schema.document import Document
    from mcp_bindgen.schema.node import Node

__all__ = ["members_of", "shape_of", "text_of"]

_WORDS = """title description default examples example deprecated $comment
    x-mcp-header""".split()
# The values of the types that have few.
_WHOLE = {"null": frozenset({"null"}), "boolean": frozenset({"true", "false"})}


def shape_of(document: ShapedDocument, parts: Parts) -> Shape:
    """Return the normal form of schemas; a value must fit all of them.

    Args:
        document: The document of their references.
        parts: The schemas.
    """
    key = tuple((pointer, id(node)) for pointer, node in parts)
    known = document.shapes.get(key)
    if known is None:
        alternatives = alternatives_of(document, parts)
        branches = [b for each in alternatives for b in _branches(document, each)]
        pointer = parts[0].pointer if parts else ""
        known = Shape(pointer, _simplified(branches), _words(document, parts))
        document.shapes[key] = known
    return known


def text_of(parts: Parts) -> str:
    """Return a text that is the same for schemas that only differ in annotations."""
    return canonical([stripped(part.node) for part in parts])


def _branches(document: Document, alternative: Alternative) -> list[Branch]:
    """Return a branch for each type that an alternative accepts."""
    nodes = [node for _, node in alternative]
    listed = [listed_values(node) for node in nodes]
    texts = common([each for each in listed if each is not None])
    if texts is not None:
        texts -= excluded_values(nodes)
    allowed = None if texts is None else {text: json.loads(text) for text in texts}
    kinds = _kinds(nodes)
    return [
        branch
        for kind in KINDS
        if kind in kinds
        and (branch := _branch(document, kind, alternative, allowed)) is not None
    ]


def _kinds(nodes: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the types that all schemas accept."""
    kinds = ALL_KINDS
    for node in nodes:
        declared = node.get("type")
        if declared is None:
            continue
        names = {declared} if isinstance(declared, str) else {*declared}
        common = kinds & names
        for one, other in ((kinds, names), (names, kinds)):
            if "integer" in one and "number" in other and "number" not in common:
                common |= {"integer"}
        kinds = frozenset(common)
    return kinds


def _of_kind(
    kind: str, values: Mapping[str, Any] | None, bounds: Mapping[str, Bound]
) -> frozenset[str] | None:
    """Return the values of one type within bounds; an integer is a number."""
    if values is None:
        return None
    kinds = {kind, "integer"} if kind == "number" else {kind}
    return frozenset(
        text
        for text, value in values.items()
        if kind_of(value) in kinds and fits_bounds(value, bounds)
    )


def _branch(
    document: Document,
    kind: str,
    alternative: Alternative,
    allowed: Mapping[str, Any] | None,
) -> Branch | None:
    """Return an alternative's branch of one type, None where it accepts no value."""
    nodes = [node for _, node in alternative]
    bounds = merge_bounds(read_bounds(kind, node) for node in nodes)
    inner, values = _inner(kind, alternative), _of_kind(kind, allowed, bounds)
    if values is not None:
        values = matching(values, inner.get("patterns", frozenset()))
    if values == frozenset():
        return None
    return Branch(
        kind,
        next((pointer for pointer, node in alternative if len(node)), ""),
        title=next((str(node["title"]) for node in nodes if "title" in node), ""),
        values=None if values == _WHOLE.get(kind) else values,
        bounds=bounds if values is None else {},
        other=text_constraints(
            document,
            kind,
            [without_idle_not(n, kind, is_listed=values is not None) for n in nodes],
        ),
        **inner,
    )


def _inner(kind: str, alternative: Alternative) -> dict[str, Any]:
    """Return the attributes of a branch that only values of its type have."""
    if kind == "string":
        nodes = [node for _, node in alternative]
        return {word + "s": _texts(nodes, word) for word in ("pattern", "format")}
    if kind == "array":
        return _array(alternative)
    return _object(alternative) if kind == "object" else {}


def _texts(nodes: Iterable[Mapping[str, Any]], keyword: str) -> frozenset[str]:
    return frozenset(str(node[keyword]) for node in nodes if keyword in node)


def _array(alternative: Alternative) -> dict[str, Any]:
    """Return the schemas of an array's elements."""
    prefixes: list[list[Part]] = []
    rests: list[Part | None] = []
    for pointer, node in alternative:
        items, rest = node.get("items"), node.get("items")
        keyword, prefix = "prefixItems", node.get("prefixItems")
        if is_array(items):  # until draft 2019-09
            keyword, prefix, rest = "items", items, node.get("additionalItems")
        prefixes.append(
            [
                Part(child(pointer, keyword, number), cast("Node", each))
                for number, each in enumerate(prefix or ())
            ]
        )
        at = child(pointer, "additionalItems" if keyword == "items" else "items")
        rests.append(None if rest is None else Part(at, cast("Node", rest)))
    length = max(map(len, prefixes), default=0)
    positions = [
        tuple(
            part
            for prefix, rest in zip(prefixes, rests, strict=True)
            for part in (prefix[number : number + 1] or ([rest] if rest else []))
        )
        for number in range(length)
    ]
    every = tuple(part for part in rests if part is not None)
    return {"prefix": tuple(positions), "items": every}


def _object(alternative: Alternative) -> dict[str, Any]:
    """Return the schemas of an object's members."""
    parts = [members(node, "properties") for _, node in alternative]
    names = dict.fromkeys(name for part in parts for name in part)
    properties = {
        name: tuple(
            part
            for pointer, node in alternative
            for part in members_of(pointer, node, name)
        )
        for name in names
    }
    extras = [
        Part(child(pointer, "additionalProperties"), node["additionalProperties"])
        for pointer, node in alternative
        if "additionalProperties" in node
    ]
    # Several schemas of an `allOf` may have one pattern: its members fit them all.
    by_pattern: dict[str, Parts] = {}
    for pointer, node in alternative:
        for pattern, inner in mapped(node.get("patternProperties")).items():
            part = Part(child(pointer, "patternProperties", pattern), inner)
            by_pattern[pattern] = (*by_pattern.get(pattern, ()), part)
    required = frozenset(
        str(name) for _, node in alternative for name in node.get("required", ())
    )
    return {
        "properties": properties,
        "required": required,
        "extra": tuple(extras) if extras else None,
        "by_pattern": tuple(sorted(by_pattern.items())),
    }


def members_of(pointer: str, node: Mapping[str, Any], name: str) -> list[Part]:
    """Return the schemas that one schema has for a member."""
    declared = members(node, "properties")
    if name in declared:
        return [Part(child(pointer, "properties", name), declared[name])]
    if "additionalProperties" in node and not node.get("patternProperties"):
        extra = node["additionalProperties"]
        return [Part(child(pointer, "additionalProperties"), extra)]
    return []


def _simplified(branches: list[Branch]) -> tuple[Branch, ...]:
    """Join enums of one type, and drop branches and values that others cover."""
    free = {branch.kind for branch in branches if branch.is_free}
    joined: dict[object, Branch] = {}
    for number, branch in enumerate(branches):
        if _is_covered(branch, free):
            continue
        form = "free" if branch.is_free else "enum" if _is_enum(branch) else number
        before = joined.setdefault((branch.kind, form), branch)
        if before.values is not None and branch.values is not None:
            values = before.values | branch.values
            joined[branch.kind, form] = replace(before, values=values)
    if len(joined) == 1:
        return (*joined.values(),)
    every = [_without_covered(each, joined.values()) for each in joined.values()]
    return tuple(each for each in every if each.values != frozenset())


def _is_covered(branch: Branch, free: Collection[str]) -> bool:
    """Return whether a branch without bounds, of these kinds, allows all its values."""
    is_number = branch.kind == "integer" and "number" in free
    return is_number or (branch.kind in free and not branch.is_free)


def _without_covered(branch: Branch, branches: Iterable[Branch]) -> Branch:
    """Return an enum without the values that the bounds of another branch allow."""
    if branch.values is None or not _is_enum(branch):
        return branch
    values = branch.values
    for other in branches:
        is_listed = other.values is not None or other.other or other.formats
        if other.kind == branch.kind and not is_listed:
            values = outside(values, other.bounds, other.patterns)
    return branch if values == branch.values else replace(branch, values=values)


def _is_enum(branch: Branch) -> bool:
    """Return whether a branch is a list of scalars, and nothing more."""
    more = branch.bounds or branch.patterns or branch.other
    is_scalar = branch.kind not in {"array", "object"}
    return is_scalar and branch.values is not None and not more


def _words(document: Document, parts: Parts) -> dict[str, Any]:
    """Return the annotations of schemas; the outer ones win."""
    words: dict[str, Any] = {}
    pending, visited = [*parts], set[int]()
    while pending:
        pointer, node = pending.pop(0)
        if isinstance(node, bool) or id(node) in visited:
            continue
        visited.add(id(node))
        for keyword in _WORDS:
            if keyword in node:
                words.setdefault(keyword, node[keyword])
        target = target_of(document, Part(pointer, node))
        pending += [Part(*target)] if target else []
        pending += schemas_of(document, Part(pointer, node), "allOf")
    return words
