# Copied by mcp-bindgen. Do not edit.
"""Follows a JSON pointer through the schema of a tool's arguments."""

from __future__ import annotations

from typing import Any, cast

from ...json_pointer import steps as pointer_steps
from ...strict_json import elements, members

__all__ = ["default_at", "enum_at", "has_argument"]

_COMBINED = ("allOf", "anyOf", "oneOf", "then", "else", "if")
_MOST = 1_000
_OPEN: list[Any] = [{}]


def has_argument(schema: object, steps: tuple[str, ...]) -> bool:
    """Tell whether the arguments may have a value at these steps.

    In doubt they may: a schema that names no property takes any.

    Args:
        schema: The input schema.
        steps: The steps of a JSON pointer; * is every element or member.
    """
    return bool(_at(schema, steps))


def enum_at(schema: object, steps: tuple[str, ...]) -> list[Any] | None:
    """Return all values that the schema lists for an argument, None for no list."""
    values: list[Any] = []
    for one in _at(schema, steps):
        if "const" in one:
            values.append(one["const"])
        elif isinstance(one.get("enum"), list):
            values += one["enum"]
        else:
            return None
    return values or None


def default_at(schema: object, steps: tuple[str, ...]) -> list[Any]:
    """Return the defaults that the schema names for an argument."""
    return [one["default"] for one in _at(schema, steps) if "default" in one]


def _at(root: object, steps: tuple[str, ...]) -> list[dict[str, Any]]:
    level = _branches(root, root)
    for step in steps:
        inner: list[Any] = []
        for schema in level:
            inner += _inner(schema, step)
        level = [branch for one in inner for branch in _branches(one, root)][:_MOST]
    return level


def _inner(schema: dict[str, Any], step: str) -> list[Any]:
    found: list[Any] = []
    properties = members(schema.get("properties"))
    if step in properties:
        found.append(properties[step])
    elif step == "*":
        found += properties.values()
    if step == "*" or step.isdecimal():
        items = schema.get("items")
        found += [items] if isinstance(items, dict) else elements(items)
        found += elements(schema.get("prefixItems"))
    more = schema.get("additionalProperties")
    if not found and isinstance(more, dict):
        found.append(cast("Any", more))
    patterns = members(schema.get("patternProperties"))
    if not found:
        found += patterns.values()
    if found:
        return found
    # A container that says nothing of what is in it takes anything.
    kinds = schema.get("type", ["object", "array"])
    named = [kinds] if isinstance(kinds, str) else elements(kinds)
    is_list = step == "*" or step.isdecimal()
    takes = ("object" in named and not properties) or ("array" in named and is_list)
    closed = more is False or "enum" in schema or "const" in schema
    return _OPEN if takes and not closed else []


def _branches(schema: object, root: object) -> list[dict[str, Any]]:
    """Return a schema and all schemas that are combined in it, references followed."""
    if schema is True:
        return _OPEN
    pending, found = [schema], list[dict[str, Any]]()
    seen = set[int]()
    while pending and len(found) < _MOST:
        one = pending.pop()
        if not isinstance(one, dict) or id(cast("object", one)) in seen:
            continue
        table = members(cast("object", one))
        seen.add(id(cast("object", one)))
        if isinstance(reference := table.get("$ref"), str):
            pending.append(_target(root, reference))
        parts = [table[key] for key in _COMBINED if key in table]
        for part in parts:
            pending += elements(part) or [part]
        if (not parts and "$ref" not in table) or "properties" in table:
            found.append(table)
    return found


def _target(root: object, reference: str) -> object:
    """Return what a reference within the schema leads to; None where to nothing."""
    value: Any = root if reference.startswith("#") else None
    for step in pointer_steps(reference):
        value = members(value).get(step)
    return value
