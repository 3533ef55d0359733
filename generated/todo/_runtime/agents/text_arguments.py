# Copied by mcp-bindgen. Do not edit.
"""Texts of a command line to arguments of a tool: the schema decides, not the text."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from .. import limits
from ..json_pointer import steps
from ..json_values import elements, members
from ..strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["kinds_of", "signature", "type_text", "value_of"]

_ALL = ("string", "integer", "number", "boolean", "array", "object", "null")
_NOUNS = {
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "a JSON array",
    "object": "a JSON object",
    "null": "null",
    "string": "a string",
}


def kinds_of(schema: object, root: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the JSON types that a schema takes, all where it does not say.

    Example: `kinds_of({"type": ["integer", "null"]}, {}) == ("integer", "null")`.

    Args:
        schema: The schema of a parameter.
        root: The schema that references lead into.
    """
    kinds = _kinds(schema, root, 0)
    return tuple(kind for kind in _ALL if kind in kinds)


def _kinds(schema: object, root: Mapping[str, Any], depth: int) -> set[str]:
    node = members(schema)
    if depth > limits.NULL_DEPTH:
        return {*_ALL}
    reference = node.get("$ref")
    if isinstance(reference, str):
        return _kinds(_target(reference, root), root, depth + 1)
    if named := _named_kinds(node):
        return named
    for keyword in ("anyOf", "oneOf"):
        if branches := elements(node.get(keyword)):
            return {k for branch in branches for k in _kinds(branch, root, depth + 1)}
    narrowed = [_kinds(part, root, depth + 1) for part in elements(node.get("allOf"))]
    return {kind for kind in _ALL if all(kind in kinds for kinds in narrowed)}


def _named_kinds(node: Mapping[str, Any]) -> set[str]:
    """Return the JSON types that `type`, `const` or `enum` name, none without them."""
    types = node.get("type")
    if types:
        listed = [types] if isinstance(types, str) else elements(types)
        return {str(type_) for type_ in listed}
    values = [node["const"]] if "const" in node else elements(node.get("enum"))
    return {_kind(value) for value in values}


def _target(reference: str, root: Mapping[str, Any]) -> object:
    node: Any = root
    if not reference.startswith("#"):
        return {}
    for step in steps(reference[1:]):
        node = members(node).get(step)
    return node


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    kinds: dict[type, str] = {str: "string", int: "integer", float: "number"}
    return kinds.get(type(value), "array" if isinstance(value, list) else "object")


def value_of(text: str, schema: object, root: Mapping[str, Any]) -> Any:
    """Return the value that a text denotes.

    A text stays a string wherever the schema takes one, also if it looks like a number.

    Example: `value_of("2", {"type": "integer"}, {}) == 2`.

    Args:
        text: The text as it was typed.
        schema: The schema of the parameter.
        root: The schema that references lead into.

    Raises:
        ValueError: The schema takes no value that is written so; the message says
            the expected form.
    """
    kinds = kinds_of(schema, root)
    if "string" in kinds:
        return _choice(text, schema, root)
    value: Any
    try:
        value = _parsed(text)
    except ValueError:
        value = text
    kind = _kind(value)
    if kind in kinds or (kind == "integer" and "number" in kinds):
        return value
    if kind == "number" and "integer" in kinds and value.is_integer():
        return int(value)
    if "array" in kinds:  # one element
        items = members(members(schema).get("items"))
        return [value_of(text, items, root)]
    expected = " or ".join(_NOUNS.get(kind, kind) for kind in kinds)
    raise ValueError(f"expected {expected}, got {text[:80]!a}")


def _choice(text: str, schema: object, root: Mapping[str, Any]) -> Any:
    """Return the text, or the value of an enumeration that is written so.

    Example: `_choice("3", {"enum": ["a", 3]}, {}) == 3`.
    """
    node = members(schema)
    reference = node.get("$ref")
    if isinstance(reference, str):
        node = members(_target(reference, root))
    choices = elements(node.get("enum"))
    with suppress(ValueError):
        value = _parsed(text)
        same = any(type(each) is type(value) and each == value for each in choices)
        if same and text not in choices:
            return value
    return text


def _parsed(text: str) -> Any:
    try:
        return loads(text.encode("utf-8", "surrogatepass"))
    except StrictJsonError as error:
        raise ValueError(str(error)) from error


def type_text(schema: object, root: Mapping[str, Any]) -> str:
    """Return the type of a parameter for a person, as "integer" or "a | b"."""
    choices = elements(members(schema).get("enum"))
    if choices:
        return " | ".join(json.dumps(choice)[:40] for choice in choices[:8])
    kinds = kinds_of(schema, root)
    if len(kinds) == len(_ALL):
        return "any"
    items = members(schema).get("items")
    if kinds == ("array",) and isinstance(items, dict):
        return f"array of {type_text(cast('object', items), root)}"
    return " | ".join(kinds)


def signature(name: str, schema: Mapping[str, Any], *, fold: bool = False) -> str:
    """Return a tool's name with its parameters, required ones first.

    Example: `signature("add", {"properties": {"a": {"type": "integer"}}}) ==
    "add(a?: integer)"`.

    Args:
        name: The tool.
        schema: Its input schema.
        fold: Whether to write optional parameters as their number.
    """
    required = [*_parameters(schema, required=True)]
    optional = [*_parameters(schema, required=False)]
    if fold and optional:
        optional = [f"...{len(optional)}"]
    return f"{name}({', '.join((*required, *optional))})"


def _parameters(schema: Mapping[str, Any], *, required: bool) -> Iterator[str]:
    needed = elements(schema.get("required"))
    for name, part in members(schema.get("properties")).items():
        if (name in needed) is required:
            yield f"{name}{'' if required else '?'}: {type_text(part, schema)}"
