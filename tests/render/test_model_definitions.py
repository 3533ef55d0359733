"""The references in the schemas that models get."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.render.model_definitions import with_definitions
from mcp_bindgen.render.model_schema import model_schema
from mcp_bindgen.runtime.json_values import elements, members

from tests.strategies import VALUES

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
SCHEMAS: list[Json] = [
    {"properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": TEXT}},
    {"properties": {"a": TEXT, "b": {"$ref": "#/properties/a"}}},
    {"properties": {"a": {"type": "array", "items": {"$ref": "#"}}}},
    {"properties": {"a": {"$ref": "#/$defs/v1/x"}}, "$defs": {"v1": {"x": TEXT}}},
    {"properties": {"a": {"$ref": "#/a~1b/x%20y"}}, "a/b": {"x y": TEXT}},
    {"properties": {"a": {"$ref": "#there"}}, "$defs": {"x": {"$anchor": "there"}}},
    {"properties": {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#/v/x"}},
     "$defs": {"x": TEXT}, "v": {"x": {"type": "null"}}},
    {"$ref": "#/definitions/x", "definitions": {"x": {"properties": {"a": TEXT}}}},
    {"anyOf": [{"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}],
     "properties": {"c": {"$ref": "#/anyOf/0/properties/a"}}},
    {"properties": {"a": {"$ref": "#/v"}}, "v": {"items": {"$ref": "#/v"}}},
]  # fmt: skip


def references(value: Any) -> list[str]:
    """Return all references in a schema."""
    inner: list[Any] = [*elements(value), *members(value).values()]
    own = members(value).get("$ref")
    below = [each for item in inner for each in references(item)]
    return [own, *below] if isinstance(own, str) else below


@pytest.mark.parametrize("schema", SCHEMAS, ids=repr)
def test_references_lead_to_definitions_of_the_root(schema: Json) -> None:
    made = model_schema({"type": "object", **schema})
    for each in references(made):
        before, name = each.rsplit("/", 1)
        assert before == "#/$defs"
        assert name in made["$defs"]


HOMES = ("definitions", "$defs", "$defs/v1", "a~1b", "properties")


def with_reference(to: str) -> Json:
    return {"$ref": to}


def array(items: Json) -> Json:
    return {"type": "array", "items": items}


def with_member(inner: Json) -> Json:
    return {"properties": {"a": inner}}


@st.composite
def schemas(draw: st.DrawFn) -> Json:
    """Draw a schema with definitions in several homes, which refer to each other."""
    homes = [draw(st.sampled_from(HOMES)) for _ in range(3)]
    targets = ["#", *(f"#/{home}/d{n}" for n, home in enumerate(homes))]
    reference = st.sampled_from(targets).map(with_reference)
    leaf = st.sampled_from([TEXT, {"type": "integer"}, {"enum": ["a", 1]}])
    inner = st.one_of(reference.map(array), leaf, leaf.map(with_member))
    document: Json = with_member(draw(reference))
    document["properties"]["b"] = draw(reference.map(array))
    for number, home in enumerate(homes):
        group = document
        for step in home.split("/"):
            group = group.setdefault(step.replace("~1", "/"), {})
        group[f"d{number}"] = draw(inner)
    return document


@settings(max_examples=200)
@given(schemas(), st.lists(VALUES, max_size=6))
def test_values_fit_as_before(schema: Json, values: list[Any]) -> None:
    try:
        before = jsonschema_rs.Draft202012Validator(schema).is_valid
    except (ValueError, jsonschema_rs.ReferencingError):
        return
    after = jsonschema_rs.Draft202012Validator({**with_definitions(schema)}).is_valid
    samples: list[Any] = [*values, *({"a": v, "b": [v]} for v in values)]
    assert [after(value) for value in samples] == [before(value) for value in samples]


def test_a_schema_that_would_grow_many_times_stays() -> None:
    deep: Json = {"type": "object"}
    for _ in range(40):
        deep = {
            "type": "object",
            "properties": {"a": deep, "b": {"enum": [*range(200)]}},
        }
    ends = ["/properties/a" * n for n in range(1, 40)]
    ways = {f"r{n}": {"$ref": f"#/properties/deep{end}"} for n, end in enumerate(ends)}
    schema: Json = {"properties": {"deep": deep, **ways}}
    made = with_definitions(schema)
    assert made is schema
