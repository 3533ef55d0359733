# Copied by mcp-bindgen. Do not edit.
"""Removes the nulls that models write for optional parameters that take no null."""

from __future__ import annotations

from functools import partial
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote

from .. import limits
from ..json_pointer import steps as pointer_steps
from ..json_values import elements, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["takes_null", "without_nulls"]


def without_nulls(
    value: Any,
    schema: object,
    root: Mapping[str, Any],
    depth: int = 0,
    budget: Iterator[int] | None = None,
) -> Any:
    """Return a JSON value without the nulls that can only mean "absent".

    Args:
        value: Arguments from a model. OpenAI's strict mode makes it write null for
            an optional parameter that it leaves out.
        schema: The schema of the value.
        root: The schema that references lead into.
        depth: Levels above the value.
        budget: Limits the members that are searched; after them, nulls stay.
    """
    budget = iter(range(limits.NULL_STEPS)) if budget is None else budget
    # 1. A scalar has no members; what is too deep or too large stays as it is.
    if depth > limits.NULL_DEPTH or not isinstance(value, (dict, list)):
        return value
    outer: Any = cast("Any", value)
    size = 1 + len(outer)
    if len([*islice(budget, size)]) < size:
        return outer
    # 2. Alternatives: with several that fit, a null belongs to none of them for sure;
    #    with one, its nulls go first.
    node = _followed(schema, root)
    kind = "object" if isinstance(value, dict) else "array"
    fitting = _alternatives(node, kind, root)
    if len(fitting) == 1:
        outer = without_nulls(outer, fitting[0], root, depth + 1, budget)
    # 3. The members of an object, the elements of an array.
    inside = partial(without_nulls, root=root, depth=depth + 1, budget=budget)
    if kind == "array":
        first = elements(node.get("prefixItems"))
        schemas = chain(first, repeat(node.get("items")))
        return [inside(item, each) for item, each in zip(outer, schemas, strict=False)]
    absent = _absent(outer, node, root)
    properties = members(node.get("properties"))
    return {
        k: inside(v, properties.get(k)) for k, v in outer.items() if k not in absent
    }


def _alternatives(
    node: Mapping[str, Any], kind: str, root: Mapping[str, Any]
) -> list[Any]:
    """Return the alternatives of a schema that take values of a type."""
    branches = [*elements(node.get("anyOf")), *elements(node.get("oneOf"))]
    return [branch for branch in branches if _may_be(branch, kind, root)]


def _absent(
    value: Mapping[str, Any], node: Mapping[str, Any], root: Mapping[str, Any]
) -> set[str]:
    """Return the optional properties of an object that are null and may not be."""
    properties = members(node.get("properties"))
    required = elements(node.get("required"))
    return {
        key
        for key, item in value.items()
        if item is None
        and key in properties
        and key not in required
        and not takes_null(properties[key], root)
    }


def takes_null(
    schema: object,
    root: Mapping[str, Any],
    depth: int = 0,
    verdicts: dict[int, bool] | None = None,
) -> bool:
    """Return whether a schema accepts null, as far as its plain keywords say.

    Args:
        schema: Any schema.
        root: The schema that references lead into.
        depth: Schemas around it.
        verdicts: Verdicts by the identity of a schema; a schema that is being visited
            counts as accepting null.
    """
    if isinstance(schema, bool):
        return schema
    node = _followed(schema, root)
    if depth > limits.NULL_DEPTH or not node:
        return True
    verdicts = {} if verdicts is None else verdicts
    if id(node) not in verdicts:
        verdicts[id(node)] = True
        verdicts[id(node)] = _takes_null(node, root, depth, verdicts)
    return verdicts[id(node)]


def _takes_null(
    node: Mapping[str, Any],
    root: Mapping[str, Any],
    depth: int,
    verdicts: dict[int, bool],
) -> bool:
    types = node.get("type", "null")
    if types != "null" and "null" not in elements(types):
        return False
    if "enum" in node and None not in elements(node["enum"]):
        return False
    if node.get("const") is not None:
        return False
    return all(
        combine(
            takes_null(each, root, depth + 1, verdicts)
            for each in elements(node[keyword])
        )
        for keyword, combine in (("allOf", all), ("anyOf", any), ("oneOf", any))
        if keyword in node
    )


def _may_be(schema: object, kind: str, root: Mapping[str, Any]) -> bool:
    types = _followed(schema, root).get("type", kind)
    return types == kind or kind in elements(types)


def _followed(schema: object, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema, or the target of its reference; {} where there is none."""
    for _ in range(limits.NULL_DEPTH):
        node = members(schema)
        ref = node.get("$ref")
        if not isinstance(ref, str):
            return node
        schema = _referred(unquote(ref), root)
    return {}


def _referred(ref: str, root: Mapping[str, Any]) -> object:
    """Return the target of a reference: a pointer, or the anchor of a definition."""
    if ref != "#" and not ref.startswith("#/"):
        tables = (members(root.get(key)) for key in ("$defs", "definitions"))
        definitions = (each for table in tables for each in table.values())
        none: dict[str, object] = {}
        return next((each for each in definitions if _anchor(each) == ref), none)
    schema: object = root
    for key in pointer_steps(ref):
        schema = members(schema).get(key)
    return schema


def _anchor(schema: object) -> object:
    """Return the name of a schema in references; until draft 7, its `$id` has it."""
    node = members(schema)
    return f"#{node['$anchor']}" if "$anchor" in node else node.get("$id")
