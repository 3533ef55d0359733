"""The values that schemas list, as texts, and the types of values."""

from __future__ import annotations

import json
from functools import reduce
from typing import TYPE_CHECKING

from mcp_bindgen.contract.bounds import fits_bounds
from mcp_bindgen.runtime.validation.schema import SchemaChecker
from mcp_bindgen.schema.node import mapped
from mcp_bindgen.schema.spelling import value_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from mcp_bindgen.contract.bounds import Bound

__all__ = ["common", "excluded_values", "kind_of", "listed_values"]
__all__ += ["matching", "outside", "without_idle_not"]

_LISTS = {"const", "enum"}


def listed_values(node: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the values that a schema lists, None where it lists none."""
    lists = [[node["const"]]] if "const" in node else []
    if "enum" in node:
        lists.append(node["enum"])
    sets = [frozenset(map(value_text, values)) for values in lists]
    return common(sets)


def common(sets: Sequence[frozenset[str]]) -> frozenset[str] | None:
    """Return the texts that are in all sets, None where there is no set."""
    return reduce(frozenset[str].intersection, sets) if sets else None


def excluded_values(nodes: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the values that the `not` of schemas lists, where it says nothing else."""
    listed = (listed_values(n["not"]) for n in nodes if _excludes_values(n))
    return frozenset[str]().union(*filter(None, listed))


def matching(texts: frozenset[str], patterns: frozenset[str]) -> frozenset[str]:
    """Return the strings that match patterns; an unreadable pattern is ignored.

    Args:
        texts: The strings, as JSON.
        patterns: The patterns, of ECMA-262.
    """
    if not patterns:
        return texts
    checker = SchemaChecker({"allOf": [{"pattern": each} for each in sorted(patterns)]})
    return frozenset(t for t in texts if not any(checker.faults(json.loads(t))))


def outside(
    texts: frozenset[str], bounds: Mapping[str, Bound], patterns: frozenset[str]
) -> frozenset[str]:
    """Return the values that bounds or patterns forbid.

    Args:
        texts: The values, as JSON.
        bounds: The bounds of their type.
        patterns: The patterns that strings must all match.
    """
    fits = {text for text in texts if fits_bounds(json.loads(text), bounds)}
    return texts - matching(frozenset(fits), patterns)


def without_idle_not(
    node: Mapping[str, Any], kind: str, *, is_listed: bool
) -> Mapping[str, Any]:
    """Return a schema without a `not` that excludes no value of a type.

    Args:
        node: The schema.
        kind: The type.
        is_listed: Whether the values are listed, so that none of them is excluded.
    """
    if _excludes_other_types(node, kind):
        return {key: value for key, value in node.items() if key != "not"}
    if not _excludes_values(node):
        return node
    kinds = {kind, "integer"} if kind == "number" else {kind}
    texts = listed_values(node["not"]) or ()
    if not is_listed and any(kind_of(json.loads(text)) in kinds for text in texts):
        return node
    return {key: value for key, value in node.items() if key != "not"}


def _excludes_other_types(node: Mapping[str, Any], kind: str) -> bool:
    """Return whether the `not` of a schema names types alone, and not this one."""
    inner = mapped(node.get("not"))
    types = (
        {inner["type"]}
        if isinstance(inner.get("type"), str)
        else {*inner.get("type", ())}
    )
    kinds = {"number", "integer"} if kind in {"number", "integer"} else {kind}
    return {*inner} == {"type"} and types.isdisjoint(kinds)


def _excludes_values(node: Mapping[str, Any]) -> bool:
    """Return whether the `not` of a schema is a list of values alone."""
    return bool(inner := mapped(node.get("not"))) and {*inner} <= _LISTS


def kind_of(value: object) -> str:
    """Return the type of a JSON value."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, int):
        return "integer"
    for kind, name in ((float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"
