"""The fast check knows the parts that `unevaluated...` is about."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.validation.test_accept import TEXT, accepts

PARTS: dict[str, Any] = {
    "properties": {"a": True},
    "allOf": [{"patternProperties": {"^b": True}}],
    "if": {"properties": {"kind": {"const": "x"}}, "required": ["kind"]},
    "then": {"$ref": "#/$defs/c"},
    "else": {"properties": {"d": True}},
    "dependentSchemas": {"e": {"properties": {"e": True, "f": True}}},
    "$defs": {"c": {"properties": {"c": True}}},
}
NAMED: dict[str, Any] = {"properties": {"a": True}}
ELEMENTS: dict[str, Any] = {
    "prefixItems": [True],
    "anyOf": [{"contains": {"minimum": 2}}, {"prefixItems": [True, TEXT]}],
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"unevaluatedProperties": False}, {}),
        ({**PARTS, "unevaluatedProperties": False}, {"a": 1, "b1": 2}),
        ({**PARTS, "unevaluatedProperties": TEXT}, {"d": 1, "b1": 2, "g": "x"}),
        ({**PARTS, "unevaluatedProperties": False}, {"kind": "x", "c": 1}),
        ({**PARTS, "unevaluatedProperties": False}, {"e": 1, "f": 2}),
        ({"not": {"required": ["a"], "unevaluatedProperties": False}}, {"a": 1}),
        ({"dependencies": {"a": NAMED}, "unevaluatedProperties": False}, {"a": 1}),
        ({**ELEMENTS, "unevaluatedItems": False}, [1, "x", 2]),
        ({**ELEMENTS, "unevaluatedItems": {"const": 0}}, [1, "x", 0, 3]),
        ({"allOf": [{"items": True}], "unevaluatedItems": False}, [1]),
        ({"allOf": [{"unevaluatedItems": True}], "unevaluatedItems": False}, [1]),
    ],
)
def test_values_that_fit(schema: object, value: object) -> None:
    assert accepts(schema, value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({**PARTS, "unevaluatedProperties": False}, {"a": 1, "c": 2}),
        ({**PARTS, "unevaluatedProperties": False}, {"kind": "y", "c": 1}),
        ({**PARTS, "unevaluatedProperties": False}, {"f": 2}),
        ({**PARTS, "unevaluatedProperties": TEXT}, {"g": 1}),
        ({"if": True, "else": NAMED, "unevaluatedProperties": False}, {"a": 1}),
        ({**ELEMENTS, "unevaluatedItems": False}, [1, "x", 0]),
        ({**ELEMENTS, "unevaluatedItems": False}, [3, 1]),
        ({"anyOf": [{"items": TEXT}, True], "unevaluatedItems": False}, ["x", 1]),
    ],
)
def test_values_that_do_not_fit(schema: object, value: object) -> None:
    assert not accepts(schema, value)
