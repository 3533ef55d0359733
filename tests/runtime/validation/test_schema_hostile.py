"""Residual validation outlives hostile schemas and values, and says so in faults."""

# How schemas are compiled is private to its module.
# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.validation import assertions as schema_words
from mcp_bindgen.runtime.validation import schema as schema_check
from mcp_bindgen.runtime.validation.schema import SchemaChecker


def first(schema: object, value: object) -> list[str] | None:
    """Return path and rule of the first fault."""
    fault = next(SchemaChecker(schema).faults(value), None)
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


def knot(size: int) -> dict[str, Any]:
    """Return schemas that all ask one another of the same value."""
    refs = [{"$ref": f"#/$defs/d{number}"} for number in range(size)]
    defs = {f"d{number}": {"allOf": refs, "minimum": 1} for number in range(size)}
    return {**refs[0], "$defs": defs}


def nested(levels: int, step: str = "", leaf: object = 1) -> object:
    """Return a value in so many arrays, or in objects with this property."""
    value = leaf
    for _ in range(levels):
        value = {step: value} if step else [value]
    return value


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (knot(12), 1),
        ({"anyOf": [True], "items": {"$ref": "#"}}, nested(5_000)),
        ({"const": 1}, nested(5_000)),
        ({"uniqueItems": True}, [nested(5_000)]),
    ],
)
def test_too_much_work_is_a_fault(schema: dict[str, Any], value: object) -> None:
    assert [f.rule for f in SchemaChecker(schema).faults(value)] == ["limits"]


A = {"properties": {"a": {"$ref": "#"}}}
NOT_A = {"properties": {"a": {"not": {"$ref": "#"}}}}
TREES: list[dict[str, Any]] = [
    {"oneOf": [A, {**A, "required": ["z"]}]},
    {"allOf": [A, {**A, "not": {"required": ["z"]}}]},
    {"anyOf": [{**A, "required": ["y"]}, {**A, "required": ["z"]}]},
    {**A, "type": "object", "not": NOT_A, "if": True, "then": A},
    {"anyOf": [A, {"$ref": "#"}], "unevaluatedProperties": False},
    {"if": A, "then": A, "else": {"not": A}},
    {"allOf": [A, {"$ref": "#"}, A]},
    {"$id": "http://a/", "allOf": [A, {"$id": "b", **A, "items": {"$ref": "/"}}, A]},
]


@pytest.mark.parametrize("schema", TREES)
@pytest.mark.parametrize("leaf", ["a", "b"])
def test_the_work_grows_with_the_value_and_no_faster(
    schema: dict[str, Any], leaf: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CHECK_STEPS", 40 * 80)
    monkeypatch.setattr(limits, "CHECK_LEVELS", 1_000)
    value = {leaf: nested(40, "a")}
    assert "limits" not in [fault.rule for fault in SchemaChecker(schema).faults(value)]


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
def test_references_that_multiply_are_followed_once(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CHECK_STEPS", 40 * 5)
    assert first(bomb(word, 40), 1) == (["", "oneOf"] if word == "oneOf" else None)
    assert first(bomb(word, 40), 2) != ["", "limits"]


def test_schemas_in_schemas_are_visited_once_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "CHECK_STEPS", 20 * 20 * 5)
    schema: dict[str, Any] = {"required": ["z"]}
    for _ in range(20):
        schema = {"anyOf": [schema], "unevaluatedProperties": False}
    assert first(schema, {"z": 1}) == ["/z", "unevaluatedProperties"]


def test_the_same_fault_is_reported_wherever_it_stands() -> None:
    shared = {"a": "no number"}
    schema = {"properties": {"a": {"type": "integer"}}}
    lists = {"items": {"$ref": "#/$defs/d"}, "$defs": {"d": schema}}
    faults = SchemaChecker(lists).faults([shared, shared])
    assert [fault.path for fault in faults] == ["/0/a", "/1/a"]


def test_of_many_faults_the_first_are_reported() -> None:
    faults = list(SchemaChecker({"items": {"type": "null"}}).faults([1] * 1_000))
    assert [fault.path for fault in faults] == [f"/{number}" for number in range(21)]


def test_no_more_faults_are_made_than_a_caller_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    def printable(text: str, _most: int) -> str:
        made.append(text)
        return text

    monkeypatch.setattr(schema_words, "printable", printable)
    names = [f"n{number}" for number in range(1_000)]
    for word in ({"required": names}, {"dependentRequired": {"a": names}}):
        assert first({"anyOf": [word, True]}, {"a": 1}) is None
    assert len(made) == 2 * limits.CHECK_FAULTS


def test_names_that_one_member_needs_are_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHECK_STEPS", 60)
    names = [f"n{number}" for number in range(1_000)]
    schema = {"dependentRequired": {"a": names}}
    assert first(schema, dict.fromkeys(["a", *names])) == ["", "limits"]


def test_dynamic_references_share_what_an_anchor_means(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visited: list[object] = []
    node = schema_check._node

    def counted(done: Any, schema: object, home: Any, keyword: str) -> Any:
        visited.append(schema)
        return node(done, schema, home, keyword)

    monkeypatch.setattr(schema_check, "_node", counted)
    links = [{"$dynamicRef": "#n"} for _ in range(100)]
    defs = {f"d{n}": {"$id": f"d{n}", "$dynamicAnchor": "n"} for n in range(100)}
    schema = {"$dynamicAnchor": "n", "prefixItems": links, "$defs": defs}
    assert first({**schema, "$id": "http://a/", "type": "array"}, [LIST]) is None
    assert len(visited) < 1_000


def test_a_deep_schema_is_refused_or_checked() -> None:
    deep: dict[str, Any] = {"type": "null"}
    for _ in range(5_000):
        deep = {"allOf": [deep]}
    assert first(deep, 1) == ["", "limits"]
    with pytest.raises(ValueError, match="deep"):
        SchemaChecker({"const": nested(5_000)})


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


LIST: list[object] = []
UNREADABLE = "^(?>a)"  # no pattern of ECMA-262


@pytest.mark.parametrize(
    "schema",
    [
        {"items": {"pattern": UNREADABLE}},
        {"items": {"not": {"pattern": UNREADABLE}}},
        {"items": {"not": {"not": {"pattern": UNREADABLE}}}},
        {"items": {"oneOf": [{"pattern": UNREADABLE}, {"pattern": "^(?>b)"}]}},
        {"items": {"if": {"pattern": UNREADABLE}, "then": False}},
        {"contains": {"pattern": UNREADABLE}, "maxContains": 0, "minContains": 0},
    ],
)
def test_a_pattern_that_cannot_run_never_refuses(schema: dict[str, Any]) -> None:
    assert first(schema, ["b"]) is None


def test_a_name_pattern_that_cannot_run_never_refuses() -> None:
    schema = {"patternProperties": {UNREADABLE: False}, "additionalProperties": False}
    assert first(schema, {"b": 1}) is None
    assert first({"not": schema}, {"b": 1}) is None
    loose: dict[str, Any]
    loose = {"patternProperties": {UNREADABLE: {}}, "unevaluatedProperties": False}
    assert first(loose, {"b": 1}) is None


def test_what_is_sure_is_refused_beside_what_is_not() -> None:
    schema = {
        "not": {"anyOf": [{"pattern": UNREADABLE, "minLength": 9}, {"minLength": 1}]}
    }
    assert first(schema, "b") == ["", "not"]
