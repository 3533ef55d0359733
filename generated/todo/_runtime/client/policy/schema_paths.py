# Copied by mcp-bindgen. Do not edit.
"""Follows a JSON pointer through the schema of a tool's arguments."""

from __future__ import annotations

import math
from typing import Any, cast
from urllib.parse import unquote

from ... import limits
from ...json_pointer import child
from ...json_pointer import steps as pointer_steps
from ...json_values import elements, members
from .constraints import texts

__all__ = [
    "branches_at",
    "default_at",
    "enum_at",
    "has_argument",
    "is_above",
    "kind_of",
    "kinds_at",
    "kinds_in",
    "names_at",
    "number_at",
    "refuses",
]

_COMBINED = ("allOf", "anyOf", "oneOf", "then", "else", "if")
_DEPENDENT = ("dependentSchemas", "dependencies")
_DEPENDS = {"if", "unevaluatedProperties", "unevaluatedItems"}
"""Keywords by which one argument decides about another."""
_LEAST = {
    "maximum": {"integer": "minimum", "number": "minimum"},
    "max_length": {"string": "minLength", "array": "minItems"},
}
"""Rule of a policy to the keyword of a schema that may be above it, by type."""
_OPEN: list[Any] = [{}]
_KINDS = frozenset({"string", "number", "integer", "boolean", "array", "object"})


def has_argument(schema: object, steps: tuple[str, ...]) -> bool:
    """Return whether the arguments may have a value at these steps.

    In doubt they may: a schema that names no property takes any.

    Args:
        schema: The input schema.
        steps: The steps of a JSON pointer; * is every element or member.
    """
    return bool(branches_at(schema, steps))


def enum_at(schema: object, steps: tuple[str, ...]) -> list[Any] | None:
    """Return all values that the schema lists for an argument, None for no list."""
    values: list[Any] = []
    for one in branches_at(schema, steps):
        if "const" in one:
            values.append(one["const"])
        elif isinstance(one.get("enum"), list):
            values += one["enum"]
        else:
            return None
    return values or None


def default_at(schema: object, steps: tuple[str, ...]) -> list[Any]:
    """Return the defaults that the schema names for an argument."""
    return [one["default"] for one in branches_at(schema, steps) if "default" in one]


def kinds_at(schema: object, steps: tuple[str, ...]) -> frozenset[str]:
    """Return the JSON types that an argument may have; all of them in doubt."""
    kinds = set[str]()
    for one in branches_at(schema, steps):
        kinds |= kinds_in(one)
    return frozenset(kinds) or _KINDS


def names_at(schema: object, steps: tuple[str, ...]) -> frozenset[str]:
    """Return the names of members that the schema lists for an argument."""
    schemas = branches_at(schema, steps)
    return frozenset(name for one in schemas for name in members(one.get("properties")))


def kinds_in(schema: dict[str, Any]) -> frozenset[str]:
    """Return the JSON types that a schema names, all of them where it names none."""
    named = schema.get("type")
    listed = [named] if isinstance(named, str) else elements(named)
    kinds = frozenset(map(str, listed)) or _KINDS
    return kinds | {"integer"} if "number" in kinds else kinds


def is_above(schema: object, steps: tuple[str, ...], rule: str, limit: float) -> bool:
    """Return whether each value that an argument may have is above a limit.

    Args:
        schema: The input schema.
        steps: The steps of a JSON pointer.
        rule: "maximum" or "max_length".
        limit: The limit. The rule refuses values of other types anyway.
    """
    branches = branches_at(schema, steps)
    return bool(branches) and all(
        number_at(one, keyword) > limit
        or (rule == "maximum" and number_at(one, "exclusiveMinimum") >= limit)
        for one in branches
        for kind, keyword in _LEAST[rule].items()
        if kind in kinds_in(one)
    )


def number_at(schema: dict[str, Any], key: str, otherwise: float = -math.inf) -> float:
    """Return the number of a keyword of a schema, another one where there is none."""
    value = schema.get(key)
    return value if isinstance(value, int | float) else otherwise


def refuses(schema: object, steps: tuple[str, ...], value: object) -> bool:
    """Return whether an argument certainly never has a value.

    Args:
        schema: The input schema.
        steps: The steps of a JSON pointer.
        value: The value.
    """
    from ...validation.schema import SchemaChecker

    if kind_of(value) not in kinds_at(schema, steps):
        return True
    if "*" in steps or _DEPENDS & {*texts(schema)}:
        return False
    pointer = child("", *steps)
    for step in reversed(steps):
        value = {step: value}
    try:
        faults = [*SchemaChecker(schema).faults(value)]
    except ValueError:  # no schema, so that nothing is certain
        return False
    return any(f"{fault.path}/".startswith(f"{pointer}/") for fault in faults)


def kind_of(value: object) -> str:
    """Return the JSON type of a value of TOML, "" where JSON has no such value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            return ""
        return "integer" if value == int(value) else "number"
    inner = [*members(value).values(), *elements(value)]
    if not all(map(kind_of, inner)):
        return ""
    kinds = ((str, "string"), (list, "array"), (dict, "object"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "")


def branches_at(root: object, steps: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the schemas that an argument may have a value of, combined ones apart.

    Args:
        root: The input schema.
        steps: The steps of a JSON pointer.
    """
    level = _branches(root, root)
    for step in steps:
        inner: list[Any] = []
        for schema in level:
            inner += _inner(schema, step)
        level = [branch for one in inner for branch in _branches(one, root)][
            : limits.POLICY_SCHEMAS
        ]
    return level


def _inner(schema: dict[str, Any], step: str) -> list[Any]:
    """Return the schemas one step inside of a schema's values."""
    declared = _declared(schema, step)
    if declared and step != "*":
        return declared
    more = schema.get("additionalProperties")
    others = [*members(schema.get("patternProperties")).values()]
    others += [
        one
        for one in (more, schema.get("unevaluatedProperties"))
        if isinstance(one, dict)
    ]
    others += _OPEN if more is True else []
    is_open = not declared and not others and _takes_any(schema, step)
    return [*declared, *others, *(_OPEN if is_open else [])]


def _declared(schema: dict[str, Any], step: str) -> list[Any]:
    """Return the schemas of the properties and elements that a step names."""
    properties = members(schema.get("properties"))
    schemas: list[Any] = [properties[step]] if step in properties else []
    if step == "*" and not schemas:
        schemas += properties.values()
    if _is_element(step):
        items = schema.get("items")
        schemas += [items] if isinstance(items, dict) else elements(items)
        schemas += elements(schema.get("prefixItems"))
    return schemas


def _takes_any(schema: dict[str, Any], step: str) -> bool:
    """Return whether a schema is of a container with any contents."""
    closed = schema.get("additionalProperties") is False
    if closed or "enum" in schema or "const" in schema:
        return False
    kinds = schema.get("type", ["object", "array"])
    named = [kinds] if isinstance(kinds, str) else elements(kinds)
    if "object" in named and not members(schema.get("properties")):
        return True
    return "array" in named and _is_element(step)


def _is_element(step: str) -> bool:
    return step == "*" or step.isdecimal()


def _branches(schema: object, root: object) -> list[dict[str, Any]]:
    """Return a schema and all schemas that are combined in it, references followed."""
    if schema is True:
        return _OPEN
    pending, schemas = [schema], list[dict[str, Any]]()
    visited = set[int]()
    while pending and len(schemas) < limits.POLICY_SCHEMAS:
        one = pending.pop()
        if one is True:
            schemas += _OPEN
        if not isinstance(one, dict) or id(cast("object", one)) in visited:
            continue
        table = members(cast("object", one))
        visited.add(id(cast("object", one)))
        if isinstance(reference := table.get("$ref"), str):
            pending.append(_target(root, reference))
        parts = _combined(table)
        pending += parts + _dependent(table)
        if (not parts and "$ref" not in table) or "properties" in table:
            schemas.append(table)
    return schemas


def _combined(schema: dict[str, Any]) -> list[Any]:
    """Return the schemas that are combined in a schema."""
    parts = (schema[key] for key in _COMBINED if key in schema)
    return [one for part in parts for one in elements(part) or [part]]


def _dependent(schema: dict[str, Any]) -> list[Any]:
    """Return the schemas that hold where one of the arguments is there."""
    return [one for key in _DEPENDENT for one in members(schema.get(key)).values()]


def _target(root: object, reference: str) -> object:
    """Return the target of a reference within the schema; None without one.

    The target of an anchor, or of a reference to a document by its name, is any.
    """
    if reference != "#" and not reference.startswith("#/"):
        return True
    value: Any = root
    for step in pointer_steps(unquote(reference)):
        value = members(value).get(step)
    return value
