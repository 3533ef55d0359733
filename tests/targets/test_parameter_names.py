"""Parameters whose names an API refuses have another name for the model alone."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import validator_for
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.recording.document import load
from mcp_bindgen.runtime.agents.parameter_names import model_schema, safe_names
from mcp_bindgen.runtime.json_values import elements, members
from mcp_bindgen.runtime.strict_json import StrictJsonError
from mcp_bindgen.runtime.validation.references import is_array, is_object

from tests.shared import needs, recordings
from tests.targets.conftest import TARGETS, write
from tests.targets.fakes import Fake

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GEMINI = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
ANTHROPIC = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
NODE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "@id": {"type": "string"},
        "sub-nodes": {"type": "array", "items": {"$ref": "#/$defs/node"}},
        "same": {"$ref": "#/properties/%24filter"},
    },
    "required": ["@id"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "$filter": {"type": "string", "description": "Like OData's."},
        "filter": {"type": "integer"},
        "tree": {"$ref": "#/$defs/node"},
        "free": {"type": "object", "additionalProperties": {"type": "string"}},
        "any": {"anyOf": [{"type": "null"}, {"properties": {"a.b": True}}]},
        "pair": {"prefixItems": [{"$ref": "#/$defs/node"}, False]},
        "none": {"properties": {"no-thing": False}},
    },
    "required": ["$filter"],
    "dependentRequired": {"filter": ["$filter"]},
    "dependentSchemas": {"$filter": {"required": ["tree"]}},
    "$defs": {"node": NODE},
}
WIRE: dict[str, Any] = {
    "$filter": "a",
    "filter": 1,
    "tree": {"@id": "1", "sub-nodes": [{"@id": "2", "sub-nodes": []}], "same": "x"},
    "free": {"id": "data, no parameter", "sub_nodes": "the same"},
    "any": {"a.b": [1]},
    "pair": [{"@id": "3"}],
}


def named(value: Any, names: dict[str, str]) -> Any:
    """Return a value with the names for a model, wherever they are parameters."""
    if is_array(value):
        return [named(item, names) for item in value]
    if not is_object(value):
        return value
    return {names.get(key, key): named(item, names) for key, item in value.items()}


def declared(node: Any) -> Iterator[str]:
    """Yield the names of parameters, also of one called "properties"."""
    for item in elements(node):
        yield from declared(item)
    for key, part in members(node).items():
        if key == "properties":
            yield from part
            yield from declared([*part.values()])
        else:
            yield from declared(part)


def test_names_go_out_and_come_back() -> None:
    model = model_schema(SCHEMA, GEMINI)
    assert all(map(GEMINI.fullmatch, declared(model.schema)))
    marked = model.names["$filter"]
    assert re.fullmatch("filter_[0-9a-f]{6}", marked)
    assert model.names == {
        "$filter": marked,
        "@id": "id",
        "sub-nodes": "sub_nodes",
        "a.b": "a_b",
        "no-thing": "no_thing",
    }
    written = named({k: v for k, v in WIRE.items() if k != "free"}, dict(model.names))
    written["free"] = WIRE["free"]
    assert model.to_wire(written) == WIRE
    assert validator_for(SCHEMA).is_valid(WIRE)
    assert validator_for(dict(model.schema)).is_valid(written)


def test_a_reference_that_leads_nowhere_renames_nothing() -> None:
    lost = {"properties": {"a-b": {"$ref": "#/nowhere"}}}
    arguments = {"a_b": {"a_b": 1}}
    assert model_schema(lost, GEMINI).to_wire(arguments) == {"a-b": {"a_b": 1}}


def test_a_pattern_speaks_only_of_the_names_that_it_matches() -> None:
    schema: dict[str, Any] = {
        "properties": {"free": {"type": "object"}},
        "patternProperties": {
            "^x-": {"properties": {"@id": True}},
            "(?=y)": {"properties": {"@id": True}},  # nothing here can run it
        },
        "additionalProperties": {"properties": {"@at": True}},
    }
    model = model_schema(schema, GEMINI)
    inner = {"id": 1, "at": 2}
    written = {"free": inner, "x-1": inner, "other": inner}
    assert model.to_wire(written) == {
        "free": {"@id": 1, "at": 2},
        "x-1": {"@id": 1, "at": 2},
        "other": {"@id": 1, "@at": 2},
    }
    del schema["patternProperties"]["(?=y)"]
    model = model_schema(schema, GEMINI)
    assert model.to_wire(written) == {
        "free": inner,
        "x-1": {"@id": 1, "at": 2},
        "other": {"id": 1, "@at": 2},
    }


def test_a_rule_for_wire_names_is_not_for_the_other_names() -> None:
    schema: dict[str, Any] = {
        "properties": {"$top": {"propertyNames": {"maxLength": 3}}},
        "propertyNames": {"enum": ["$top"]},
    }
    model = model_schema(schema, GEMINI).schema
    assert "propertyNames" not in model
    assert "propertyNames" in model["properties"]["top"]


def test_the_model_reads_the_name_at_the_server() -> None:
    model = model_schema(SCHEMA, GEMINI)
    properties = model.schema["properties"]
    text = properties[model.names["$filter"]]["description"]
    assert text == "Like OData's. The server calls it $filter."
    nothing = properties["none"]["properties"]["no_thing"]
    assert nothing == {"not": {}, "description": "The server calls it no-thing."}
    hostile = model_schema({"properties": {"a\u202e\nb": {}}}, GEMINI).schema
    assert hostile["properties"]["a_b"]["description"].isascii()


def test_a_schema_whose_names_fit_stays_as_it_is() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"properties": {"b": {}}}}}
    model = model_schema(schema, GEMINI)
    assert model.schema is schema
    assert model.to_wire(schema) is schema
    assert model_schema(SCHEMA, None).schema is SCHEMA


def test_one_parameter_under_two_names_is_an_error() -> None:
    model = model_schema({"properties": {"a-b": {}}}, GEMINI)
    assert model.to_wire({"a_b": 1}) == model.to_wire({"a-b": 1}) == {"a-b": 1}
    with pytest.raises(StrictJsonError, match="a_b is there twice"):
        model.to_wire({"a-b": 1, "a_b": 2})


def test_arguments_are_read_for_so_long() -> None:
    model = model_schema({"properties": {"a-b": {"$ref": "#"}}}, GEMINI)
    deep: dict[str, Any] = {}
    for _ in range(300):
        deep = {"a_b": deep}
    for value in (deep, {"a_b": [0] * 200_000}):
        with pytest.raises(StrictJsonError, match="too large, or nested too deeply"):
            model.to_wire(value)


@given(st.sets(st.text(max_size=80), max_size=8), st.integers(0, 3))
def test_names_never_meet(wires: set[str], copies: int) -> None:
    """Also where the server declares the very name that would be made."""
    names = safe_names(wires, GEMINI)
    declared = wires | set(list(names.values())[:copies])
    made = safe_names(declared, GEMINI)
    assert made == safe_names(sorted(declared, reverse=True), GEMINI)
    all_names = [made.get(wire, wire) for wire in declared]
    assert len(set(all_names)) == len(declared)
    assert all(map(GEMINI.fullmatch, all_names))


def test_a_digest_that_is_taken_is_another() -> None:
    (marked,) = safe_names({"a b", "a_b"}, GEMINI).values()
    (second,) = safe_names({"a b", "a_b", marked}, GEMINI).values()
    assert second != marked
    assert GEMINI.fullmatch(second)
    assert safe_names({"9 é", "é"}, GEMINI) == {"9 é": "_9", "é": "parameter"}


@pytest.fixture(scope="module")
def renaming(packages: Path) -> Any:
    """A package of a server with one tool, whose parameters have such names."""
    tools = [{"name": "search", "inputSchema": SCHEMA}]
    data = json.dumps({"tools": tools}).encode()
    made = generate(data, "fw_named", Settings(targets=TARGETS))
    write(dict(made.files), packages / "fw_named")
    return import_module("fw_named")


def test_the_server_gets_its_own_names(renaming: Any) -> None:
    arguments = {"tree": {"id": "1", "sub_nodes": [{"id": "2"}]}}
    gemini, anthropic = (
        import_module(f"fw_named.{name}") for name in ("gemini", "anthropic")
    )
    fake = Fake("fw_named", {"content": []})
    client = renaming.Client(fake)
    marked = gemini.renamed_parameters()["search"]["$filter"]
    call = {"name": "search", "args": {marked: "a", **arguments}}
    gemini.run_function_calls(client, {"function_calls": [call]})
    names = anthropic.renamed_parameters()["search"]
    assert names == {"$filter": marked, "@id": "id"}
    tree = {"id": "1", "sub-nodes": [{"id": "2"}]}
    use = {"type": "tool_use", "id": "1", "name": "search"}
    anthropic.run_tool_calls(
        client, {"content": [{**use, "input": {marked: "a", "tree": tree}}]}
    )
    sent = {"$filter": "a", "tree": {"@id": "1", "sub-nodes": [{"@id": "2"}]}}
    assert fake.calls == [("search", sent), ("search", sent)]
    (declaration,) = gemini.declarations()
    assert marked in declaration["parameters_json_schema"]["properties"]
    assert all(map(GEMINI.fullmatch, declared(declaration["parameters_json_schema"])))
    (tool,) = anthropic.tools()
    assert marked in tool["input_schema"]["required"]


@cache
def real_schemas() -> list[dict[str, Any]]:
    """Return the input schemas of all tools of the corpus, as models get them."""
    documents = [load(file.read_bytes())[0] for file in recordings().values()]
    return [members(t["inputSchema"]) for each in documents for t in each.tools]


@needs("corpus/recordings")
@pytest.mark.parametrize("rule", [GEMINI, ANTHROPIC], ids=["gemini", "anthropic"])
def test_no_name_of_a_real_tool_is_refused(rule: re.Pattern[str]) -> None:
    before = after = 0
    for schema in real_schemas():
        before += not all(map(rule.fullmatch, declared(schema)))
        named = model_schema(schema, rule).schema
        after += not all(map(rule.fullmatch, declared(named)))
    assert before > 10, "real servers have names that the API refuses"
    assert after == 0
