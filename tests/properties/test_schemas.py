"""A generated model accepts what jsonschema-rs accepts, and gives it back unchanged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.models import agree, expected, module_of, verdicts
from tests.strategies import DRAFT_7, NAMES, VALUES, documents

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("package")

OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


@settings(max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "150")))
@given(documents(), st.lists(OBJECTS, max_size=5), st.lists(VALUES, max_size=5))
def test_a_model_is_its_schema(
    schema: dict[str, Any], objects: list[dict[str, Any]], values: list[object]
) -> None:
    arguments = {**schema, "type": "object"}
    module, stem = module_of(arguments, schema)
    for part, class_, instances in (
        (arguments, f"{stem}Arguments", objects),
        (schema, f"{stem}Result", [*objects, *values]),
    ):
        type_ = getattr(module, class_)
        accepts = jsonschema_rs.validator_for(part).is_valid
        accepted = verdicts(type_, instances)
        assert accepted == [expected(accepts, value) for value in instances]


# What Python, or a careless reader of JSON, takes for the same.
ALIKE: list[Any] = [
    *(1, True, 1.0, 0, False, "1", "", None, [1], [True], [], {}),
    *({"a": 1}, {"a": True}, 2**63, -(2**63), 2**53, 2.0**53),
]
PAIRS: list[tuple[Any, Any]] = [
    *((1, True), (True, 1.0), (1, 1.0), (False, 0), ("1", 1), (None, "")),
    *(([1], [True]), ({"a": 1}, {"a": True}), (2**53, 2.0**53), (2**63, 2**53)),
]


def meetings(one: object, two: object) -> Iterator[dict[str, Any]]:
    """Yield schemas in which two values meet, each in another way."""
    first, second = {"const": one}, {"const": two}
    pair: list[Any] = [first, second]
    inner = [{"properties": {"x": part}} for part in pair]
    yield {"allOf": pair}
    yield {"allOf": [{"enum": [one, "z"]}, {"enum": [two, "z"]}]}
    yield {"allOf": [{"enum": [one]}, {"enum": [two]}]}
    yield {"enum": [one, two]}
    yield {"anyOf": pair}
    yield {"oneOf": pair}
    yield {"const": one, "enum": [two, "z"]}
    yield {"type": "object", "allOf": inner}
    yield {"type": "array", "allOf": [{"items": part} for part in pair]}


@pytest.mark.parametrize(("one", "two"), PAIRS, ids=repr)
def test_what_is_alike_is_not_the_same(one: object, two: object) -> None:
    values = [*ALIKE, *({"x": value} for value in ALIKE), *([v] for v in ALIKE)]
    for schema in meetings(one, two):
        agree(schema, values)


PARTS: list[dict[str, Any]] = [
    {},
    {"items": {"type": "string"}},
    {"items": False, "maxItems": 1},
    {"prefixItems": [True], "minItems": 1, "maxItems": 1},
    {"prefixItems": [{"type": "integer"}], "minItems": 1},
    {"prefixItems": [True], "items": False, "minItems": 1},
    {"additionalItems": False},
]
OLDER: list[dict[str, Any]] = [
    *PARTS[:3],
    {"items": [True], "minItems": 1, "maxItems": 1},
    {"items": [{"type": "integer"}], "minItems": 1},
    {"items": [True], "additionalItems": False, "minItems": 1},
    {"additionalItems": False},
]
LISTS: list[Any] = [[], [1], ["a"], [1, 2], ["a", "b"], [1, "a"], ["a", 1]]


@pytest.mark.parametrize("dialect", [{}, {"$schema": DRAFT_7}], ids=["2020", "7"])
def test_elements_meet_in_an_all_of(dialect: dict[str, str]) -> None:
    parts = OLDER if dialect else PARTS
    for one in parts:
        for two in parts:
            both = [{"type": "array", **one}, {"type": "array", **two}]
            agree({**dialect, "allOf": both}, LISTS)


LATER: list[dict[str, Any]] = [
    {"type": "array", "prefixItems": [True], "minItems": 1, "maxItems": 1},
    {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
    {"dependentSchemas": {"a": False}, "items": [{"prefixItems": [False]}]},
]


@pytest.mark.parametrize("schema", LATER, ids=repr)
def test_older_schemas_know_no_later_keywords(schema: dict[str, Any]) -> None:
    agree({**schema, "$schema": DRAFT_7}, [*LISTS, [[1]], {"a": 1}])
