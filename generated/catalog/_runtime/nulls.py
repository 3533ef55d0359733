# Copied by mcp-bindgen. Do not edit.
"""Takes away nulls that models give for optional parameters that take no null."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from .strict_json import elements, members

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["takes_null", "without_nulls"]

_DEEPEST = 32


def without_nulls(
    value: Any, schema: object, root: Mapping[str, Any], depth: int = 0
) -> Any:
    """Return a JSON value without the nulls that can only mean "absent".

    Args:
        value: What a model gave; as OpenAI's strict mode makes it say optional parts.
        schema: What it should fit.
        root: The schema that references lead into.
        depth: How deep the value stands.
    """
    if depth > _DEEPEST or not isinstance(value, (dict, list)):
        return value
    node = _followed(schema, root)
    kind = "object" if isinstance(value, dict) else "array"
    branches = [*elements(node.get("anyOf")), *elements(node.get("oneOf"))]
    fitting = [branch for branch in branches if _may_be(branch, kind, root)]
    given: Any = cast("Any", value)
    if len(fitting) == 1:  # among several, nobody knows whose null it is
        given = without_nulls(given, fitting[0], root, depth + 1)
    if kind == "array":
        items = node.get("items")
        return [without_nulls(item, items, root, depth + 1) for item in given]
    properties = members(node.get("properties"))
    required = elements(node.get("required"))
    return {
        key: without_nulls(item, properties.get(key), root, depth + 1)
        for key, item in given.items()
        if item is not None
        or key not in properties
        or key in required
        or takes_null(properties[key], root)
    }


def takes_null(schema: object, root: Mapping[str, Any], depth: int = 0) -> bool:
    """Tell whether a schema accepts null, as far as its plain keywords say.

    Args:
        schema: Any schema.
        root: The schema that references lead into.
        depth: How many schemas stand around it.
    """
    if isinstance(schema, bool):
        return schema
    node = _followed(schema, root)
    if depth > _DEEPEST:
        return True
    types = node.get("type", "null")
    if types != "null" and "null" not in elements(types):
        return False
    if "enum" in node and None not in elements(node["enum"]):
        return False
    if node.get("const") is not None:
        return False
    return all(
        how(takes_null(branch, root, depth + 1) for branch in elements(node[keyword]))
        for keyword, how in (("allOf", all), ("anyOf", any), ("oneOf", any))
        if keyword in node
    )


def _may_be(schema: object, kind: str, root: Mapping[str, Any]) -> bool:
    types = _followed(schema, root).get("type", kind)
    return types == kind or kind in elements(types)


def _followed(schema: object, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema, or what its reference leads to; {} where that is nothing."""
    for _ in range(_DEEPEST):
        node = members(schema)
        ref = node.get("$ref")
        if not isinstance(ref, str):
            return node
        schema = root
        for step in ref.removeprefix("#").split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            schema = members(schema).get(key)
    return {}
