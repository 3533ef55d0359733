"""Merges the members of an `allOf` into one schema, as far as one schema can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.json_scan import count
from mcp_bindgen.runtime.json_values import json_key
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.keywords import ANNOTATIONS, EFFECTIVE
from mcp_bindgen.schema.node import is_resource, mapped, members, types_of
from mcp_bindgen.schema.order import fixed_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mcp_bindgen.schema.context import CompileContext, Location
    from mcp_bindgen.schema.node import Node

__all__ = ["merge", "merge_all"]

Schema = dict[str, Any]
_GREATEST = {"minimum", "minLength", "minItems", "minProperties", "exclusiveMinimum"}
_LEAST = {"maximum", "maxLength", "maxItems", "maxProperties", "exclusiveMaximum"}
# These speak of the properties of their own schema, which then has others.
_CLOSES = {"additionalProperties", "unevaluatedProperties", "patternProperties"}
# Each of these speaks of the elements that the others of its own schema leave.
_ELEMENTS = {"prefixItems", "items", "additionalItems"}
# Of several, the first one counts. A title and a format have an effect on types.
_TEXTS = ANNOTATIONS - {"title", "format"}


def merge_all(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> Mapping[str, Any]:
    """Return one schema for an `allOf`; note the rules that it lacks."""
    own: Mapping[str, Any] = {k: v for k, v in node.items() if k != "allOf"}
    parts = cast("list[Node]", node["allOf"])
    if len(parts) > context.limits.branches:
        context.check(location, "allOf")
        return own
    context.enter(location)
    merged: set[int] = set()
    schemas: dict[int, Mapping[str, Any]] = {}
    result = own
    # Where nothing fits all, the order counts: it must not be that of the list.
    for number in fixed_order(parts, context.document.forms):
        part = parts[number]
        part_location = location.at("allOf", number)
        resolved = context.resolve(part)
        schema = _mergeable(context, resolved, part_location)
        if schema is None or id(schema) in merged:
            continue
        merged.add(id(schema))
        context.note_residual(schema, part_location)
        if "allOf" in schema:
            inner_location = part_location if resolved is part else location
            schema = merge_all(context, schema, inner_location)
        context.spend(part_location, _compared(result, schema))
        result, exact = merge(result, schema)
        if not exact:
            context.check(location, "allOf")
        schemas[number] = schema
    context.leave()
    result = _as_declared(result, [own, *(schemas[n] for n in sorted(schemas))])
    context.alive.append(result)
    return result


def _mergeable(
    context: CompileContext, node: Node, location: Location
) -> Mapping[str, Any] | None:
    """Return a member of an `allOf` that can be merged; note one that cannot."""
    if isinstance(node, bool):
        if not node:
            context.check(location, "false")
        return None
    if is_resource(node):
        context.check(location, "$id")
        return None
    return node


def _as_declared(
    merged: Mapping[str, Any], schemas: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return a merged schema with properties and texts as a list declares them."""
    texts = {
        keyword: value
        for schema in reversed(schemas)
        for keyword, value in schema.items()
        if keyword in _TEXTS
    }
    properties = {
        name: merged["properties"][name]
        for schema in schemas
        for name in members(schema, "properties")
    }
    ordered = {**merged, **texts}
    return {**ordered, "properties": properties} if properties else ordered


def _compared(first: Mapping[str, Any], second: Mapping[str, Any]) -> int:
    """Return how many JSON values `merge` compares."""
    total = 0
    for keyword in first.keys() & second.keys():
        one, two = first[keyword], second[keyword]
        if keyword == "properties" and not _CLOSES & (first.keys() | second.keys()):
            for name in one.keys() & two.keys():
                if one[name] is not two[name]:
                    total += count(one[name]) + count(two[name])
        elif one is not two:
            total += count(one) + count(two)
    return total


def merge(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[Schema, bool]:
    """Return a schema that allows the values of both, and whether it is exact.

    If it is not, it allows more than both together, never less.
    """
    # Where one schema closes its object, both must speak of the same properties.
    closing = [
        keyword
        for keyword in _CLOSES
        if any(schema.get(keyword, True) is not True for schema in (first, second))
    ]
    exact = all(_same(first, second, "properties", keyword) for keyword in closing)
    merged: Schema = {key: first[key] for key in first if key not in closing}
    apart = _are_elements_apart(first, second)
    skipped = _CLOSES | _ELEMENTS if apart else _CLOSES
    fit = _add(merged, second, skipped)
    exact = exact and fit and not apart
    if exact and "additionalProperties" in first:
        merged["additionalProperties"] = first["additionalProperties"]
    return merged, exact


def _add(merged: Schema, second: Mapping[str, Any], skipped: set[str]) -> bool:
    """Add the keywords of a schema; return whether the merged one has all of them.

    Args:
        merged: The schema to add to.
        second: The schema with the keywords.
        skipped: Keywords that stay out.
    """
    exact = True
    for keyword, value in second.items():
        if keyword in skipped:
            continue
        if keyword not in merged:
            merged[keyword] = value
        elif keyword in EFFECTIVE and not _equal(merged[keyword], value):
            merged[keyword], fits = _both(keyword, merged, second)
            exact = exact and fits
    return exact


def _are_elements_apart(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Return whether the rules for elements of two schemas cannot be one schema."""
    one, two = _ELEMENTS & first.keys(), _ELEMENTS & second.keys()
    if not one or not two:
        return False
    if one == two == {"items"}:
        both = first["items"], second["items"]
        return any(isinstance(items, list) for items in both) and not _equal(*both)
    return one != two or not _same(first, second, *_ELEMENTS)


def _equal(one: object, two: object) -> bool:
    # To Python, 1 and true are equal; where it says no, its answer is cheap.
    return one is two or (one == two and canonical(one) == canonical(two))


def _same(first: Mapping[str, Any], second: Mapping[str, Any], *keys: str) -> bool:
    return all(canonical(first.get(key)) == canonical(second.get(key)) for key in keys)


def _both(
    keyword: str, first: Mapping[str, Any], second: Mapping[str, Any]
) -> tuple[Any, bool]:
    rule = _RULES.get(keyword)
    if rule is not None:
        return rule(first, second)
    if keyword in _GREATEST:
        return max(first[keyword], second[keyword]), True
    if keyword in _LEAST:
        return min(first[keyword], second[keyword]), True
    return first[keyword], False


def _properties(
    first: Mapping[str, Any], second: Mapping[str, Any]
) -> tuple[Schema, bool]:
    merged = dict(cast("Schema", first["properties"]))
    for name, schema in cast("Schema", second["properties"]).items():
        first_schema = merged.get(name, True)
        if first_schema is True:
            merged[name] = schema
        elif schema is not True and schema is not first_schema:
            merged[name] = _all_of(first_schema, schema)
    return merged, True


def _all_of(one: Any, two: Any) -> Any:
    """Return a schema that requires both, and names each of them once."""
    schema = mapped(one)
    parts: list[Any] = schema["allOf"] if schema.keys() == {"allOf"} else [one]
    if canonical(two) in map(canonical, parts):
        return one
    return {"allOf": [*parts, two]}


def _required(
    first: Mapping[str, Any], second: Mapping[str, Any]
) -> tuple[list[str], bool]:
    return list(dict.fromkeys([*first["required"], *second["required"]])), True


def _type(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[Any, bool]:
    one, two = types_of(first), types_of(second)
    shared = [name for name in one if name in two or _covers(two, name)]
    shared += [name for name in two if name not in shared and _covers(one, name)]
    return (shared, True) if shared else (list(one), False)


def _covers(types: tuple[str, ...], name: str) -> bool:
    return name == "integer" and "number" in types


def _enum(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[Any, bool]:
    allowed = {json_key(value) for value in second["enum"]}
    shared = [value for value in first["enum"] if json_key(value) in allowed]
    return (shared, True) if shared else (first["enum"], False)


def _items(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[Any, bool]:
    return _all_of(first["items"], second["items"]), True


_RULES: Mapping[
    str, Callable[[Mapping[str, Any], Mapping[str, Any]], tuple[Any, bool]]
] = {
    "properties": _properties,
    "required": _required,
    "type": _type,
    "enum": _enum,
    "items": _items,
}
