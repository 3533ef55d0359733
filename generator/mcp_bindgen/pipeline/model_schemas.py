"""The schema that datamodel-code-generator gets: known keywords, and cleaned texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from pydantic_core import SchemaError, SchemaValidator
from pydantic_core.core_schema import str_schema

from mcp_bindgen.python.literals import WireStr, clean
from mcp_bindgen.runtime.json_values import members

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = ["LeftOutError", "prepared_schema"]

# Keywords by the form of their value. All others are dropped: datamodel-code-generator
# makes imports and base classes of some.
_SCHEMAS = """
    additionalProperties allOf anyOf contains else if items not oneOf prefixItems
    propertyNames then
    """.split()
_TABLES = "properties patternProperties $defs definitions".split()
_DEFINED = frozenset({"$defs", "definitions"})
# What may stand beside a reference without a change of its meaning.
_BESIDE = frozenset({"$schema", "description", "title", "type"}) | _DEFINED
_PLAIN = """
    type enum const required minItems maxItems uniqueItems minLength maxLength pattern
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minProperties
    maxProperties
    """.split()
_LENGTHS = "minItems maxItems minLength maxLength minProperties maxProperties".split()
_KINDS: Mapping[type, str] = {
    bool: "boolean",
    dict: "object",
    float: "number",
    int: "integer",
    list: "array",
    str: "string",
    type(None): "null",
}
# Texts that few models need, and the options that put them there.
_WORDS: Mapping[str, frozenset[str]] = {
    "title": frozenset({"use_title_as_name"}),
    "description": frozenset({"use_field_description", "use_attribute_docstrings"}),
}


# Matches any name.
_WHOLE = re.compile(r"(\^?\(?\.\*\)?\$?|\^?)")


class LeftOutError(Exception):
    """There are no models of this tool."""


def prepared_schema(
    schema: Mapping[str, Any], kind: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a schema of known keywords alone, with references within itself.

    Args:
        schema: The schema of arguments or of a result.
        kind: The kind of models.
        options: The user's options, which may ask for titles and descriptions.

    Raises:
        LeftOutError: A reference leads elsewhere.
    """
    words = {word for word, names in _WORDS.items() if names & options.keys()}
    made = _prepared(_whole(schema), kind, frozenset(words))
    return {key: each for key, each in made.items() if key != "title"}


def _whole(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema whose root is no reference alone: a class needs the root."""
    rest = {key: value for key, value in schema.items() if key != "$ref"}
    word, _, name = str(schema.get("$ref", "")).removeprefix("#/").partition("/")
    target: object = members(schema.get(word)).get(name) if word in _DEFINED else None
    if isinstance(target, dict) and rest.keys() <= _BESIDE:
        return {**rest, **cast("dict[str, Any]", target)}
    return schema


def _prepared(schema: Any, kind: str, words: Collection[str]) -> Any:
    if not isinstance(schema, dict):
        return schema
    node = cast("dict[str, Any]", schema)
    made = {key: _value(key, value, kind, words) for key, value in node.items()}
    of_class = ["description"] if "properties" in node else []
    for word in (*words, *of_class):
        if isinstance(text := node.get(word), str):
            made[word] = clean(WireStr(text))
    made = {key: value for key, value in made.items() if value is not None}
    if "const" in node:  # null may be the constant
        made["const"] = node["const"]
    made = _with_patterns(_readable(made))
    return _opened(made) if kind == "pydantic" else made


def _readable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with types in place of constants that no `Literal` may have.

    Type checkers read no integer of more than 64 bits, and no number, array or object.
    """
    made = dict(schema)
    if "const" in made and not _is_literal(made["const"]):
        made.setdefault("type", _KINDS[type(made.pop("const"))])
    values = made.get("enum")
    if isinstance(values, list):
        listed = cast("list[object]", values)
        if any(type(each) is int and not _is_literal(each) for each in listed):
            del made["enum"]
            made.setdefault("type", sorted({_KINDS[type(each)] for each in listed}))
    return made


def _with_patterns(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without patterns that would be the only names of an object.

    datamodel-code-generator reads them so, or ignores them and closes the object.
    """
    patterns = members(schema.get("patternProperties"))
    is_open = schema.get("additionalProperties", True) is not False
    is_map = len(patterns) == 1 and not members(schema.get("properties"))
    if not patterns or (is_map and not is_open):
        return schema
    made = {key: each for key, each in schema.items() if key != "patternProperties"}
    made.pop("additionalProperties", None)
    whole = [each for pattern, each in patterns.items() if _WHOLE.fullmatch(pattern)]
    types = whole[:1] if is_open else [*patterns.values()]
    return {**made, "additionalProperties": {"anyOf": types}} if types else made


def _is_literal(value: object) -> bool:
    if type(value) is int:
        return abs(value) < 2**63
    return value is None or isinstance(value, bool | str)


def _value(key: str, value: object, kind: str, words: Collection[str]) -> Any:
    """Return the value of a keyword, None for a keyword to drop."""
    if key == "$ref":
        return _reference(value)
    if isinstance(value, list) and key in _SCHEMAS:
        return [_prepared(each, kind, words) for each in cast("list[object]", value)]
    if key in _SCHEMAS:
        return _prepared(value, kind, words)
    if key in _TABLES and isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        return {name: _prepared(each, kind, words) for name, each in table.items()}
    plain = cast("Any", value)
    is_plain = key in _PLAIN and (key != "pattern" or _may_run(plain, kind))
    if key in _LENGTHS and not (type(plain) is int and 0 <= plain < 2**63):
        return None  # libraries have 64 bits for a length, and no array has more
    return plain if is_plain else None


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
