"""Schemas without inner schemas to types: numbers, strings, listed values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mcp_bindgen.python.docstring_safety import value_parts
from mcp_bindgen.python.expressions import (
    Expr,
    annotated,
    call,
    literal,
    name,
    sub,
    union,
)
from mcp_bindgen.runtime.json_values import json_key
from mcp_bindgen.runtime.validation.patterns import compile_pattern, translate
from mcp_bindgen.schema.context import (
    ANY,
    NONE,
    PLAIN,
    ClassDraft,
    CompileContext,
    Location,
)
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.keywords import EFFECTIVE, RESIDUAL, TYPE_NAMES
from mcp_bindgen.schema.node import types_of
from mcp_bindgen.schema.unread_patterns import why_unread

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["compile_enum", "compile_number", "compile_string", "listed_values"]
__all__ += ["sizes"]

# A longer list of values is a type with a name.
_INLINE = 50
# Pydantic counts in machine words; residual validation checks what is larger.
_LARGEST_SIZE = 2**31 - 1
_BOUNDS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
}


def compile_number(
    context: CompileContext, node: Mapping[str, Any], location: Location, kind: str
) -> Expr:
    """Return the type of a number or an integer, with its bounds."""
    bounds = {_BOUNDS[key]: literal(node[key]) for key in _BOUNDS if key in node}
    step = node.get("multipleOf")
    if isinstance(step, float) and step.is_integer():
        step = int(step)
    if isinstance(step, int) and step > 0:
        bounds["multiple_of"] = literal(step)
    elif step is not None:
        context.check(location, "multipleOf")
    return _constrained(PLAIN[kind], bounds)


def compile_string(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> Expr:
    """Return the type of a string, with its lengths and its pattern."""
    bounds = sizes(context, node, location, "Length")
    pattern = node.get("pattern")
    if pattern is not None:
        try:
            compile_pattern(pattern)
            is_read = not _is_active(pattern)
        except ValueError:
            is_read = False
        if is_read:
            bounds["pattern"] = literal(translate(pattern))
        elif why_unread(pattern) is None:
            # Residual validation reads look-around and back-references too.
            context.check(location, "pattern")
    return _constrained(PLAIN["string"], bounds)


def sizes(
    context: CompileContext, node: Mapping[str, Any], location: Location, measure: str
) -> dict[str, Expr]:
    """Return the arguments of `Field` for a lower and an upper size.

    Args:
        context: Takes notes of rules that types lack.
        node: The schema.
        location: Its location.
        measure: The end of the keywords: `Length`, `Items` or `Properties`.
    """
    # A lower bound is rounded up, an upper one down: sizes are whole numbers.
    limits = {
        "min_length": (f"min{measure}", -int(-node.get(f"min{measure}", 0) // 1)),
        "max_length": (f"max{measure}", int(node.get(f"max{measure}", -1) // 1)),
    }
    bounds: dict[str, Expr] = {}
    for argument, (keyword, number) in limits.items():
        if keyword not in node or (argument == "min_length" and number <= 0):
            continue
        if 0 <= number <= _LARGEST_SIZE:
            bounds[argument] = literal(number)
        else:
            context.check(location, keyword)
    return bounds


def _constrained(expr: Expr, bounds: dict[str, Expr]) -> Expr:
    return annotated(expr, call("Field", **bounds)) if bounds else expr


def compile_enum(
    context: CompileContext, node: Mapping[str, Any], location: Location
) -> Expr:
    """Return the type of a list of values, or of a single one."""
    siblings = node.keys() & EFFECTIVE - {"enum", "const", "type", *RESIDUAL}
    for keyword in sorted(siblings):
        context.check(location, keyword)
    values = listed_values(node)
    if not values:
        context.check(location, "enum")
        return ANY
    if len(values) > context.limits.enum or any(map(_is_active, values)):
        context.check(location, "enum")
        return _union_of_types(values)
    expr = _type_of_values(values)
    return expr if len(values) <= _INLINE else _named(context, node, location, expr)


def listed_values(node: Mapping[str, Any]) -> list[Any]:
    """Return the values that `enum`, `const` and `type` allow together, each once."""
    values = cast("list[Any]", node["enum"] if "enum" in node else [node["const"]])
    if "enum" in node and "const" in node:
        only = json_key(node["const"])
        values = [value for value in values if json_key(value) == only]
    types = types_of(node)
    if types:
        values = [value for value in values if _types_of_value(value) & set(types)]
    by_key = {json_key(value): value for value in values}
    if len(by_key) < len(values):  # 1 and 1.0 are one: which of them, no order says
        by_key |= {json_key(v): v for v in sorted(values, key=canonical, reverse=True)}
    return [*by_key.values()]


def _named(
    context: CompileContext, node: Mapping[str, Any], location: Location, expr: Expr
) -> Expr:
    """Return the placeholder of a named type; equal long lists share one.

    Its name is that of the place with the fewest words.
    """
    values = frozenset(map(json_key, listed_values(node)))
    if values in context.listed:
        draft = context.drafts[context.listed[values]]
        draft.location = min(draft.location, location, key=_nearness)
        return name(draft.placeholder)
    draft = ClassDraft(context.new_placeholder(), location, node, expr)
    context.drafts[draft.placeholder] = draft
    context.listed[values] = draft.placeholder
    return name(draft.placeholder)


def _nearness(location: Location) -> tuple[int, list[str]]:
    return len(location.path), [word.exact for word in location.path]


def _type_of_values(values: list[Any]) -> Expr:
    others = [value for value in values if value is not None]
    if not others:
        return NONE
    null = [NONE] if len(others) < len(values) else []
    listed_type = union([sub("Literal", *map(literal, others)), *null])
    if all(isinstance(value, str) for value in others):
        return listed_type
    # To Python, 1 and true are equal, and so are 1 and 1.0: `OneOf` tells them apart.
    only = call("OneOf", *map(literal, values))
    if all(isinstance(value, str) or _is_word(value) for value in others):
        return annotated(listed_type, only)
    return annotated(_union_of_types(values), only)


def _is_active(value: object) -> bool:
    return isinstance(value, str) and len(value_parts(value)) > 1


def _is_word(value: object) -> bool:
    # mypy has no literals beyond machine words, and reads the minus apart.
    return isinstance(value, int) and abs(value) < 2**63


def _union_of_types(values: list[Any]) -> Expr:
    types = dict.fromkeys(TYPE_NAMES[type(value)] for value in values)
    # A number may be an integer too.
    return union([PLAIN[t] for t in types if t != "integer" or "number" not in types])


def _types_of_value(value: object) -> set[str]:
    """Return the names of a value's JSON types."""
    type_name = TYPE_NAMES[type(value)]
    if type_name == "integer":
        return {type_name, "number"}
    whole = isinstance(value, float) and value.is_integer()
    return {type_name, "integer"} if whole else {type_name}
