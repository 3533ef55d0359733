"""Models of alternatives that a tag tells apart."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.models import agree
from tests.strategies import DRAFT_7

pytestmark = pytest.mark.usefixtures("package")


OPEN = [
    {"type": "object", "properties": {"A": {"const": tag}}, "required": ["A"]}
    for tag in ("x", "y")
]
CLOSED = [{**schema, "additionalProperties": False} for schema in OPEN]
WORDS = st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, max_size=2, unique=True)
ENUMS: st.SearchStrategy[dict[str, Any]] = WORDS.map(lambda words: {"enum": words})
TAGS = ENUMS | WORDS.map(lambda words: {"const": words[0]})
TAG_NAMES = st.sampled_from(["kind", "Method", "op"])


@st.composite
def tagged_objects(draw: st.DrawFn) -> dict[str, Any]:
    """Draw an object with properties that may tell it from others of its kind."""
    anything = st.builds(dict[str, Any])
    properties = draw(st.dictionaries(TAG_NAMES, TAGS | anything, min_size=1))
    for name in properties.keys() & {draw(TAG_NAMES)}:
        properties[name] = {**properties[name], **draw(NARROWER)}
    required = sorted(draw(st.sets(st.sampled_from(sorted(properties)))))
    more: dict[str, Any] = draw(st.sampled_from([{}, {"additionalProperties": False}]))
    return {"type": "object", "properties": properties, "required": required, **more}


# What may stand beside a list of values, and change what it means.
NARROWER: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {},
        {"type": "string"},
        {"type": "integer"},
        {"const": "x"},
        {"$ref": "#/$defs/text"},
        {"allOf": [{"type": "integer"}]},
    ]
)
TAGGED = st.dictionaries(TAG_NAMES, st.sampled_from(["x", "y", "z", 1]), max_size=3)


@settings(max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "150")))
@given(
    st.sampled_from(["anyOf", "oneOf"]),
    st.lists(tagged_objects(), min_size=2, max_size=4),
    st.sampled_from([{}, {"$schema": DRAFT_7}]),
    st.lists(TAGGED, max_size=8),
)
def test_a_tag_differs_in_all_branches(
    keyword: str,
    branches: list[dict[str, Any]],
    dialect: dict[str, str],
    values: list[Any],
) -> None:
    text = {"text": {"type": "string"}}
    agree({**dialect, keyword: branches, "$defs": text}, values)


def request(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return an object with properties that it must have."""
    return {"type": "object", "properties": properties, "required": [*properties]}


BLOCK, X, Y, ONE = {"const": "block"}, {"const": "x"}, {"const": "y"}, {"const": 1}
INTEGER = {"type": "integer"}
NO_TAGS: list[list[dict[str, Any]]] = [
    [request(kind=BLOCK, op=X), request(kind=BLOCK, op=Y)],
    [request(kind=BLOCK, op=ONE), request(kind=BLOCK, op={"const": 2})],
    [request(kind={**X, **INTEGER}), request(kind={**Y, **INTEGER})],
    [request(kind={**X, "enum": ["z"]}), request(kind=Y)],
    [request(kind={**X, "$ref": "#/$defs/text"}), request(kind=Y)],
    [{**request(kind=X), "allOf": [request(kind=INTEGER)]}, request(kind=Y)],
]


@pytest.mark.parametrize("dialect", [{}, {"$schema": DRAFT_7}], ids=["2020", "7"])
@pytest.mark.parametrize("branches", NO_TAGS, ids=repr)
def test_what_is_no_tag(branches: list[Any], dialect: dict[str, str]) -> None:
    kinds = ["block", "x", "y", "z", 1]
    values: list[Any] = [{"kind": kind, "op": op} for kind in kinds for op in ("x", 1)]
    text = {"text": {"type": "string"}}
    agree({**dialect, "oneOf": branches, "$defs": text}, [*values, {}, {"kind": "x"}])


@pytest.mark.parametrize("schema", [{"oneOf": OPEN}, {"oneOf": CLOSED}], ids=repr)
def test_a_tag_has_its_own_name_only(schema: dict[str, Any]) -> None:
    tags = [{"A": "x"}, {"A": "z"}, {"a": "x"}, {}]
    values = [{**tag, **more} for tag in tags for more in ({}, {"a": 1}, {"a": "y"})]
    agree(schema, values)
