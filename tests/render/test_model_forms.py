"""The forms of schemas that the interfaces of models accept."""

from __future__ import annotations

import re
import warnings
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bindgen.render.model_forms import accepted
from mcp_bindgen.render.model_schema import model_schema

Json = dict[str, Any]

STAYS: list[Json] = [
    {"type": "array", "items": {"type": "string"}},
    {"type": "array", "items": False},
    {"type": "string", "pattern": r"^[\w.-]+\[\]$"},
    {"type": "string", "pattern": r"\\p{L}"},
    {"patternProperties": {"^x-": True}, "additionalProperties": False},
    {"exclusiveMinimum": 1},
    {"$id": "https://a.example/b"},
    {"properties": {"items": {"type": "string"}}},
]
CHANGES: list[tuple[Json, Json]] = [
    ({"type": ["array", "null"]}, {"type": ["array", "null"], "items": {}}),
    ({"items": [True]}, {"prefixItems": [True], "items": {}}),
    (
        {"type": "array", "prefixItems": [True]},
        {"type": "array", "prefixItems": [True], "items": {}},
    ),
    (
        {"pattern": "a(?!b)", "description": "A name."},
        {"description": 'A name. Pattern: "a(?!b)".'},
    ),
    ({"pattern": "*.txt"}, {"description": 'Pattern: "*.txt".'}),
    (
        {"patternProperties": {r"\p{L}": True}, "additionalProperties": False},
        {},
    ),
    ({"$id": "#a"}, {"$id": "#a", "$anchor": "a"}),
]


@pytest.mark.parametrize("schema", STAYS, ids=repr)
def test_a_form_that_is_accepted_stays(schema: Json) -> None:
    assert accepted(schema) is schema


@pytest.mark.parametrize(("schema", "expected"), CHANGES, ids=repr)
def test_another_form_is_written_anew(schema: Json, expected: Json) -> None:
    before = {**schema}
    assert accepted(schema) == expected
    assert schema == before


# A letter, an escape or a sign: pieces of right and of wrong patterns.
PIECES = st.sampled_from(
    [
        *("a", "[a-z]", "(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<n>", "|", "*", "+"),
        *("?", "{2}", "{,3}", "[", "]", "[^", "[]", "^", "$", ".", "\\"),
        *(r"\d", r"\p{L}", r"\u0041", r"\u{41}", r"\cA", r"\1", r"\k<n>", r"\/", r"\i"),
        *("(?i)", "(?P<n>", "\\\\"),
    ]
)


@given(st.lists(PIECES, max_size=6).map("".join))
def test_a_pattern_that_stays_is_one_for_every_interface(pattern: str) -> None:
    made = accepted({"pattern": pattern})
    if "pattern" not in made:
        assert made["description"].startswith("Pattern: ")
        return
    assert "(?=" not in pattern.replace("\\(", "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        re.compile(pattern)
    assert jsonschema_rs.meta.is_valid({"$schema": SCHEMA, "pattern": pattern})


SCHEMA = "https://json-schema.org/draft/2020-12/schema"


def test_inner_schemas_are_written_anew() -> None:
    inner: Json = {"type": "array", "items": {"type": "array"}}
    made = model_schema({"type": "object", "properties": {"a": {"anyOf": [inner]}}})
    expected: Json = {"type": "array", "items": {"type": "array", "items": {}}}
    assert made["properties"]["a"] == {"anyOf": [expected]}
