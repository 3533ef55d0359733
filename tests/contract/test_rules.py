"""Each rule, with its grades on both axes, its path, and its witness."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.rules import explain, page, rules
from mcp_bindgen.runtime.client.verify.tools import compare_tools

from tests.contract.changes import CLOSED, fields, only, report, tool
from tests.contract.drift import PAGE

REF = {"properties": {"b": {"$ref": "#/$defs/x"}}}

S: dict[str, Any] = {"type": "string"}
HEADER: dict[str, Any] = {**S, "x-mcp-header": "Region"}
INT: dict[str, Any] = {"type": "integer"}
N: dict[str, Any] = {"type": "null"}
A, AB = {"enum": ["a"]}, {"enum": ["a", "b"]}
LIST: dict[str, Any] = {"type": "array", "items": S}


def param(schema: Any, **more: Any) -> dict[str, Any]:
    return tool({"a": schema}, ("a",), **more)


def field(schema: Any, **more: Any) -> dict[str, Any]:
    return fields({"a": schema}, ("a",), **more)


# Old tool, new tool, rule, path, and the grades on the wire and in source.
CASES = [
    (tool(), tool({"a": S}, ("a",)), "PARAM_ADDED_REQUIRED", "in/a", "BB"),
    (tool(), tool({"a": {**S, "default": "x"}}, ("a",)), "PARAM_ADDED_REQUIRED",
     "in/a", "BB"),
    (tool(), tool({"a": S}), "PARAM_ADDED_OPTIONAL", "in/a", "CC"),
    (tool({"a": S}), param(S), "PARAM_NOW_REQUIRED", "in/a", "BB"),
    (param(S), tool({"a": S}), "PARAM_NOW_OPTIONAL", "in/a", "CC"),
    (tool({"a": S}, **CLOSED), tool(**CLOSED), "PARAM_REMOVED", "in/a", "BB"),
    (tool({"a": S}), tool(), "PARAM_REMOVED_IGNORED", "in/a", "CB"),
    (param(S), tool({"ab": S}, ("ab",)), "PARAM_RENAMED", "in/a", "BB"),
    (tool({"a": S}), tool({"ab": S}), "PARAM_RENAMED_IGNORED", "in/a", "CB"),
    (tool({"aB": S}, ("aB",)), tool({"a_b": S}, ("a_b",)), "PARAM_RESPELLED",
     "in/aB", "BC"),
    (tool({"aB": S}), tool({"a_b": S}), "PARAM_RESPELLED_IGNORED", "in/aB", "CC"),
    (param(S), param(INT), "PARAM_TYPE_CHANGED", "in/a", "BB"),
    (param(LIST), param({**LIST, "items": INT}), "PARAM_TYPE_CHANGED", "in/a/[]", "BB"),
    (param({"type": "number"}), param(INT), "PARAM_TYPE_NARROWED", "in/a", "BB"),
    (param({"type": ["string", "integer"]}), param(S), "PARAM_TYPE_NARROWED", "in/a",
     "BB"),
    (param(INT), param({"type": "number"}), "PARAM_TYPE_WIDENED", "in/a", "CC"),
    (param({}), param(S), "PARAM_ANY_NARROWED", "in/a", "BC"),
    (param(S), param({}), "PARAM_TYPE_WIDENED", "in/a", "CC"),
    (param({"type": ["string", "null"]}), param(S), "PARAM_NULL_REMOVED", "in/a", "BB"),
    (param(S), param({"anyOf": [S, N]}), "PARAM_NULL_ADDED", "in/a", "CC"),
    (param(AB), param(A), "PARAM_ENUM_VALUE_REMOVED", "in/a", "BB"),
    (param(A), param(AB), "PARAM_ENUM_VALUE_ADDED", "in/a", "CC"),
    (param(S), param(A), "PARAM_ENUM_IMPOSED", "in/a", "BB"),
    (param(A), param(S), "PARAM_ENUM_LIFTED", "in/a", "CC"),
    (param(S), param({**S, "maxLength": 3}), "PARAM_BOUND_TIGHTENED", "in/a", "BC"),
    (param({**INT, "minimum": 3}), param({**INT, "minimum": 1}), "PARAM_BOUND_LOOSENED",
     "in/a", "CC"),
    (param(INT), param({**INT, "maximum": 2**53 - 1}), "PARAM_BOUND_VACUOUS", "in/a",
     "CC"),
    (param(S), param({**S, "pattern": "^a"}), "PARAM_PATTERN_IMPOSED", "in/a", "BC"),
    (param({**S, "pattern": "^a"}), param({**S, "pattern": "^b"}),
     "PARAM_PATTERN_CHANGED", "in/a", "BC"),
    (param({**S, "pattern": "^a"}), param(S), "PARAM_PATTERN_LIFTED", "in/a", "CC"),
    (param(S), param({**S, "format": "uri"}), "PARAM_FORMAT_CHANGED", "in/a", "CC"),
    (param(S, additionalProperties=True), param(S, **CLOSED), "PARAM_CLOSED", "in",
     "BC"),
    (param(S), param(S, **CLOSED), "PARAM_CLOSED_IMPLICIT", "in", "CC"),
    (param(S, **CLOSED), param(S), "PARAM_OPENED", "in", "CC"),
    (param(S), param({**S, "not": {"const": "x"}}), "PARAM_CONSTRAINT_IMPOSED", "in/a",
     "BC"),
    (param({**S, "default": "a"}), param(S), "PARAM_DEFAULT_CHANGED", "in/a", "CC"),
    (tool(), fields({}), "OUTPUT_ADDED", "out", "CB"),
    (fields({}), tool(), "OUTPUT_REMOVED", "out", "BB"),
    (field(S), fields({}), "FIELD_REMOVED_REQUIRED", "out/a", "BB"),
    (fields({"a": S}), fields({}), "FIELD_REMOVED", "out/a", "CB"),
    (fields({"b": S}), fields({"b": S, "a": S}), "FIELD_ADDED", "out/a", "CC"),
    (fields({}, **CLOSED), field(S, **CLOSED), "FIELD_ADDED_TO_CLOSED", "out/a", "BC"),
    (field(S), fields({"a": S}), "FIELD_NOW_OPTIONAL", "out/a", "BB"),
    (fields({"a": S}), field(S), "FIELD_NOW_REQUIRED", "out/a", "CC"),
    (fields({"aB": S}, ("aB",)), fields({"a_b": S}, ("a_b",)), "FIELD_RESPELLED",
     "out/aB", "BC"),
    (field(S), field(INT), "FIELD_TYPE_CHANGED", "out/a", "BB"),
    (field(INT), field({"type": "number"}), "FIELD_TYPE_WIDENED", "out/a", "BB"),
    (field({"type": "number"}), field(INT), "FIELD_TYPE_NARROWED", "out/a", "CC"),
    (field(S), field({"anyOf": [S, N]}), "FIELD_NULL_ADDED", "out/a", "BB"),
    (field({"anyOf": [S, N]}), field(S), "FIELD_NULL_REMOVED", "out/a", "CC"),
    (field(A), field(AB), "FIELD_ENUM_VALUE_ADDED", "out/a", "BB"),
    (field(AB), field(A), "FIELD_ENUM_VALUE_REMOVED", "out/a", "CC"),
    (field(A), field(S), "FIELD_ENUM_LIFTED", "out/a", "BB"),
    (field(S), field(A), "FIELD_ENUM_IMPOSED", "out/a", "CC"),
    (field({**S, "maxLength": 3}), field(S), "FIELD_BOUND_LOOSENED", "out/a", "BC"),
    (field({**S, "pattern": "^a"}), field(S), "FIELD_PATTERN_LIFTED", "out/a", "BC"),
    (field(S, **CLOSED), field(S, additionalProperties=True), "FIELD_OPENED", "out",
     "BC"),
    (field(S, **CLOSED), field(S), "FIELD_OPENED_IMPLICIT", "out", "CC"),
]  # fmt: skip
GRADES = {"B": "breaking", "C": "compatible"}


@pytest.mark.parametrize(
    ("old", "new", "rule", "path", "grades"),
    CASES,
    ids=[f"{case[2]} {number}" for number, case in enumerate(CASES)],
)
def test_a_change_has_its_rule_and_its_grades(
    old: dict[str, Any], new: dict[str, Any], rule: str, path: str, grades: str
) -> None:
    change = only(old, new)
    assert (change.rule, change.path) == (rule, path)
    assert (change.wire, change.source) == tuple(GRADES[grade] for grade in grades)
    key = "inputSchema" if path.startswith("in") else "outputSchema"
    if change.wire != "breaking" or rule == "OUTPUT_REMOVED":
        assert change.witness is ABSENT
        return
    source, target = (old, new) if key == "inputSchema" else (new, old)
    assert jsonschema_rs.is_valid(source[key], change.witness)
    assert not jsonschema_rs.is_valid(target[key], change.witness)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"anyOf": [S, N]}, {"type": ["string", "null"]}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({**INT, "minimum": 1}, {**INT, "exclusiveMinimum": 0}),
        (AB, {"enum": ["b", "a"]}),
        ({"allOf": [S, {"maxLength": 3}]}, {**S, "maxLength": 3}),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, AB),
        ({**INT, "minimum": 1.0}, {**INT, "minimum": 1}),
    ],
)
def test_another_spelling_is_no_change(old: Any, new: Any) -> None:
    assert report(param(old), param(new)).changes == ()
    assert report(field(old), field(new)).changes == ()


def test_a_reference_is_what_it_leads_to() -> None:
    inner = {"type": "object", "title": "Inner", "properties": {"x": S}}
    by_name = param({"$ref": "#/$defs/Inner"}, **{"$defs": {"Inner": inner}})
    assert [c.rule for c in report(by_name, param(inner)).changes] == []


def test_a_tool_without_types_is_a_problem() -> None:
    broken = param({**INT, "minimum": "0"})
    compared = report(broken, param({**INT, "minimum": 1}))
    assert [change.rule for change in compared.changes] == ["TOOL_NOT_COMPARED"]
    assert len(compared.problems) == 1


OPEN: list[Any] = [
    {},
    {"$schema": "http://json-schema.org/draft-07/schema#"},
    {"type": ["object", "null"]},
    {"anyOf": [{"minProperties": 0}, S]},
]


@pytest.mark.parametrize("schema", OPEN)
def test_arguments_are_an_object_whatever_a_schema_leaves_open(schema: Any) -> None:
    """No package sends `true`, so that `true` is no witness."""
    old = {"name": "search", "inputSchema": schema}
    change = only(old, param(S))
    assert (change.rule, change.path) == ("PARAM_ADDED_REQUIRED", "in/a")
    assert change.witness == {}
    assert report(old, tool()).wire == "none"
    said = compare_tools([old], [param(S)])
    undecided = "anyOf" in schema
    rule = "PARAM_UNDECIDED" if undecided else "PARAM_ADDED_REQUIRED"
    assert [each.rule for each in said] == [rule]


@pytest.mark.parametrize("make", [tool, fields])
def test_another_name_in_python_is_called_no_type(make: Any) -> None:
    [change] = [
        change
        for change in report(make({"aB": S}), make({"aB": S, "a_b": INT})).changes
        if change.rule == "PYTHON_SIGNATURE_CHANGED"
    ]
    assert change.message == "in Python, a_b became a_b_camel"


def test_every_rule_is_explained_and_is_on_the_page() -> None:
    assert PAGE.read_text("utf-8") == page(), "run scripts/drift --docs"
    for rule in rules().values():
        assert rule.why in explain(rule)


def test_another_spelling_inside_of_a_constraint_is_no_change() -> None:
    def pair(*spelled: Any) -> list[Any]:
        return [tool({"a": {"type": "string"}}, **{"not": each}) for each in spelled]

    for one, other in (
        ({"enum": [{"a": "x"}, 1]}, {"enum": [1, {"a": "x"}]}),
        ({"required": ["a", "b"]}, {"required": ["b", "a"]}),
        ({"properties": {"a": {"const": 1}}}, {"properties": {"a": {"enum": [1]}}}),
        (
            {"properties": {"a": {"type": "integer", "minimum": 1}}},
            {"properties": {"a": {"type": "integer", "exclusiveMinimum": 0}}},
        ),
        (
            {"required": ["a"], "properties": {"a": {"type": ["null", "string"]}}},
            {
                "required": ["a"],
                "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
            },
        ),
    ):
        assert report(*pair(one, other)).changes == ()


def test_a_union_is_known_by_its_constants_however_they_are_spelled() -> None:
    def event(kind: Any, name: str) -> dict[str, Any]:
        members = {"kind": kind, name: {"type": "string"}}
        required = ["kind", name]
        return {"type": "object", "properties": members, "required": required}

    old = {"anyOf": [event({"const": "a"}, "x"), event({"const": "b"}, "y")]}
    new = {"anyOf": [event({"enum": ["b"]}, "y"), event({"enum": ["a"]}, "x")]}
    for make in (tool, fields):
        assert report(make({"e": old}), make({"e": new})).wire == "none"


def test_words_elsewhere_change_no_constraint_that_has_a_reference() -> None:
    def with_words(words: str, kind: str = "string") -> dict[str, Any]:
        named = {"x": {"type": kind, "description": words}}
        properties = {"a": {"type": "string", "description": words}}
        more: dict[str, Any] = {"$defs": named, "not": {"required": ["b"], **REF}}
        return tool(properties, **more)

    assert report(with_words("old"), with_words("new")).wire == "text"
    assert report(with_words("old"), with_words("old", "integer")).wire == "breaking"


def test_a_header_field_that_repeats_an_argument_is_graded() -> None:
    """No value is a witness: the same arguments go with another header field."""
    for new in (HEADER, {**HEADER, "x-mcp-header": "Zone"}):
        old = S if new is HEADER else HEADER
        change = only(param(old), param(new))
        assert (change.rule, change.path) == ("PARAM_HEADER_CHANGED", "in/a")
        assert (change.wire, change.source) == ("breaking", "compatible")
    change = only(param(HEADER), param(S))
    assert (change.rule, change.grade) == ("PARAM_HEADER_LIFTED", "compatible")
    assert report(field(S), field(HEADER)).changes == ()
