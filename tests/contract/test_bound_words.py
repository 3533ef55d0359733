"""A message about a bound has the keyword of JSON Schema, as people wrote it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.runtime.client.verify.tools import compare_tools


def tools(schema: dict[str, Any]) -> list[dict[str, Any]]:
    arguments = {"type": "object", "properties": {"value": schema}}
    return [{"name": "search", "inputSchema": arguments}]


def recording(schema: dict[str, Any]) -> bytes:
    return json.dumps({"tools": tools(schema)}).encode()


def message(old: dict[str, Any], new: dict[str, Any]) -> str:
    (change,) = compare_recordings(recording(old), recording(new)).changes
    return change.message.partition(": ")[2]


@pytest.mark.parametrize(
    ("type_", "old", "new", "words"),
    [
        ("integer", {}, {"maximum": 10}, "nothing became maximum 10"),
        ("integer", {"exclusiveMinimum": 0}, {}, "minimum 1 became nothing"),
        (
            "number",
            {"exclusiveMinimum": 0},
            {"minimum": 1, "maximum": 2.5},
            "exclusiveMinimum 0 became minimum 1, maximum 2.5",
        ),
        ("number", {}, {"multipleOf": 0.5}, "nothing became multipleOf 0.5"),
        (
            "string",
            {"maxLength": 9},
            {"maxLength": 5},
            "maxLength 9 became maxLength 5",
        ),
        ("array", {"minItems": 1}, {}, "minItems 1 became nothing"),
        ("array", {}, {"uniqueItems": True}, "nothing became uniqueItems true"),
        ("object", {}, {"maxProperties": 3}, "nothing became maxProperties 3"),
    ],
)
def test_message_has_the_keyword(
    type_: str, old: dict[str, Any], new: dict[str, Any], words: str
) -> None:
    assert message({"type": type_, **old}, {"type": type_, **new}) == words


@pytest.mark.parametrize(
    ("type_", "old", "new"),
    [
        ("integer", {}, {"minimum": 1, "maximum": 10}),
        ("integer", {"exclusiveMinimum": 0}, {}),
        ("integer", {"exclusiveMaximum": 10, "minimum": 1}, {"maximum": 5}),
        ("number", {"minimum": 0.5}, {"minimum": 1}),
        ("string", {}, {"maxLength": 5}),
        ("array", {"minItems": 1}, {}),
        ("object", {"maxProperties": 3}, {"maxProperties": 2, "minProperties": 1}),
    ],
)
def test_verify_says_what_diff_says(
    type_: str, old: dict[str, Any], new: dict[str, Any]
) -> None:
    before, after = {"type": type_, **old}, {"type": type_, **new}
    report = compare_recordings(recording(before), recording(after))
    said = compare_tools(tools(before), tools(after))
    assert {d.message for d in said} == {c.message for c in report.changes}


def test_verify_reads_a_respelled_bound_of_an_integer_as_the_same() -> None:
    sides = ({"minimum": 1, "maximum": 9}, {"exclusiveMinimum": 0, "maximum": 9})
    before, after = (tools({"type": "integer", **side}) for side in sides)
    assert compare_tools(before, after) == []
    before, after = (tools({"type": "number", **side}) for side in sides)
    assert [d.rule for d in compare_tools(before, after)] == ["PARAM_UNDECIDED"]


def test_verify_does_not_grade_a_bound_beside_a_stronger_one() -> None:
    sides = ({"minimum": -5}, {"minimum": -3})
    before, after = (
        tools({"type": "number", "exclusiveMinimum": 0, **side}) for side in sides
    )
    assert [d.rule for d in compare_tools(before, after)] == ["PARAM_UNDECIDED"]
