# Copied by mcp-bindgen. Do not edit.
"""Takes away nulls that models give for optional parameters that take no null."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from ..json_pointer import steps as pointer_steps
from ..strict_json import elements, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["takes_null", "without_nulls"]

_DEEPEST = 32
# Members looked at for one value; a schema may lead to the same ones again and again.
_STEPS = 100_000


def without_nulls(
    value: Any,
    schema: object,
    root: Mapping[str, Any],
    depth: int = 0,
    steps: Iterator[int] | None = None,
) -> Any:
    """Return a JSON value without the nulls that can only mean "absent".

    Args:
        value: What a model gave; as OpenAI's strict mode makes it say optional parts.
        schema: What it should fit.
        root: The schema that references lead into.
        depth: How deep the value stands.
        steps: How many members may still be looked at; after these, nulls stay.
    """
    steps = iter(range(_STEPS)) if steps is None else steps
    if depth > _DEEPEST or not isinstance(value, (dict, list)):
        return value
    given: Any = cast("Any", value)
    size = 1 + len(given)
    if len([*islice(steps, size)]) < size:
        return given
    node = _followed(schema, root)
    kind = "object" if isinstance(value, dict) else "array"
    branches = [*elements(node.get("anyOf")), *elements(node.get("oneOf"))]
    fitting = [branch for branch in branches if _may_be(branch, kind, root)]
    if len(fitting) == 1:  # among several, nobody knows whose null it is
        given = without_nulls(given, fitting[0], root, depth + 1, steps)
    if kind == "array":
        items = node.get("items")
        return [without_nulls(item, items, root, depth + 1, steps) for item in given]
    properties = members(node.get("properties"))
    required = elements(node.get("required"))
    return {
        key: without_nulls(item, properties.get(key), root, depth + 1, steps)
        for key, item in given.items()
        if item is not None
        or key not in properties
        or key in required
        or takes_null(properties[key], root)
    }


def takes_null(
    schema: object,
    root: Mapping[str, Any],
    depth: int = 0,
    known: dict[int, bool] | None = None,
) -> bool:
    """Tell whether a schema accepts null, as far as its plain keywords say.

    Args:
        schema: Any schema.
        root: The schema that references lead into.
        depth: How many schemas stand around it.
        known: What is known of schemas, by identity; those that are being asked
            stand no more in the way of null than they do elsewhere.
    """
    if isinstance(schema, bool):
        return schema
    node = _followed(schema, root)
    if depth > _DEEPEST or not node:
        return True
    known = {} if known is None else known
    if id(node) not in known:
        known[id(node)] = True
        known[id(node)] = _takes_null(node, root, depth, known)
    return known[id(node)]


def _takes_null(
    node: Mapping[str, Any], root: Mapping[str, Any], depth: int, known: dict[int, bool]
) -> bool:
    types = node.get("type", "null")
    if types != "null" and "null" not in elements(types):
        return False
    if "enum" in node and None not in elements(node["enum"]):
        return False
    if node.get("const") is not None:
        return False
    return all(
        how(
            takes_null(each, root, depth + 1, known) for each in elements(node[keyword])
        )
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
        for key in pointer_steps(ref):
            schema = members(schema).get(key)
    return {}
