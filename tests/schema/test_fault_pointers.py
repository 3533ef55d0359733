"""A refused schema is named with the pointer of its fault."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_bindgen.pipeline.generate import generate

Json = dict[str, Any]

NOWHERE: Json = {"$ref": "#/$defs/nowhere"}
TEXT: Json = {"type": "string"}
# The schema of a parameter, and the pointer of the fault in it.
FAULTS: list[tuple[Json, str]] = [
    ({**NOWHERE, "minLength": 2}, "/$ref"),
    ({"anyOf": [TEXT, NOWHERE]}, "/anyOf/1/$ref"),
    ({"oneOf": [NOWHERE, TEXT]}, "/oneOf/0/$ref"),
    ({"allOf": [TEXT, {"minLength": 2}, NOWHERE]}, "/allOf/2/$ref"),
    ({"not": {"items": NOWHERE}}, "/not/items/$ref"),
    ({"$ref": "https://example.com/a"}, "/$ref"),
    ({"not": {"$ref": "other.json"}}, "/not/$ref"),
    ({"if": {"$dynamicRef": "#nowhere"}}, "/if/$dynamicRef"),
    ({"type": "integer", "multipleOf": 0}, "/multipleOf"),
    ({**TEXT, "minLength": -1}, "/minLength"),
    ({"not": {"not": {"maxItems": 1.5}}}, "/not/not/maxItems"),
    ({"anyOf": []}, "/anyOf"),
    ({"not": {"allOf": []}}, "/not/allOf"),
    ({"dependentRequired": {"a": [5]}}, "/dependentRequired"),
    ({"dependencies": {"a": 5}}, "/dependencies"),
    ({"contains": {"enum": [1]}, "dependentRequired": []}, "/dependentRequired"),
]


def pointer(tool: Json) -> str:
    """Return the pointer of the only problem of a tool."""
    tool = {"name": "t", "inputSchema": {"type": "object"}, **tool}
    recording = json.dumps({"tools": [tool]}).encode()
    [problem] = generate(recording, "catalog").problems
    return problem.pointer


@pytest.mark.parametrize("key", ["inputSchema", "outputSchema"])
@pytest.mark.parametrize(("schema", "inner"), FAULTS)
def test_a_fault_is_named_by_its_pointer(key: str, schema: Json, inner: str) -> None:
    # The sound parameter before it says the same of nothing.
    properties = {"sound": {**TEXT, "minLength": 1, "not": {"const": "-"}}}
    whole = {"type": "object", "properties": {**properties, "at": schema}}
    assert pointer({key: whole}) == f"/tools/0/{key}/properties/at{inner}"


def test_a_fault_of_a_whole_schema_is_named_by_its_pointer() -> None:
    whole: Json = {"type": "object", "allOf": [{"required": ["a"]}, NOWHERE]}
    assert pointer({"inputSchema": whole}) == "/tools/0/inputSchema/allOf/1/$ref"


def test_a_fault_behind_a_reference_is_named_by_its_pointer() -> None:
    target: Json = {"allOf": [NOWHERE, {"minLength": 2}]}
    properties = {name: {"$ref": "#/$defs/a"} for name in ("one", "two")}
    whole: Json = {"type": "object", "properties": properties, "$defs": {"a": target}}
    assert (
        pointer({"inputSchema": whole}) == "/tools/0/inputSchema/$defs/a/allOf/0/$ref"
    )
