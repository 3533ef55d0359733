"""A union of schemas to one type, with what tells its members apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, cast

from mcp_bindgen.python.expressions import (
    Bracket,
    Expr,
    Name,
    annotated,
    call,
    literal,
    sub,
    union,
)
from mcp_bindgen.python.names import class_words, field_names
from mcp_bindgen.runtime.strict_json import json_key
from mcp_bindgen.schema.all_of import merge
from mcp_bindgen.schema.context import CHECKED, Compile, Place, State
from mcp_bindgen.schema.document import EFFECTIVE, Node, members, types_of

__all__ = ["compile_alternatives"]

_COMPARED = 16


def compile_alternatives(
    state: State, node: Mapping[str, Any], place: Place, inner: Compile
) -> Expr:
    """Return the type of an `anyOf` or a `oneOf`."""
    keyword = "anyOf" if "anyOf" in node else "oneOf"
    rest = {key: value for key, value in node.items() if key != keyword}
    branches: list[Node] = node[keyword]
    types = () if _say_types(state, branches, node) else types_of(node)
    siblings = rest.keys() & EFFECTIVE - set(CHECKED) - {"type"}
    too_many = len(branches) > state.limits.branches
    mixed = types and not all(map(_is_plain, branches))
    cost = state.cost(place, keyword)
    objects = [b for b in map(state.resolve, branches) if _is_object(b)]
    if cost and len(objects) == len(branches):
        rest = {"type": "object", **rest}
    costly = cost > 1 or (cost and _tag(objects) is None)
    if siblings or not branches or mixed or too_many or costly:
        state.check(place, keyword)
        return inner(state, rest, place)
    if types:
        pushed = [merge({"type": list(types)}, _plain(branch)) for branch in branches]
        branches = list[Node](branch for branch, _ in pushed)
        state.keep += branches
        if not all(exact for _, exact in pushed):
            state.check(place, keyword)
    resolved = [state.resolve(branch) for branch in branches]
    if keyword == "oneOf" and not _disjoint(resolved):
        state.check(place, keyword)
    tag = _tag(objects if cost else resolved)
    words = _words(branches, resolved, tag)
    exprs = [
        inner(state, branch, place.at(keyword, number, word=words[number]))
        for number, branch in enumerate(branches)
    ]
    if tag:
        exprs = _tagged_union(state, exprs, resolved, tag)
    return state.either(place, keyword, _joined(exprs))


def _tagged_union(
    state: State, exprs: list[Expr], resolved: list[Node], tag: str
) -> list[Expr]:
    """Make one member of the classes that a tag tells apart, if it can be said."""
    pairs = list(zip(exprs, resolved, strict=True))
    objects = [expr for expr, node in pairs if _is_object(node)]
    if len({*objects}) < len(objects) or not all(_is_class(state, e) for e in objects):
        return exprs
    field = next(_fields([node for _, node in pairs if _is_object(node)], tag))
    tagged = annotated(union(objects), call("Field", discriminator=literal(field)))
    return [tagged, *(expr for expr, node in pairs if not _is_object(node))]


def _say_types(state: State, branches: list[Node], node: Mapping[str, Any]) -> bool:
    """Tell whether the branches name types that the schema around them allows."""
    allowed = _kinds_of(node)
    kinds = [
        _kinds_of(b) for b in map(state.resolve, branches) if not isinstance(b, bool)
    ]
    named = len(kinds) == len(branches) and all(kinds)
    return named and all(kind <= allowed for kind in kinds)


def _words(branches: list[Node], resolved: list[Node], tag: str | None) -> list[str]:
    """Return what to call each branch that would share a name with another."""
    alike = [
        branch is node
        and isinstance(node, Mapping)
        and bool(members(node, "properties"))
        and not class_words(str(node.get("title", "")))
        for branch, node in zip(branches, resolved, strict=True)
    ]
    if sum(alike) == 1:
        return [""] * len(branches)
    return [
        (_tagged(node, tag) or f"Variant{number}") if is_alike else ""
        for number, (node, is_alike) in enumerate(
            zip(resolved, alike, strict=True), start=1
        )
    ]


def _tagged(node: Node, tag: str | None) -> str:
    if tag is None or isinstance(node, bool):
        return ""
    schema = members(node, "properties")[tag]
    values = [schema["const"]] if "const" in schema else schema["enum"]
    return class_words(values[0]) if len(values) == 1 else ""


def _joined(exprs: list[Expr]) -> list[Expr]:
    """Make one list of literals of several."""
    values = [
        item.expr
        for expr in exprs
        if isinstance(expr, Bracket) and expr.head == "Literal"
        for item in expr.items
    ]
    joined = sub("Literal", *dict.fromkeys(values))
    return [
        joined if isinstance(expr, Bracket) and expr.head == "Literal" else expr
        for expr in exprs
    ]


def _is_plain(branch: Node) -> bool:
    composed = {"$ref", "allOf", "anyOf", "oneOf", "$id"}
    return isinstance(branch, Mapping) and not composed & branch.keys()


def _plain(branch: Node) -> Mapping[str, Any]:
    return branch if isinstance(branch, Mapping) else {}


def _is_class(state: State, expr: Expr) -> bool:
    if not isinstance(expr, Name):
        return False
    found = state.same.get(expr.code, expr)
    draft = state.drafts.get(found.code) if isinstance(found, Name) else None
    return draft is not None and draft.expr is None


def _disjoint(branches: list[Node]) -> bool:
    if _differ([_values_of(branch) for branch in branches]):
        return True
    if any(_differ([_tags_of(b, wire) for b in branches]) for wire in _all(branches)):
        return True
    # Comparing each with each takes too long for many.
    return len(branches) <= _COMPARED and all(
        _apart(one, two) for one, two in combinations(branches, 2)
    )


def _differ(listed: list[set[object] | None]) -> bool:
    """Tell whether no two of some sets share a value; None may be anything."""
    known = [values for values in listed if values is not None]
    total = sum(map(len, known))
    return len(known) == len(listed) and len(set[object]().union(*known)) == total


def _all(branches: list[Node]) -> list[str]:
    """Return what the first object requires, if all branches are objects."""
    first = branches[0] if branches else True
    if isinstance(first, bool) or not all(map(_is_object, branches)):
        return []
    return cast("list[str]", first.get("required", []))[:_COMPARED]


def _is_object(node: Node) -> bool:
    return not isinstance(node, bool) and _kinds_of(node) == {"object"}


def _tags_of(node: Node, wire: str) -> set[object] | None:
    if isinstance(node, bool) or wire not in node.get("required", ()):
        return None
    return _values_of(members(node, "properties").get(wire, True))


def _apart(one: Node, two: Node) -> bool:
    """Tell whether no value can meet both schemas, as far as a quick look shows."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is False or two is False
    first, second = _values_of(one), _values_of(two)
    if first is not None and second is not None:
        return not first & second
    kinds, others = _kinds_of(one), _kinds_of(two)
    if kinds and others and not kinds & others:
        return True
    if kinds == others == {"object"}:
        others_required = {*two.get("required", ())}
        return any(
            name_ in others_required
            and _apart_at(members(one, "properties"), members(two, "properties"), name_)
            for name_ in one.get("required", ())
        )
    return False


def _apart_at(one: Mapping[str, Any], two: Mapping[str, Any], name_: str) -> bool:
    first, second = _values_of(one.get(name_, True)), _values_of(two.get(name_, True))
    return first is not None and second is not None and not first & second


def _kinds_of(node: Mapping[str, Any]) -> set[str]:
    kinds = set(types_of(node))
    return kinds | {"integer"} if "number" in kinds else kinds


def _values_of(node: Node) -> set[object] | None:
    if isinstance(node, bool) or not {"enum", "const"} & node.keys():
        return None
    listed = node["enum"] if "enum" in node else [node["const"]]
    return {json_key(value) for value in cast("list[object]", listed)}


def _tag(branches: list[Node]) -> str | None:
    """Return the field whose strings tell the objects of a union apart."""
    objects = [
        b for b in branches if isinstance(b, Mapping) and _kinds_of(b) == {"object"}
    ]
    if len(objects) < len(branches) or not objects[1:] or not _disjoint(branches):
        return None
    for wire in cast("list[str]", objects[0].get("required", [])):
        if all(_is_tag(node, wire) for node in objects):
            # Pydantic reads a tag under the field's name too, which in an open object
            # is any member's.
            named = {*_fields(branches, wire)}
            is_sure = named == {wire} or all(map(_is_closed, objects))
            return wire if len(named) == 1 and is_sure else None
    return None


def _is_closed(node: Mapping[str, Any]) -> bool:
    is_open = node.get("additionalProperties", True) is not False
    return not is_open and not members(node, "patternProperties")


def _fields(branches: list[Node], wire: str) -> Iterator[str]:
    """Yield the name that each object's class has for a property."""
    for branch in branches:
        if isinstance(branch, Mapping):
            yield field_names(members(branch, "properties"))[wire]


def _is_tag(node: Mapping[str, Any], wire: str) -> bool:
    values = _values_of(members(node, "properties").get(wire, True))
    strings = values is not None and all(
        isinstance(value, tuple) and value[0] is str for value in values
    )
    return strings and wire in node.get("required", ())
