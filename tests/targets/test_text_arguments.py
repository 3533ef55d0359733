"""Texts of a command line as values: the schema of a parameter decides."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.agents.text_arguments import (
    kinds_of,
    signature,
    type_text,
    value_of,
)

ROOT: dict[str, Any] = {
    "$defs": {"n": {"type": "integer"}, "loop": {"$ref": "#/$defs/loop"}}
}


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("2", {"type": "string"}, "2"),
        ("2", {"type": ["integer", "string"]}, "2"),
        ("2", {}, "2"),
        ("2", {"$ref": "#/$defs/n"}, 2),
        ("2", {"$ref": "elsewhere"}, "2"),
        ("2", {"$ref": "#/$defs/loop"}, "2"),
        ("2.0", {"type": "integer"}, 2),
        ("2", {"type": "number"}, 2),
        ("true", {"type": "boolean"}, True),
        ("null", {"type": ["integer", "null"]}, None),
        ("null", {"anyOf": [{"type": "string"}, {"type": "null"}]}, "null"),
        ("[1]", {"type": "array"}, [1]),
        ("a", {"type": "array", "items": {"type": "string"}}, ["a"]),
        ("1", {"type": "array", "items": {"type": "integer"}}, [1]),
        ('{"a": 1}', {"type": "object"}, {"a": 1}),
        ("2", {"enum": [1, 2]}, 2),
        ("2.5", {"const": 2.5}, 2.5),
        ("false", {"enum": [False]}, False),
        ("null", {"const": None}, None),
        ("[]", {"const": []}, []),
        ("2", {"allOf": [{"type": ["integer", "null"]}, {"type": "integer"}]}, 2),
    ],
)
def test_the_schema_decides_what_a_text_is(
    text: str, schema: dict[str, Any], value: object
) -> None:
    assert value_of(text, schema, ROOT) == value
    assert type(value_of(text, schema, ROOT)) is type(value)


MODES = {"enum": ["a", "3", 3, 4, True, None]}


@pytest.mark.parametrize(
    ("text", "value"),
    [("a", "a"), ("3", "3"), ("4", 4), ("true", True), ("null", None), ("1", "1")],
)
@pytest.mark.parametrize("schema", [MODES, {"$ref": "#/$defs/modes"}])
def test_a_value_of_an_enumeration_is_that_value(
    schema: dict[str, Any], text: str, value: object
) -> None:
    made = value_of(text, schema, {"$defs": {"modes": MODES}})
    assert (made, type(made)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "schema", "expected"),
    [
        ("a", {"type": "integer"}, "an integer"),
        ("2.5", {"type": "integer"}, "an integer"),
        ("1", {"type": ["boolean", "null"]}, "true or false or null"),
        ("[", {"type": "object"}, "a JSON object"),
    ],
)
def test_other_texts_are_refused(
    text: str, schema: dict[str, Any], expected: str
) -> None:
    with pytest.raises(ValueError, match=f"expected {expected}, got '"):
        value_of(text, schema, {})


def test_a_signature_is_for_people() -> None:
    schema = {
        "properties": {
            "a": {"type": "integer"},
            "b": {"enum": ["x", 1]},
            "c": {},
            "d": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["d"],
    }
    assert signature("t", schema) == (
        't(d: array of string, a?: integer, b?: "x" | 1, c?: any)'
    )
    assert signature("t", schema, fold=True) == "t(d: array of string, ...3)"
    assert signature("t", {}, fold=True) == "t()"
    assert kinds_of({"type": "number"}, {}) == ("number",)
    assert type_text({"type": ["string", "null"]}, {}) == "string | null"
