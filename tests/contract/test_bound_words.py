"""A message about a bound has the keyword of JSON Schema, as people wrote it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_bindgen.contract.diff import compare_recordings


def recording(schema: dict[str, Any]) -> bytes:
    arguments = {"type": "object", "properties": {"value": schema}}
    tools = [{"name": "search", "inputSchema": arguments}]
    return json.dumps({"tools": tools}).encode()


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
