"""The schemas that datamodel-code-generator gets: known keywords, cleaned texts."""

from __future__ import annotations

from typing import Any, cast

from pydantic_core import SchemaError, SchemaValidator
from pydantic_core.core_schema import str_schema

from mcp_bindgen.python.literals import WireStr, clean

__all__ = ["LeftOutError", "prepared_schema"]

# Keywords by the form of their value. All others are dropped: datamodel-code-generator
# makes imports and base classes of some.
_ONE = "additionalProperties items not if then else contains propertyNames".split()
_MANY = "allOf anyOf oneOf prefixItems".split()
_TABLES = "properties patternProperties $defs definitions".split()
_PLAIN = """
    type enum const required minItems maxItems uniqueItems minLength maxLength pattern
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minProperties
    maxProperties
    """.split()


class LeftOutError(Exception):
    """There are no models of this tool."""


def prepared_schema(schema: Any, kind: str) -> Any:
    """Return a schema of known keywords alone, with references within itself.

    Raises:
        LeftOutError: A reference leads elsewhere.
    """
    if not isinstance(schema, dict):
        return schema
    node = cast("dict[str, Any]", schema)
    made = {key: _value(key, value, kind) for key, value in node.items()}
    words = node.get("description")
    if isinstance(words, str) and "properties" in node:
        made["description"] = clean(WireStr(words))
    made = {key: value for key, value in made.items() if value is not None}
    if "const" in node:  # null may be the constant
        made["const"] = node["const"]
    return _opened(made) if kind == "pydantic" else made


def _value(key: str, value: object, kind: str) -> Any:
    """Return the value of a keyword, None for a keyword to drop.

    Raises:
        LeftOutError: A reference leads elsewhere.
    """
    if key == "$ref":
        return _reference(value)
    if isinstance(value, list) and key in _MANY:
        return [prepared_schema(each, kind) for each in cast("list[object]", value)]
    if key in _ONE and not isinstance(value, list):
        return prepared_schema(value, kind)
    if key in _TABLES and isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return {name: prepared_schema(each, kind) for name, each in table.items()}
    plain = cast("Any", value)
    is_plain = key in _PLAIN and (key != "pattern" or _may_run(plain, kind))
    return plain if is_plain or key in _ONE else None


def _reference(value: object) -> str:
    """Return a reference within the schema.

    Raises:
        LeftOutError: It leads elsewhere.
    """
    if isinstance(value, str) and value.startswith("#"):
        return value
    raise LeftOutError(f"a reference to another document: {value!a}"[:200])


def _opened(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that says which other members an object may have.

    Pydantic classes would lose them in silence.
    """
    if {"type", "properties"} <= schema.keys():
        return {"additionalProperties": True, **schema}
    return schema


def _may_run(pattern: object, kind: str) -> bool:
    """Return whether a kind of models reads a pattern, in linear time."""
    if kind != "pydantic" or not isinstance(pattern, str):
        return False  # msgspec has Python's engine, which a pattern may keep busy
    try:
        SchemaValidator(str_schema(pattern=pattern))
    except SchemaError:
        return False
    return True
