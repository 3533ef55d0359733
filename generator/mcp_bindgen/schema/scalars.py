"""Schemas without inner schemas to types: numbers, strings, listed values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.python.expressions import (
    Expr,
    annotated,
    call,
    literal,
    name,
    sub,
    union,
)
from mcp_bindgen.runtime.strict_json import json_key
from mcp_bindgen.runtime.validation.patterns import compile_pattern, translate
from mcp_bindgen.schema.context import ANY, CHECKED, NONE, PLAIN, Draft, Place, State
from mcp_bindgen.schema.document import EFFECTIVE, KINDS, types_of
from mcp_bindgen.schema.unread_patterns import why_unread

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["compile_enum", "compile_number", "compile_string", "sizes"]

LITERALS = 50
# Pydantic counts in machine words; what is larger is checked by residual validation.
_LARGEST_SIZE = 2**31 - 1
_BOUNDS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
}


def compile_number(
    state: State, node: Mapping[str, Any], place: Place, kind: str
) -> Expr:
    """Return the type of a number or an integer, with its bounds."""
    bounds = {_BOUNDS[key]: literal(node[key]) for key in _BOUNDS if key in node}
    step = node.get("multipleOf")
    if isinstance(step, float) and step.is_integer():
        step = int(step)
    if isinstance(step, int) and step > 0:
        bounds["multiple_of"] = literal(step)
    elif step is not None:
        state.check(place, "multipleOf")
    return _constrained(PLAIN[kind], bounds)


def compile_string(state: State, node: Mapping[str, Any], place: Place) -> Expr:
    """Return the type of a string, with its lengths and its pattern."""
    bounds = sizes(state, node, place, "Length")
    pattern = node.get("pattern")
    if pattern is not None:
        try:
            compile_pattern(pattern)
        except ValueError:
            # Residual validation reads look-around and back-references too.
            if why_unread(pattern) is None:
                state.check(place, "pattern")
        else:
            bounds["pattern"] = literal(translate(pattern))
    return _constrained(PLAIN["string"], bounds)


def sizes(
    state: State, node: Mapping[str, Any], place: Place, what: str
) -> dict[str, Expr]:
    """Return the keywords of `Field` for a lower and an upper size.

    Args:
        state: Where to note what cannot be said.
        node: The schema.
        place: Where it stands.
        what: `Length`, `Items` or `Properties`.
    """
    found = {
        "min_length": (f"min{what}", -int(-node.get(f"min{what}", 0) // 1)),
        "max_length": (f"max{what}", int(node.get(f"max{what}", -1) // 1)),
    }
    bounds: dict[str, Expr] = {}
    for argument, (keyword, number) in found.items():
        if keyword not in node or (argument == "min_length" and number <= 0):
            continue
        if 0 <= number <= _LARGEST_SIZE:
            bounds[argument] = literal(number)
        else:
            state.check(place, keyword)
    return bounds


def _constrained(expr: Expr, bounds: dict[str, Expr]) -> Expr:
    return annotated(expr, call("Field", **bounds)) if bounds else expr


def compile_enum(state: State, node: Mapping[str, Any], place: Place) -> Expr:
    """Return the type of a list of values, or of a single one."""
    values = cast("list[Any]", node["enum"] if "enum" in node else [node["const"]])
    if "enum" in node and "const" in node:
        only = json_key(node["const"])
        values = [value for value in values if json_key(value) == only]
    types = types_of(node)
    if types:
        values = [value for value in values if _kinds(value) & set(types)]
    unique = list({json_key(value): value for value in values}.values())
    siblings = node.keys() & EFFECTIVE - {"enum", "const", "type", *CHECKED}
    for keyword in sorted(siblings):
        state.check(place, keyword)
    if not unique:
        state.check(place, "enum")
        return ANY
    if len(unique) > state.limits.enum:
        state.check(place, "enum")
        return _union_of_kinds(unique)
    expr = _values(unique)
    if len(unique) <= LITERALS:
        return expr
    for known in state.drafts.values():
        if known.expr == expr:
            return name(known.mark)
    draft = Draft(state.mark(), place, "", node, expr)
    state.drafts[draft.mark] = draft
    return name(draft.mark)


def _values(values: list[Any]) -> Expr:
    literals = [literal(value) for value in values]
    if all(value is None for value in values):
        return NONE
    if all(isinstance(value, str) or value is None for value in values):
        return sub("Literal", *literals)
    if all(isinstance(v, str) or v is None or _is_word(v) for v in values):
        return annotated(sub("Literal", *literals), call("OneOf", *literals))
    return annotated(_union_of_kinds(values), call("OneOf", *literals))


def _is_word(value: object) -> bool:
    # mypy has no literals beyond machine words, and reads the minus apart.
    return isinstance(value, int) and abs(value) < 2**63


def _union_of_kinds(values: list[Any]) -> Expr:
    kinds = list(dict.fromkeys(_kind(value) for value in values))
    # A number may be an integer too.
    kept = [k for k in kinds if k != "integer" or "number" not in kinds]
    return union([PLAIN[kind] for kind in kept])


def _kind(value: object) -> str:
    return KINDS[type(value)]


def _kinds(value: object) -> set[str]:
    kind = _kind(value)
    if kind == "integer":
        return {kind, "number"}
    whole = isinstance(value, float) and value.is_integer()
    return {kind, "integer"} if whole else {kind}
