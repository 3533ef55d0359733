"""Strict variants say what the schemas mean, and nothing that these do not."""

from __future__ import annotations

import json
import random
from typing import Any, cast

import pytest
from jsonschema_rs import validator_for
from mcp_bindgen.recording.document import load
from mcp_bindgen.render.export_names import export_names
from mcp_bindgen.render.limit_words import LIMIT_WORDS
from mcp_bindgen.render.model_schema import model_schema
from mcp_bindgen.render.openai_strict import verdict
from mcp_bindgen.runtime.agents.nulls import without_nulls
from mcp_bindgen.runtime.validation.references import is_array, is_object

from tests.shared import needs, recordings

NAMES = ("propertyNames",)
WORDS = ("", "a", "2026-01-01", "https://example.org/", "x" * 12)


def objects(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object whose members are optional but `r`."""
    required = [name for name in properties if name == "r"]
    return {"type": "object", "properties": properties, "required": required}


STRING: dict[str, Any] = {"type": "string"}
NULLABLE: dict[str, Any] = {"anyOf": [STRING, {"type": "null"}]}
TREE: dict[str, Any] = {
    "type": "object",
    "properties": {"r": {"$ref": "#/$defs/node"}},
    "required": ["r"],
    "$defs": {
        "node": objects(name=STRING, kids={"items": {"$ref": "#/$defs/node"}}),
    },
}
TREE["$defs"]["node"]["properties"]["kids"]["type"] = "array"
SAID = {
    "required and optional": objects(r=STRING, o={"type": "integer", "default": 3}),
    "no arguments": {"type": "object"},
    "null by default": objects(o={**NULLABLE, "default": None}),
    "required and nullable": objects(r=NULLABLE),
    "nested": objects(o=objects(r=STRING, o=objects(r={"type": "boolean"}))),
    "arrays": objects(o={"type": "array", "items": objects(r=STRING, o=STRING)}),
    "one object among others": objects(o={"anyOf": [STRING, objects(o=STRING)]}),
    "enum": objects(o={"enum": ["a", "b"]}, r={"enum": ["a", 1, None]}),
    "const": objects(o={"const": "a"}),
    "several types": objects(o={"type": ["string", "integer"]}),
    "disjoint oneOf": objects(o={"oneOf": [STRING, {"type": "integer"}]}),
    "recursive": TREE,
    "bounds": objects(o={"type": "integer", "minimum": 1, "maximum": 4}),
}
REFUSED = {
    "members of any name": objects(
        o={"type": "object", "additionalProperties": STRING}
    ),
    "any object": objects(o={"type": "object"}),
    "any object at the root": {},
    "any value": objects(o={}),
    "any element": objects(o={"type": "array"}),
    "null means something": objects(o=NULLABLE),
    "null with another default": objects(o={**NULLABLE, "default": "x"}),
    "open root": {**objects(o=STRING), "additionalProperties": True},
    "alternatives at the root": {**objects(o=STRING), "anyOf": [{"required": ["o"]}]},
    "whose null": objects(o={"anyOf": [objects(a=STRING), objects(b=STRING)]}),
    "overlapping oneOf": objects(
        o={"oneOf": [{"type": "number"}, {"type": "integer"}]}
    ),
    "undeclared but required": {"type": "object", "required": ["x"]},
    "too many values": objects(o={"enum": [f"v{n}" for n in range(1001)]}),
    "length beside a reference": {
        "type": "object",
        "properties": {"o": {"$ref": "#/$defs/s", "minLength": 1}},
        "$defs": {"s": STRING},
    },
}
# Limits that strict mode has no keyword for, and the words that say them.
LIMITED = {
    "Minimum length: 1.": objects(r={**STRING, "minLength": 1}),
    "A name. Maximum length: 3.": objects(
        o={**STRING, "maxLength": 3, "description": "A name."}
    ),
    'Maximum length: 0. Default: ""': objects(
        o={**STRING, "maxLength": 0, "default": ""}
    ),
    "No two equal elements.": objects(
        o={"type": "array", "items": STRING, "uniqueItems": True}
    ),
    "Minimum number of members that are not null: 1.": objects(
        o={**objects(a=STRING, b=STRING), "minProperties": 1}
    ),
    "Maximum number of members that are not null: 1.": objects(
        o={**objects(a=STRING, b=STRING), "maxProperties": 1}
    ),
    'Schema of the names of members that are not null: {"maxLength": 1}.': objects(
        o={**objects(a=STRING, bb=STRING), "propertyNames": {"maxLength": 1}}
    ),
    "Minimum length: 2.": objects(
        r={"anyOf": [STRING, {"type": "integer"}], "minLength": 2}
    ),
}


def variant(schema: dict[str, Any]) -> Any:
    """Return the verdict on a schema."""
    return verdict(schema, model_schema(schema))


def sample(schema: Any, root: Any, chance: random.Random, depth: int = 0) -> Any:
    """Return a value that a schema may accept; absent is never given as null."""
    for _ in range(9):
        if "$ref" not in schema:
            break
        target = root
        for step in schema["$ref"].split("/")[1:]:
            target = target[step.replace("~1", "/").replace("~0", "~")]
        schema = target
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return sample(chance.choice(schema[keyword]), root, chance, depth)
    if "const" in schema or "enum" in schema:
        return chance.choice(schema.get("enum", [schema.get("const")]))
    types = schema.get("type", "object")
    kind = types if isinstance(types, str) else chance.choice(types)
    low = schema.get("minimum", 0)
    if kind == "object":
        required = schema.get("required", ())
        return {
            name: sample(inner, root, chance, depth + 1)
            for name, inner in schema.get("properties", {}).items()
            if name in required or (chance.random() < 0.6 and depth < 6)
        }
    if kind == "array":
        count = max(schema.get("minItems", 0), chance.randrange(3) if depth < 6 else 0)
        return [sample(schema["items"], root, chance, depth + 1) for _ in range(count)]
    simple: dict[str, Any] = {
        "string": chance.choice(WORDS),
        "integer": int(low) + chance.randrange(3),
        "number": low + chance.randrange(3),
        "boolean": chance.random() < 0.5,
    }
    return simple.get(kind)


def filled(value: Any, strict: Any, root: Any) -> Any:
    """Return a value as strict mode says it: with null for what is absent."""
    if "$ref" in strict:
        target = root
        for step in strict["$ref"].split("/")[1:]:
            target = target[step]
        return filled(value, target, root)
    if "anyOf" in strict:
        fitting = [
            branch
            for branch in strict["anyOf"]
            if validator_for({**branch, "$defs": root.get("$defs", {})}).is_valid(
                filled(value, branch, root)
            )
        ]
        return filled(value, fitting[0], root) if fitting else value
    if isinstance(value, dict):
        inner = strict.get("properties", {})
        return {
            name: filled(value[name], inner[name], root) if name in value else None
            for name in inner
        }
    if isinstance(value, list):
        items = cast("list[object]", value)
        return [filled(item, strict.get("items", {}), root) for item in items]
    return value


def without_limits(schema: Any) -> Any:
    """Return a schema without the limits that strict mode says in words alone."""
    if is_array(schema):
        return [without_limits(part) for part in schema]
    if not is_object(schema):
        return schema
    # A parameter may be called like a keyword; its schema is no number and no flag.
    return {
        keyword: without_limits(part)
        for keyword, part in schema.items()
        if keyword not in LIMIT_WORDS or (is_object(part) and keyword not in NAMES)
    }


def means_the_same(schema: Any, times: int, seed: str) -> int:
    """Try both directions on random values; return how many were tried."""
    strict = variant(schema)
    assert "type" in strict, strict
    limitless = validator_for(without_limits(schema), validate_formats=False)
    # A format says something and forbids nothing (JSON Schema 2020-12).
    original = validator_for(schema, validate_formats=False)
    narrow = validator_for(strict, validate_formats=False)
    chance = random.Random(seed)
    tried = 0
    for _ in range(times):
        value = sample(schema, schema, chance)
        if original.is_valid(value):
            said = filled(value, strict, strict)
            assert narrow.is_valid(said), (value, said)
            tried += 1
        said = sample(strict, strict, chance)
        if narrow.is_valid(said):
            meant = without_nulls(said, schema, schema)
            assert limitless.is_valid(meant), (said, meant)
            tried += 1
    return tried


@pytest.mark.parametrize("case", SAID)
def test_a_variant_means_the_same(case: str) -> None:
    assert means_the_same(SAID[case], 40, case) > 20


@pytest.mark.parametrize("case", SAID)
def test_a_variant_is_what_strict_mode_wants(case: str) -> None:
    library = pytest.importorskip("agents.strict_schema", reason="no openai-agents")
    strict = variant(SAID[case])
    before = json.dumps(strict)
    assert json.dumps(library.ensure_strict_json_schema(strict)) == before


@pytest.mark.parametrize("text", LIMITED)
def test_a_limit_without_a_keyword_becomes_words(text: str) -> None:
    schema = LIMITED[text]
    strict = variant(schema)
    (parameter,) = strict["properties"].values()
    assert parameter["description"] == text
    assert means_the_same(schema, 40, text) > 20
    assert means_the_same(without_limits(schema), 40, text) > 20


@pytest.mark.parametrize(
    "schema", [{"type": "array", "items": STRING, "uniqueItems": False}, STRING]
)
def test_a_keyword_that_limits_nothing_has_no_words(schema: dict[str, Any]) -> None:
    strict = variant(objects(r=schema))
    assert strict["properties"]["r"].keys() <= {"type", "items"}


@pytest.mark.parametrize("case", REFUSED)
def test_what_would_change_its_meaning_is_refused(case: str) -> None:
    pointer, reason = variant(REFUSED[case])
    assert reason
    assert pointer.startswith(("/properties/o", "/additionalProperties")) or not pointer


@needs("corpus/recordings")
def test_variants_of_real_tools_mean_the_same() -> None:
    tried = 0
    for name, file in sorted(recordings().items())[::6]:
        for tool in load(file.read_bytes())[0].tools[:40]:
            schema: Any = tool["inputSchema"]
            if isinstance(variant(schema), dict):
                tried += means_the_same(schema, 4, f"{name} {tool['name']}")
    assert tried > 500


@needs("corpus/recordings")
def test_no_real_tool_lacks_strict_mode_for_a_limit_that_words_say() -> None:
    said = 0
    for file in recordings().values():
        for tool in load(file.read_bytes())[0].tools:
            schema: Any = tool["inputSchema"]
            if (bare := without_limits(schema)) != schema:
                is_on = isinstance(variant(schema), dict)
                said += is_on
                assert is_on == isinstance(variant(bare), dict), tool["name"]
    assert said > 120


def test_null_goes_only_where_it_can_mean_nothing_else() -> None:
    schema = objects(r=STRING, o=STRING, n=NULLABLE, d={**NULLABLE, "default": None})
    nulls = {"r": None, "o": None, "n": None, "d": None, "extra": None}
    assert without_nulls(nulls, schema, schema) == {
        "r": None,
        "n": None,
        "d": None,
        "extra": None,
    }


def test_exported_names_fit_and_never_meet() -> None:
    wires = ["a.b", "a/b", "a_b", "1", "", "é", "x" * 65, "x" * 66, "ok-1"]
    names = export_names(wires)
    assert names == export_names(reversed(wires))
    assert len(set(names.values())) == len(wires)
    assert (names["ok-1"], names["a_b"]) == ("ok-1", "a_b_snake")
    assert names["1"] == "tool_1"
    assert export_names(["a.b"]) == {"a.b": "a_b"}
    assert export_names(["a.b", "zzz"])["a.b"] == "a_b"
    for name in names.values():
        assert len(name) <= 64
        assert name.isascii()
