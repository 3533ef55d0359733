"""The second step outlives hostile schemas and values, and says so in faults."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.schema_check import Schema


def first(schema: object, value: object) -> list[str] | None:
    """Return path and rule of the first fault."""
    fault = next(Schema(schema).faults(value), None)
    return [fault.path, fault.rule] if fault else None


def bomb(word: str, levels: int) -> dict[str, Any]:
    """Return a schema that is small to read and exponential to check."""
    defs: dict[str, Any] = {"d0": {"const": 1}}
    for level in range(levels):
        ref = {"$ref": f"#/$defs/d{level}"}
        defs[f"d{level + 1}"] = {
            word: [ref, {"$ref": f"#/$defs/d{level}", "title": ""}]
        }
    return {"$ref": f"#/$defs/d{levels}", "$defs": defs}


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (bomb("allOf", 40), 1),
        (bomb("anyOf", 40), 2),
        (bomb("oneOf", 40), 1),
        ({"anyOf": [True], "items": {"$ref": "#"}}, nested(5_000)),
        ({"const": 1}, nested(5_000)),
        ({"uniqueItems": True}, [nested(5_000)]),
    ],
)
def test_too_much_work_is_a_fault(schema: dict[str, Any], value: object) -> None:
    assert [f.rule for f in Schema(schema).faults(value)] == ["budget"]


def test_a_deep_schema_is_refused_or_checked() -> None:
    deep: dict[str, Any] = {"type": "null"}
    for _ in range(5_000):
        deep = {"allOf": [deep]}
    assert first(deep, 1) == ["", "budget"]
    with pytest.raises(ValueError, match="deep"):
        Schema({"const": nested(5_000)})


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"anyOf": [{"$ref": "#"}]},
        {"not": {"$ref": "#"}},
        {"if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#"}}},
        {"unevaluatedProperties": False, "allOf": [{"$ref": "#"}, True]},
        {
            "unevaluatedProperties": True,
            "$ref": "#/$defs/a",
            "$defs": {"a": {"$ref": "#/$defs/a"}},
        },
        {"$dynamicRef": "#a", "$dynamicAnchor": "a"},
    ],
)
def test_a_circle_that_leads_nowhere_is_cut(schema: dict[str, Any]) -> None:
    assert first(schema, {}) is None
    assert first({"type": "string", **schema}, {}) == ["", "type"]


LOOK = "^(?=a)"


@pytest.mark.parametrize(
    "schema",
    [
        {"items": {"pattern": LOOK}},
        {"items": {"not": {"pattern": LOOK}}},
        {"items": {"not": {"not": {"pattern": LOOK}}}},
        {"items": {"oneOf": [{"pattern": LOOK}, {"pattern": "^(?=b)"}]}},
        {"items": {"if": {"pattern": LOOK}, "then": False}},
        {"contains": {"pattern": LOOK}, "maxContains": 0, "minContains": 0},
    ],
)
def test_a_pattern_that_cannot_run_never_refuses(schema: dict[str, Any]) -> None:
    assert first(schema, ["b"]) is None


def test_a_name_pattern_that_cannot_run_never_refuses() -> None:
    schema = {"patternProperties": {LOOK: False}, "additionalProperties": False}
    assert first(schema, {"b": 1}) is None
    assert first({"not": schema}, {"b": 1}) is None
    loose: dict[str, Any]
    loose = {"patternProperties": {LOOK: {}}, "unevaluatedProperties": False}
    assert first(loose, {"b": 1}) is None


def test_what_is_sure_is_refused_beside_what_is_not() -> None:
    schema = {"not": {"anyOf": [{"pattern": LOOK, "minLength": 9}, {"minLength": 1}]}}
    assert first(schema, "b") == ["", "not"]
