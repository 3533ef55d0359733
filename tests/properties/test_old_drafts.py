"""Schemas of older drafts, and old forms of keywords without a declared draft."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.render.model_schema import model_schema

from tests.contract.changes import report, tool
from tests.properties.models import agree
from tests.strategies import VALUES

pytestmark = pytest.mark.usefixtures("package")

Json = dict[str, Any]
FOUR = "http://json-schema.org/draft-04/schema#"
SIX = "http://json-schema.org/draft-06/schema#"
VALIDATORS = {FOUR: jsonschema_rs.Draft4Validator, SIX: jsonschema_rs.Draft6Validator}
SAMPLES: list[Any] = [
    *(None, True, -1, 0, 0.5, 1, 2, 3, "a", "b", [], [1], ["a", 1], [1, 1, 1]),
    *({}, {"a": 1}, {"b": 1}, {"a": 1, "b": 2}, {"a": "a"}, {"a": [1, "a"]}),
]


def bounds(number: int, flags: tuple[bool | None, bool | None]) -> Json:
    """Return bounds of draft 4, each with a flag or without one."""
    pairs = zip(("Minimum", "Maximum"), flags, strict=True)
    known = {f"exclusive{name}": flag for name, flag in pairs if flag is not None}
    return {"minimum": number, "maximum": number + 2, **known}


FLAGS = st.sampled_from([None, True, False])
LEAVES: st.SearchStrategy[Json] = st.one_of(
    st.builds(bounds, st.integers(-1, 1), st.tuples(FLAGS, FLAGS)),
    st.just({"type": "number"}),
    st.just({"type": "object"}),
    st.just({"const": 1}),
    st.just({"propertyNames": {"enum": ["a"]}}),
    st.just({"contains": {"type": "string"}}),
    st.just({"if": {"type": "string"}, "then": {"enum": ["a"]}}),
    st.just({"dependencies": {"a": ["b"]}}),
    st.just({"$ref": "#/definitions/one"}),
    st.just({"$ref": "#two"}),
)


def tuples(parts: list[Json], rest: Json) -> Json:
    return {"items": parts, "additionalItems": rest}


def combined(keyword: str, parts: list[Json]) -> Json:
    return {keyword: parts}


def negated(inner: Json) -> Json:
    return {"not": inner}


def with_member(inner: Json) -> Json:
    return {"properties": {"a": inner}}


def groups(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    parts = st.lists(inner, min_size=1, max_size=2)
    return st.one_of(
        inner.map(negated),
        inner.map(with_member),
        st.builds(combined, st.sampled_from(["anyOf", "allOf"]), parts),
        st.builds(tuples, parts, inner),
    )


SCHEMAS = st.recursive(LEAVES, groups, max_leaves=5)


@settings(max_examples=150)
@given(SCHEMAS, st.lists(VALUES, max_size=5))
def test_a_schema_of_draft_4(schema: Json, values: list[Any]) -> None:
    definitions = {"one": {"enum": [0, 1, "a"]}, "two": {"id": "#two", "minimum": 1}}
    whole = {"$schema": FOUR, "allOf": [schema], "definitions": definitions}
    agree(whole, [*SAMPLES, *values])


@pytest.mark.parametrize(
    "schema",
    [
        {"const": 1},
        {"contains": {"type": "string"}},
        {"propertyNames": {"enum": ["a"]}},
        {"if": {"type": "string"}, "then": {"enum": ["a"]}},
        {"not": {"if": True, "then": False}},
    ],
)
def test_a_draft_knows_no_later_keywords(schema: Json) -> None:
    for draft in VALIDATORS:
        agree({"$schema": draft, "allOf": [schema]}, SAMPLES)


def test_flags_without_a_draft_are_those_of_openapi() -> None:
    schema = {"type": "number", "minimum": 0, "exclusiveMinimum": True, "maximum": 2}
    new = {"type": "number", "exclusiveMinimum": 0, "maximum": 2}
    accepts = jsonschema_rs.Draft202012Validator(new).is_valid
    assert [accepts(v) for v in (0, 0.5, 2, 3)] == [False, True, True, False]
    assert report(tool({"n": schema}), tool({"n": new})).changes == ()
    agree({"$schema": FOUR, **schema}, SAMPLES)
    loose = {"type": "number", "minimum": 0, "maximum": 2}
    (change,) = report(tool({"n": schema}), tool({"n": loose})).changes
    assert change.rule == "PARAM_BOUND_LOOSENED"


def test_models_get_the_forms_of_2020_12() -> None:
    element = [{"type": "string"}, {"type": "number", "minimum": 0}]
    schema = {
        "type": "object",
        "properties": {
            "flag": {"type": "number", "maximum": 2, "exclusiveMaximum": True},
            "pair": {"type": "array", "items": element, "additionalItems": False},
            "open": {"type": "array", "items": element},
            "anchor": {"$ref": "#there"},
        },
        "definitions": {"x": {"$id": "#there", "type": "null"}},
    }
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **model_schema(schema),
    }
    jsonschema_rs.meta.validate(made)
    accepts = jsonschema_rs.Draft202012Validator(made).is_valid
    right: list[Json] = [{"flag": 1}, {"pair": ["a", 1]}, {"open": ["a", 1, None]}]
    wrong: list[Json] = [{"flag": 2}, {"pair": ["a", 1, 2]}, {"open": [1]}]
    assert all(map(accepts, [*right, {"anchor": None}]))
    assert not any(map(accepts, [*wrong, {"anchor": 1}]))


DEFS = {"q": {"type": "string"}, "r": {"$dynamicAnchor": "Y", "type": "string"}}
INNER: list[Json] = [
    {"$id": "http://y.example/z", "$ref": "#/$defs/q", "$defs": DEFS},
    {"$id": "http://y.example/z", "allOf": [{"$ref": "#/$defs/q"}], "$defs": DEFS},
    {"allOf": [{"$id": "http://y.example/z", "$ref": "#/$defs/q", "$defs": DEFS}]},
    {"anyOf": [{"$id": "http://y.example/z", "$ref": "#/$defs/q", "$defs": DEFS}]},
    {"$ref": "#Y", "$defs": DEFS},
    {"properties": {"a": {"$ref": "#Y"}}, "$defs": DEFS},
]


@pytest.mark.parametrize("schema", INNER, ids=repr)
def test_references_of_an_inner_schema_lead_into_it(schema: Json) -> None:
    agree(schema, SAMPLES)
    agree({"properties": {"a": schema}}, SAMPLES)
