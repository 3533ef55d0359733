"""The work of the fast check is counted: a hostile schema or value cannot delay it."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.validation.accept import acceptor
from mcp_bindgen.runtime.validation.node import TooCostlyError
from mcp_bindgen.runtime.validation.quick import Tables
from mcp_bindgen.runtime.validation.quick_keywords import COVERS, MAKERS
from mcp_bindgen.runtime.validation.schema import SchemaChecker
from mcp_bindgen.runtime.validation.work import work_of


def steps(schema: object, value: object, most: int = 10**9) -> int:
    """Return the work of the look at a value."""
    tables = Tables(MAKERS, COVERS, most)
    look = tables.of(SchemaChecker(schema).root, whole=True)[type(value)]
    assert look
    look(value)
    return tables.run.steps


def unlike(inner: object) -> dict[str, Any]:
    """Return a schema whose look at a value need not look at all parts."""
    return {"not": {"not": inner}, "type": ["array", "object", "string"]}


NAMES = {f"n{number}": 1 for number in range(40)}
NEEDS: dict[str, list[str]] = {name: [] for name in NAMES}
FITTING = [{"maxItems": 99, "maxProperties": most} for most in range(90, 99)]
NOTHING: dict[str, Any] = {}
NO_ELEMENTS: list[Any] = []
PATTERNS = {f"^a{number}": True for number in range(40)}


CASES: list[tuple[dict[str, Any], Any, int]] = [
    ({"items": {"items": {"minimum": 0}}}, [[1] * 40] * 40, 40 * 40),
    ({"items": {"items": {"minimum": 0}}}, [[1] * 90] * 90, 90 * 90),
    ({"items": {"type": "array"}}, [[1] * 40] * 40, 40 * 40),
    ({"items": {"additionalProperties": {"minimum": 0}}}, [NAMES] * 40, 40 * 40),
    (
        {"items": unlike({"properties": NAMES.fromkeys(NAMES, True)})},
        [NOTHING] * 40,
        1_600,
    ),
    (
        {"items": unlike({"prefixItems": [{"minimum": 0}] * 40})},
        [NO_ELEMENTS] * 40,
        1_600,
    ),
    (unlike({"uniqueItems": True}), [f"{number}" for number in range(400)], 800),
    ({"items": {"multipleOf": 0.1}}, [1.5] * 40, 40 * 64),
    ({"items": {"dependentRequired": NEEDS}}, [NOTHING] * 40, 1_600),
    ({"dependentRequired": {"a": ["a"] * 1_600}}, {"a": 1}, 1_600),
    ({"pattern": "^a"}, "a" * 1_600, 1_600),
    ({"patternProperties": PATTERNS}, NAMES, 1_600),
    ({"patternProperties": {"^a": True}}, {"a" * 1_600: 1}, 1_600),
    ({"patternProperties": PATTERNS, "unevaluatedProperties": True}, NAMES, 1_600),
    (
        {
            "allOf": [{"patternProperties": PATTERNS}],
            "unevaluatedProperties": {"minimum": 0},
        },
        NAMES,
        3_200,
    ),
    ({"contains": {"minimum": 1}}, [1] * 1_600, 3_200),
    ({"anyOf": FITTING, "unevaluatedProperties": {"minimum": 0}}, NAMES, 400),
    ({"anyOf": FITTING, "unevaluatedItems": {"minimum": 0}}, [1] * 40, 400),
]


@pytest.mark.parametrize(("schema", "value", "least"), CASES)
def test_what_a_look_does_is_work(schema: object, value: object, least: int) -> None:
    assert steps(schema, value) >= least
    with pytest.raises(TooCostlyError):
        steps(schema, value, least - 1)


def test_the_ways_of_unevaluated_parts_are_counted() -> None:
    schema: dict[str, Any] = {"properties": {"a": True}}
    for _ in range(5):
        schema = {"anyOf": [schema], "unevaluatedProperties": {"minimum": 0}}
    checker = SchemaChecker(schema)
    work = work_of(checker.root, checker.nodes)
    assert work
    assert work.span.paths >= steps(schema, {}) > 2**6


def test_names_that_are_no_plain_texts_are_left_to_the_other_check() -> None:
    name = type("Name", (str,), {})("a")
    schema = {"propertyNames": {}, "properties": {"a": True}}
    checker = SchemaChecker(schema)
    assert [*checker.faults({name: 1})]
    assert acceptor(checker)({"a": 1})
    assert not acceptor(checker)({name: 1})


def test_required_names_that_are_repeated_are_looked_for_once() -> None:
    looked: list[str] = []

    class Members(dict[str, int]):
        def __contains__(self, name: object) -> bool:
            looked.append(str(name))
            return super().__contains__(name)

    required = {"required": ["a"] * 9}
    for document in (required, {**required, "properties": NOTHING}):
        schema = SchemaChecker(document)
        tables = Tables(MAKERS, COVERS, 1_000)
        look = tables.of(schema.root, whole=False)[dict]
        assert look
        assert look(Members(a=1))
    assert looked == ["a", "a"]
