"""Arguments whose schema is a reference with other keywords beside it."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.python.expressions import flat
from mcp_bindgen.schema.compile import CompiledSchema, compile_arguments
from mcp_bindgen.schema.ir import Object

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/X"}}}


def compiled(target: Any, **beside: Any) -> CompiledSchema:
    """Return the types of a root that refers to a definition."""
    schema = {"type": "object", "$ref": "#/$defs/X", "$defs": {"X": target}, **beside}
    return compile_arguments(schema, "Find")


def fields(made: CompiledSchema) -> dict[str, str]:
    """Return the parameters: wire name to type."""
    assert isinstance(made.root, Object)
    return {field.wire.text: flat(field.type) for field in made.root.fields}


@pytest.mark.parametrize(
    ("target", "beside", "expected"),
    [
        (CITY, {}, {"city": "String"}),
        (
            CITY,
            {"properties": {"size": {"type": "integer"}}},
            {"size": "Integer", "city": "String"},
        ),
        (
            CITY,
            {"allOf": [{"properties": {"all": {"type": "boolean"}}}]},
            {"city": "String", "all": "Boolean"},
        ),
        (NODE, {}, {"next": "X"}),
    ],
)
def test_keywords_beside_a_reference_hide_no_parameter(
    target: Any, beside: dict[str, Any], expected: dict[str, str]
) -> None:
    made = compiled(target, **beside)
    assert made.notes == ()
    assert fields(made) == expected


@pytest.mark.parametrize(
    ("target", "beside"),
    [
        ({"$ref": "#"}, {"properties": {"city": {"type": "string"}}}),
        (False, {}),
        ({**CITY, "additionalProperties": False}, {"properties": {"a": True}}),
    ],
)
def test_what_types_cannot_say_of_a_reference_is_checked(
    target: Any, beside: dict[str, Any]
) -> None:
    made = compiled(target, **beside)
    assert isinstance(made.root, Object)
    assert made.root.residual is not None
