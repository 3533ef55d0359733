"""Residual validation says, for every keyword, what JSON SchemaChecker says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_bindgen.runtime.errors import Fault
from mcp_bindgen.runtime.validation.schema import SchemaChecker

CASES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("schema_cases.jsonl")
    .read_text("utf-8")
    .split("\n")
    if line and not line.startswith("#")
]

TREE: dict[str, Any] = {
    "type": "object",
    "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["id"],
}
EMBEDDED: dict[str, Any] = {
    "$id": "https://a.example/root.json",
    "properties": {"x": {"$ref": "inner.json#name"}, "y": {"$ref": "#/$defs/i"}},
    "$defs": {
        "i": {
            "$id": "inner.json",
            "type": "object",
            "$defs": {"n": {"$anchor": "name", "type": "string"}},
            "properties": {"z": {"$ref": "#/$defs/n"}},
        }
    },
}
STRICT_TREE: dict[str, Any] = {
    "$id": "https://a.example/strict",
    "$dynamicAnchor": "node",
    "$ref": "tree",
    "unevaluatedProperties": False,
    "$defs": {
        "t": {
            "$id": "tree",
            "$dynamicAnchor": "node",
            "properties": {"kids": {"items": {"$dynamicRef": "#node"}}, "data": True},
        }
    },
}


def first(schema: object, value: object) -> list[str] | None:
    """Return path and rule of the first fault."""
    fault = next(SchemaChecker(schema).faults(value), None)
    return [fault.path, fault.rule] if fault else None


@pytest.mark.parametrize(("schema", "value", "fault"), CASES)
def test_keywords(schema: object, value: object, fault: list[str] | None) -> None:
    assert first(schema, value) == fault


def test_values_that_json_text_does_not_show() -> None:
    huge = 10**400
    assert first({"type": "integer", "multipleOf": 0.5}, huge) is None
    assert first({"enum": [huge], "minimum": 0.5}, huge) is None
    assert first({"multipleOf": 1}, float("inf")) == ["", "multipleOf"]
    assert first({}, {1, 2}) == ["", "type"]
    assert first({"items": {}}, [(1, 2)]) == ["/0", "type"]


def test_references() -> None:
    assert first(TREE, {"id": 1, "kids": [{"id": 2, "kids": [{"id": 3}]}]}) is None
    assert first(TREE, {"id": 1, "kids": [{"kids": [1]}]}) == ["/kids/0/kids/0", "type"]
    assert first(EMBEDDED, {"x": "a", "y": {"z": "b"}}) is None
    assert first(EMBEDDED, {"x": 1}) == ["/x", "type"]
    assert first(EMBEDDED, {"y": {"z": 1}}) == ["/y/z", "type"]


def test_a_dynamic_reference_means_the_outermost_anchor() -> None:
    wrong = ["/kids/0/daat", "unevaluatedProperties"]
    assert first(STRICT_TREE, {"kids": [{"data": 1}]}) is None
    assert first(STRICT_TREE, {"kids": [{"daat": 1}]}) == wrong
    assert first(STRICT_TREE["$defs"]["t"], {"kids": [{"daat": 1}]}) is None


NO_SCHEMAS: list[Any] = [
    5,
    {"type": "int"},
    {"type": []},
    {"type": [{}]},
    {"minimum": "1"},
    {"minimum": True},
    {"maxLength": -1},
    {"maxLength": 1.5},
    {"multipleOf": 0},
    {"required": "a"},
    {"required": [1]},
    {"properties": []},
    {"properties": {"a": 1}},
    {"items": 1},
    {"allOf": {}},
    {"anyOf": []},
    {"enum": "a"},
    {"pattern": 1},
    {"dependentRequired": {"a": [1]}},
    {"$ref": 1},
    {"$ref": "#/nope"},
    {"$ref": "#nope"},
    {"$ref": "#/type", "type": "null"},
    {"$ref": "#/allOf/9", "allOf": [{}]},
    {"$ref": "https://json-schema.org/draft/2020-12/schema"},
    {"$ref": "file:///etc/passwd"},
    {"$ref": "other.json"},
    {"$ref": "//host/x"},
    {"$ref": "http://[/"},
    {"$id": "https://a.example/x/", "$ref": "y"},
    {"$dynamicRef": "https://a.example/"},
    {"contains": {}, "minContains": "1"},
]


@pytest.mark.parametrize("schema", NO_SCHEMAS)
def test_what_is_no_schema_is_refused_at_once(schema: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        SchemaChecker(schema)


def test_faults_are_lazy_and_all_of_them_come() -> None:
    faults = SchemaChecker({"items": {"type": "null"}}).faults([1, None, "ab"])
    assert next(faults) == Fault("/0", "type", "must be of type null", "a number")
    assert [(f.path, f.actual) for f in faults] == [("/2", "a string of 2 characters")]


def test_faults_never_hold_the_value() -> None:
    schema = {
        "properties": {"token": {"pattern": "^x", "enum": ["x"], "maxLength": 1}},
        "not": {"required": ["token"]},
        "propertyNames": {"maxLength": 9},
    }
    faults = [
        str(fault) for fault in SchemaChecker(schema).faults({"token": "hunter2"})
    ]
    assert len(faults) == 4
    assert "hunter2" not in "".join(faults)
