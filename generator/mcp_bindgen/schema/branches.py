"""The branches of a union: whether a value can fit two of them, and their tags."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, cast

from mcp_bindgen.python.names import field_names
from mcp_bindgen.runtime.json_values import json_key
from mcp_bindgen.schema.keywords import EFFECTIVE
from mcp_bindgen.schema.node import Node, mapped, members, types_of
from mcp_bindgen.schema.scalars import listed_values

__all__ = ["are_disjoint", "field_of", "is_object", "tag_of", "types_in"]
__all__ += ["is_class_like", "lists_values"]

# Branches of which each is compared with each, and names that are tried as tags.
_COMPARED = 16
_FEWEST = 2  # objects that a tag tells apart
# The keywords of a schema whose type is a list of values, and nothing else.
_LISTING = {"enum", "const", "type"}


def are_disjoint(branches: list[Node]) -> bool:
    """Return whether plainly no value fits two of the branches."""
    if _differ([_values_of(branch) for branch in branches]):
        return True
    names = _required_by_all(branches)
    if any(_differ([_tag_values(b, wire) for b in branches]) for wire in names):
        return True
    # Comparing each with each takes too long for many.
    return len(branches) <= _COMPARED and all(
        _are_apart(one, two) for one, two in combinations(branches, 2)
    )


def tag_of(branches: list[Node], most: int) -> str | None:
    """Return the property whose strings tell the objects of a union apart.

    Args:
        branches: Schemas; only where all are objects there may be a tag.
        most: Strings of one branch that become a type.
    """
    objects = [b for b in branches if isinstance(b, Mapping) and is_object(b)]
    if len(objects) < len(branches) or len(objects) < _FEWEST:
        return None
    for wire in sorted(cast("list[str]", objects[0].get("required", []))):
        if not _differ([_tag_values(node, wire) for node in objects]):
            continue
        if all(_is_tag(node, wire, most) for node in objects):
            # Pydantic reads a tag under the field's name too, which in an open object
            # is any member's.
            fields = {field_of(node, wire) for node in objects}
            is_sure = fields == {wire} or all(map(_is_closed, objects))
            if len(fields) == 1 and is_sure:
                return wire
    return None


def field_of(node: Mapping[str, Any], wire: str) -> str:
    """Return the name that an object's class has for a property."""
    return field_names(members(node, "properties"))[wire]


def is_object(node: Node) -> bool:
    """Return whether a schema says that it allows objects alone."""
    return not isinstance(node, bool) and types_in(node) == {"object"}


def is_class_like(node: Node) -> bool:
    """Return whether a schema becomes a class of its own."""
    return isinstance(node, Mapping) and bool(members(node, "properties"))


def lists_values(node: Node) -> bool:
    """Return whether a schema lists the values that it allows."""
    return _values_of(node) is not None


def types_in(node: Mapping[str, Any]) -> set[str]:
    """Return the types that a schema names; numbers are also integers."""
    types = set(types_of(node))
    return types | {"integer"} if "number" in types else types


def _required_by_all(branches: list[Node]) -> list[str]:
    """Return properties that all branches require, if all are objects."""
    if not branches or not all(map(is_object, branches)):
        return []
    required = ({*mapped(branch).get("required", ())} for branch in branches)
    return sorted(set[str].intersection(*required))[:_COMPARED]


def _differ(sets: list[set[object] | None]) -> bool:
    """Return whether no two of some sets share a value; None may be anything."""
    lists = [values for values in sets if values is not None]
    total = sum(map(len, lists))
    return len(lists) == len(sets) and len(set[object]().union(*lists)) == total


def _are_apart(one: Node, two: Node) -> bool:
    """Return whether plainly no value fits both schemas."""
    if isinstance(one, bool) or isinstance(two, bool):
        return one is False or two is False
    values = [_values_of(one), _values_of(two)]
    if None not in values:
        return _differ(values)
    types, other_types = types_in(one), types_in(two)
    if types and other_types and not types & other_types:
        return True
    if not types == other_types == {"object"}:
        return False
    both_require = set(one.get("required", ())) & set(two.get("required", ()))
    return any(
        _differ([_property_values(one, wire), _property_values(two, wire)])
        for wire in both_require
    )


def _property_values(node: Mapping[str, Any], wire: str) -> set[object] | None:
    return _values_of(members(node, "properties").get(wire, True))


def _tag_values(node: Node, wire: str) -> set[object] | None:
    if isinstance(node, bool) or wire not in node.get("required", ()):
        return None
    return _property_values(node, wire)


def _values_of(node: Node) -> set[object] | None:
    """Return the values that a schema lists; None where it lists none.

    A list beside a `$ref` does not count: until draft 7 it has no effect, and later the
    reference limits the values, too.
    """
    if isinstance(node, bool) or "$ref" in node or not {"enum", "const"} & node.keys():
        return None
    return {json_key(value) for value in listed_values(node)}


def _is_closed(node: Mapping[str, Any]) -> bool:
    is_open = node.get("additionalProperties", True) is not False
    return not is_open and not members(node, "patternProperties")


def _is_tag(node: Mapping[str, Any], wire: str, most: int) -> bool:
    """Return whether an object must have a property whose type is a list of strings."""
    schema = members(node, "properties").get(wire, True)
    values = _tag_values(node, wire)
    if not values or len(values) > most or schema.keys() & EFFECTIVE - _LISTING:
        return False
    return all(isinstance(value, tuple) and value[0] is str for value in values)
