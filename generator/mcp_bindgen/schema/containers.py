"""Arrays and objects to types; an object with properties becomes a draft of a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from mcp_bindgen.python.expressions import Expr, Name, annotated, call, name, sub
from mcp_bindgen.python.names import class_words
from mcp_bindgen.schema.context import ANY, PLAIN, Compile, Draft, Place, State
from mcp_bindgen.schema.document import Node, mapped, members
from mcp_bindgen.schema.scalars import sizes

__all__ = ["compile_array", "compile_object", "draft_object"]


def compile_array(
    state: State, node: Mapping[str, Any], place: Place, inner: Compile
) -> Expr:
    """Return the type of an array: a list, or a tuple where it is closed."""
    expr = _elements(state, node, place, inner)
    bounds = {} if _is_tuple(expr) else sizes(state, node, place, "Items")
    extras: list[Expr] = [call("Field", **bounds)] if bounds else []
    if node.get("uniqueItems") is True:
        extras.append(name("UNIQUE"))
    return annotated(expr, *extras)


def _is_tuple(expr: Expr) -> bool:
    return not isinstance(expr, Name) and getattr(expr, "head", "") == "tuple"


def _elements(
    state: State, node: Mapping[str, Any], place: Place, inner: Compile
) -> Expr:
    items: Any = node.get("items", True)
    prefix: list[Node] = node.get("prefixItems") or []
    keyword, rest_keyword = "prefixItems", "items"
    if isinstance(items, list):
        prefix, keyword, rest_keyword = cast("list[Node]", items), "items", ""
        rest_keyword = "additionalItems"
        items = node.get("additionalItems", True)
    spot = place.at(rest_keyword, word="Item")
    if not prefix:
        return sub("list", ANY if items is True else inner(state, items, spot))
    if state.cost(place, keyword):
        state.check(place, keyword)
        return PLAIN["array"]
    parts = [
        inner(state, part, place.at(keyword, number, word=f"Item{number}"))
        for number, part in enumerate(prefix)
    ]
    size = len(prefix)
    exact = items is False or node.get("maxItems") == size
    if exact and node.get("minItems") == size <= state.limits.branches:
        return sub("tuple", *parts)
    state.check(place, keyword)
    if items is not False:
        parts.append(ANY if items is True else inner(state, items, spot))
    return sub("list", state.either(place, keyword, parts))


def compile_object(
    state: State, node: Mapping[str, Any], place: Place, inner: Compile
) -> Expr:
    """Return the type of an object: a dict, or a class where properties are named."""
    if not members(node, "properties") and not node.get("required"):
        expr = _dict(state, node, place, inner)
        if expr is not None:
            return expr
    return draft_object(state, node, place, inner)


def _dict(
    state: State, node: Mapping[str, Any], place: Place, inner: Compile
) -> Expr | None:
    key: Expr = name("str")
    values: Any = node.get("additionalProperties", True)
    patterns = members(node, "patternProperties")
    value_place = place.at("additionalProperties", word="Value")
    if values is False and len(patterns) == 1 and "propertyNames" not in node:
        ((pattern, values),) = patterns.items()
        value_place = place.at("patternProperties", pattern, word="Value")
        key = inner(state, {"type": "string", "pattern": pattern}, value_place)
    elif patterns:
        state.check(place, "patternProperties")
        values = True
    elif values is False:
        return None
    if "propertyNames" in node:
        names: Any = node["propertyNames"]
        if isinstance(names, Mapping):
            names = {"type": "string", **cast("Mapping[str, Any]", names)}
        key = inner(state, names, place.at("propertyNames", word="Key"))
        key = name("str") if key == ANY else key
    expr = sub(
        "dict", key, ANY if values is True else inner(state, values, value_place)
    )
    bounds = sizes(state, node, place, "Properties")
    return annotated(expr, call("Field", **bounds)) if bounds else expr


def draft_object(
    state: State, node: Mapping[str, Any], place: Place, inner: Compile
) -> Expr:
    """Return a stand-in for the class of an object, and draft that class."""
    known = state.objects.get((place.pointer, id(node)))
    if known is not None:
        return name(known)
    draft = Draft(state.mark(), place, class_words(str(node.get("title", ""))), node)
    state.drafts[draft.mark] = draft
    state.objects[place.pointer, id(node)] = draft.mark
    state.keep.append(node)
    properties = dict(members(node, "properties"))
    required = dict.fromkeys(cast("list[str]", node.get("required") or []))
    draft.closed = _closed(state, node, place)
    unnamed = [wire for wire in required if wire not in properties]
    if unnamed and node.get("additionalProperties", True) is not True:
        state.check(place, "required")
    if not draft.closed:
        properties.update((wire, True) for wire in unnamed)
    for keyword in ("minProperties", "maxProperties", "propertyNames"):
        if keyword in node:
            state.check(place, keyword)
    for wire, schema in properties.items():
        spot = place.at("properties", wire, word=class_words(wire))
        type_ = inner(state, schema, spot)
        draft.fields.append((wire, type_, wire in required, mapped(schema)))
    return name(draft.mark)


def _closed(state: State, node: Mapping[str, Any], place: Place) -> bool:
    extra = node.get("additionalProperties", True)
    if members(node, "patternProperties"):
        state.check(place, "patternProperties")
        return False
    if extra is not True and extra is not False and extra != {}:
        state.check(place, "additionalProperties")
    return extra is False
