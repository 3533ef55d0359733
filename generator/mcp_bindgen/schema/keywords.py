"""The keywords and the types of JSON Schema: one table for all that reads schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.runtime.validation.references import MANY, NAMED, ONE

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ANNOTATIONS",
    "DEFINITIONS",
    "EFFECTIVE",
    "JSON_TYPES",
    "KNOWN",
    "LATER",
    "LISTS",
    "MAPS",
    "NARROWING",
    "NUMBERS",
    "RESIDUAL",
    "SHAPING",
    "SINCE_6",
    "SINCE_7",
    "SINCE_2020",
    "SINGLE",
    "TYPE_NAMES",
]

# Keywords with inner schemas: a single one, a list, or a map of names.
SINGLE = ONE | {"contentSchema"}
LISTS = MANY | {"items"}
DEFINITIONS = frozenset({"$defs", "definitions"})
MAPS = (NAMED - {"dependencies", "dependentRequired"}) | DEFINITIONS

# Keywords that allow and forbid nothing.
ANNOTATIONS = DEFINITIONS | frozenset("""
    $schema $comment $anchor $id title description default examples example
    deprecated readOnly writeOnly format contentEncoding contentMediaType contentSchema
    """.split())
# Keywords whose value is a number.
NUMBERS = frozenset("""
    minLength maxLength minimum maximum multipleOf minItems maxItems minContains
    maxContains minProperties maxProperties exclusiveMinimum exclusiveMaximum
    """.split())
# Keywords that types or residual validation know; any other has no effect.
KNOWN = SINGLE | LISTS | MAPS | ANNOTATIONS | NUMBERS | frozenset("""
    $ref $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor type enum const
    pattern uniqueItems required dependentRequired dependencies
    """.split())
# Keywords that allow or forbid something.
EFFECTIVE = KNOWN - ANNOTATIONS
# Keywords that have no meaning in a schema that declares a draft before 2019-09 ...
LATER = frozenset("""
    prefixItems minContains maxContains dependentRequired dependentSchemas
    unevaluatedItems unevaluatedProperties $dynamicRef
    """.split())
# ... before 2020-12, before draft 7, and before draft 6.
SINCE_2020 = frozenset(("prefixItems", "$dynamicRef", "$dynamicAnchor"))
SINCE_7 = frozenset(("if", "then", "else"))
SINCE_6 = frozenset(("const", "contains", "propertyNames"))
# Keywords that only residual validation checks, for any type.
RESIDUAL = (
    "not", "if", "then", "else", "contains", "dependentRequired", "dependentSchemas",
    "dependencies", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef",
    "$recursiveRef",
)  # fmt: skip
# Keywords that limit one type only; values of all other types pass.
NARROWING = (NUMBERS - {"minContains", "maxContains"}) | frozenset("""
    pattern items additionalItems prefixItems uniqueItems properties
    additionalProperties patternProperties propertyNames required
    """.split())
# Those that imply a type if a schema names none.
SHAPING = frozenset({"properties", "items", "prefixItems"})

# The name of each JSON type in schemas, by its type in Python.
TYPE_NAMES: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
JSON_TYPES = frozenset(TYPE_NAMES.values())
