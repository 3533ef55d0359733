"""Weighs a schema before types are made of it, and types before they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.limits import DEFAULT
from mcp_bindgen.python.expressions import Expr, Name, Union
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.runtime.validation.backtracking import pattern_states
from mcp_bindgen.schema.ir import Alias
from mcp_bindgen.schema.node import SchemaError, listed, mapped, walk
from mcp_bindgen.schema.outside import outside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mcp_bindgen.limits import Budget, Limits
    from mcp_bindgen.schema.ir import Object

__all__ = ["patterns_of", "size", "weigh_schema", "weigh_types"]

# Honest schemas need a tenth of this; types above it grow faster than their schema.
_BASE, _FOR_EACH = 1_000, 5
_KEYS = 4  # keys of the greatest length: all schemas below keep them in their pointers


def weigh_schema(
    root: Mapping[str, Any], budget: Budget
) -> list[tuple[str, Mapping[str, Any]]]:
    """Check the keywords whose cost does not depend on their location.

    Args:
        root: The schema.
        budget: Counts a step for each state of a pattern.

    Returns:
        All schemas in it with their pointers, as `walk` yields them.

    Raises:
        SchemaError: An object has too many properties, or patterns need too much.
    """
    needed, limits = 0, budget.limits
    nodes: list[tuple[str, Mapping[str, Any]]] = []
    for pointer, node in _with_outside(root, nodes):
        if len(pointer) > _KEYS * limits.name:
            raise SchemaError("", "the keys that lead to a schema are too long")
        for keyword in ("properties", "patternProperties", "required"):
            if keyword not in node:
                continue
            number = len(mapped(node[keyword]) or listed(node[keyword]))
            if number > limits.properties:
                message = f"{number:,} entries, more than {limits.properties:,}"
                raise SchemaError(child(pointer, keyword), message)
        needed += sum(map(_states, patterns_of(node, pointer).values()))
        if needed > limits.states:
            message = f"patterns with more than {limits.states:,} states together"
            raise SchemaError(pointer, message)
    budget.spend(needed)
    return nodes


def _with_outside(
    root: Mapping[str, Any], nodes: list[tuple[str, Mapping[str, Any]]]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield all schemas; add those that `walk` yields to a list on the way."""
    for each in walk(root, ""):
        nodes.append(each)
        yield each
    yield from outside(root, nodes)


def patterns_of(node: Mapping[str, Any], pointer: str) -> dict[str, str]:
    """Return the patterns of a schema itself, by their pointers."""
    if "pattern" not in node and "patternProperties" not in node:
        return {}
    patterns = {
        child(pointer, "patternProperties", pattern): pattern
        for pattern in mapped(node.get("patternProperties"))
    }
    if isinstance(node.get("pattern"), str):
        patterns[child(pointer, "pattern")] = node["pattern"]
    return patterns


def _states(pattern: str) -> int:
    try:
        return pattern_states(pattern)
    except ValueError:
        return 0  # It is never run.


def weigh_types(
    types: Iterable[Object | Alias], nodes: int, limits: Limits = DEFAULT
) -> None:
    """Check that types are of the size of their schema, as printed and as compiled.

    Args:
        types: The types; each alias after the types that it names.
        nodes: JSON values in the schema.
        limits: How much of everything is allowed.

    Raises:
        SchemaError: References multiply one another.
    """
    limit = _BASE + _FOR_EACH * nodes
    weights: dict[str, int] = {}
    total = printed = 0
    for type_ in sorted(types, key=_is_compiled_once):
        weight = sum(size(expr, weights) for expr in _expressions(type_))
        if not _is_compiled_once(type_):
            weights[type_.name] = weight
        total += weight
        printed += sum(map(_length, _expressions(type_)))
        if total > limit or printed > limits.tool_made:
            raise SchemaError("", "its references multiply to more than can be written")


def _is_compiled_once(type_: Object | Alias) -> bool:
    """Return whether pydantic compiles a type once, as a class or a recursive alias."""
    return not isinstance(type_, Alias) or type_.recursive


def _expressions(type_: Object | Alias) -> list[Expr]:
    if isinstance(type_, Alias):
        return [type_.type]
    return [field.type for field in type_.fields]


def _length(expr: Expr) -> int:
    """Return how many characters are in the names and literals of an expression."""
    if isinstance(expr, Name):
        return len(expr.code)
    if isinstance(expr, Union):
        return sum(map(_length, expr.members))
    return sum(len(item.prefix) + _length(item.expr) for item in expr.items)


def size(expr: Expr, weights: Mapping[str, int]) -> int:
    """Return how many names an expression has, each with its weight."""
    if isinstance(expr, Name):
        return weights.get(expr.code, 1)
    if isinstance(expr, Union):
        return sum(size(member, weights) for member in expr.members)
    return 1 + sum(size(item.expr, weights) for item in expr.items)
