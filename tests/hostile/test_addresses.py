"""References to and through schemas with an `$id`, which have their own targets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.pipeline.generate import generate

from tests.bench.validation import bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

S: Json = {"type": "string"}
INT: Json = {"type": "integer"}
INNER: Json = {
    "$id": "https://example.com/in",
    "$defs": {"i": INT},
    "properties": {"p": {"$ref": "#/$defs/i"}},
}


def whole(ref: str, *, at: str = "", **defs: Json) -> Json:
    """Return an input schema whose parameter refers to one of the definitions."""
    own = {"$id": at} if at else {}
    properties = {"x": {"$ref": ref}}
    return {**own, "type": "object", "properties": properties, "$defs": defs}


def recording(schema: Json) -> bytes:
    return json.dumps({"tools": [{"name": "t", "inputSchema": schema}]}).encode()


def accepts(binding: Any, arguments: Json) -> bool:
    """Return whether the arguments of a tool are accepted."""
    try:
        binding.arguments.model_validate(arguments)
    except ValueError:
        return False
    return True


BASE = "https://example.com/r"
WITH_ADDRESSES = [
    whole("#/$defs/d/properties/p", d=INNER, i=S),
    whole("in#/properties/p", at=BASE, d=INNER, i=S),
    whole("https://example.com/in#/properties/p", d=INNER, i=S),
    whole("#/$defs/d/$defs/i", d=INNER, i=S),
    whole(f"{BASE}#/$defs/i", at=BASE, i=INT),
    whole("r#/$defs/i", at=BASE, i=INT),
    whole(f"{BASE}#name", at=BASE, i={**INT, "$anchor": "name"}),
]


DRAFT_2019: Json = {
    "$schema": "https://json-schema.org/draft/2019-09/schema",
    "type": "object",
}
FOO: Json = {"properties": {"foo": {"$recursiveRef": "#"}}}
SCHEMAS = [
    *WITH_ADDRESSES,
    {**DRAFT_2019, **FOO, "additionalProperties": False},
    {**DRAFT_2019, "properties": {"x": {"items": [S], "unevaluatedItems": False}}},
]
VALUES: list[Json] = [
    *({}, {"x": 1}, {"x": "s"}, {"x": ["a"]}, {"x": ["a", 1]}),
    *({"foo": {"foo": {}}}, {"foo": {"bar": 1}}),
]


@pytest.fixture(scope="module")
def made() -> Iterator[Json]:
    """Yield the bindings of a tool for each schema."""
    with bindings({f"t{n}": (each, None) for n, each in enumerate(SCHEMAS)}) as tools:
        yield tools


@pytest.mark.parametrize("number", range(len(SCHEMAS)))
def test_a_reference_leads_where_it_says(made: Json, number: int) -> None:
    schema, binding = SCHEMAS[number], made[f"t{number}"]
    for value in VALUES:
        fits = jsonschema_rs.is_valid(schema, value)
        assert accepts(binding, value) == fits, value


def at_address(**keywords: Any) -> Json:
    definition = {"$id": "https://example.com/d", **keywords}
    return whole("https://example.com/d", d=definition)


CHANGES: list[tuple[Json, Json]] = [
    (at_address(properties={"a": S}), at_address(properties={"a": INT})),
    (at_address(items=S), at_address(items=INT)),
    (at_address(enum=["a", "b"]), at_address(enum=["a"])),
    (
        whole(f"{BASE}#/$defs/i", at=BASE, i={"properties": {"a": S}}),
        whole(f"{BASE}#/$defs/i", at=BASE, i={"properties": {"a": INT}}),
    ),
    (
        whole("#/$defs/d/properties/p", d={**INNER, "$defs": {"i": S}}),
        whole("#/$defs/d/properties/p", d=INNER),
    ),
]


def beside(schema: Json, inner: Json) -> Json:
    """Return an input schema with the definition `i` twice, one in a resource."""
    defs = {"d": {**INNER, "$defs": {"i": inner}}, "i": S}
    return {"type": "object", "properties": {"x": schema}, "$defs": defs}


BESIDE: list[Json] = [
    {"$ref": "#/$defs/d"},
    {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "null"}]},
    {"type": "array", "items": {"$ref": "#/$defs/d"}},
]
CHANGES.extend((beside(each, S), beside(each, INT)) for each in BESIDE)


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_change_behind_an_address_is_no_secret(old: Json, new: Json) -> None:
    assert not compare_recordings(recording(old), recording(old)).changes
    report = compare_recordings(recording(old), recording(new))
    assert report.wire == "breaking"
    assert not report.problems


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_text_behind_an_address_breaks_nothing(old: Json, new: Json) -> None:
    del new
    worded = json.loads(json.dumps(old))
    for definition in worded["$defs"].values():
        definition["description"] = "A text."
    assert compare_recordings(recording(old), recording(worded)).wire != "breaking"


def test_a_reference_out_of_the_document_is_refused_at_its_pointer() -> None:
    schema = whole("https://example.com/else", at=BASE, i=S)
    [problem] = generate(recording(schema), "catalog").problems
    assert problem.pointer == "/tools/0/inputSchema/properties/x/$ref"
