"""The fast check accepts most values that fit, none with a fault or over a limit."""

from __future__ import annotations

import json
import os
from collections import deque
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.validation.accept import acceptor
from mcp_bindgen.runtime.validation.checked import Checked
from mcp_bindgen.runtime.validation.schema import SchemaChecker
from pydantic import TypeAdapter, ValidationError

from tests.runtime.validation.test_schema_hostile import (
    TREES,
    UNREADABLE,
    bomb,
    knot,
    nested,
)
from tests.shared import SHARED, needs
from tests.strategies import VALUES, documents

TEXT: dict[str, Any] = {"type": "string"}


def accepts(schema: object, value: object) -> bool:
    """Return what the fast check says, and compare it with the other one."""
    return accepted_by(SchemaChecker(schema), value)


def accepted_by(checker: SchemaChecker, value: object) -> bool:
    """Return the same for a schema that is compiled."""
    is_accepted = acceptor(checker)(value)
    assert not (is_accepted and [*checker.faults(value)])
    return is_accepted


@pytest.mark.slow
@settings(
    deadline=None,
    max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "300")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(
    schema=documents(),
    values=st.lists(VALUES, min_size=4, max_size=8),
    steps=st.sampled_from([10, 100, 1_000, 1_000_000]),
)
def test_what_is_accepted_has_no_fault(
    schema: dict[str, Any], values: list[Any], steps: int
) -> None:
    checker = SchemaChecker(schema)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "CHECK_STEPS", steps)
        for value in values:
            accepted_by(checker, value)


@needs("fidelity")
def test_of_the_suite_it_leaves_only_unusual_schemas() -> None:
    cases = json.loads((SHARED / "fidelity" / "suite.json").read_text())["cases"]
    wrong: list[str] = []
    for case in cases:
        text = json.dumps(case["schema"])
        is_unusual = any(word in text for word in ("$id", '"#"'))
        for test in case["tests"]:
            if not (accepts(case["schema"], test["data"]) or is_unusual):
                wrong += [case["id"]] if test["valid"] else []
    assert wrong == []


TAGGED: dict[str, Any] = {
    "oneOf": [
        {"properties": {"kind": {"const": "a"}, "n": TEXT}, "required": ["kind"]},
        {"$ref": "#/$defs/b"},
        {"properties": {"kind": {"enum": ["a", "c"]}, "n": {"type": "null"}}},
    ],
    "$defs": {"b": {"properties": {"kind": {"const": "b"}}, "minProperties": 2}},
}


FIT: list[tuple[dict[str, Any], Any]] = [
    (TAGGED, {"kind": "a", "n": "x"}),
    (TAGGED, {"kind": "a", "n": None}),
    (TAGGED, {"kind": "b", "n": 1}),
    (TAGGED, {"kind": "c"}),
    (TAGGED, {}),
    (TAGGED, {"n": "x", "m": 1}),
    ({"not": {"const": 1}}, True),
    ({"enum": [{"a": [1]}]}, {"a": [1.0]}),
    ({"uniqueItems": True}, [1, True, "1", [1], [True]]),
    ({"type": "integer", "maximum": 2}, 2.0),
    ({"items": TEXT, "not": {"maxItems": 9}}, ["x"] * 100),
    ({"additionalProperties": TEXT, "minProperties": 1}, {"x": "y"}),
    ({"contains": TEXT, "maxContains": 1}, [1, "x"]),
]
UNFIT: list[tuple[dict[str, Any], Any]] = [
    (TAGGED, {"kind": "a"}),
    (TAGGED, {"kind": "d"}),
    (TAGGED, {"kind": ["a"]}),
    ({"not": {"const": 1}}, 1.0),
    ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}]),
    ({"type": "integer"}, 2.5),
    ({"items": TEXT, "not": {"maxItems": 9}}, ["x"] * 100 + [1]),
    ({"contains": TEXT, "maxContains": 1}, ["y", "x"]),
]


@pytest.mark.parametrize(("schema", "value"), FIT)
def test_values_that_fit(schema: object, value: object) -> None:
    assert accepts(schema, value)


@pytest.mark.parametrize(("schema", "value"), UNFIT)
def test_values_that_do_not_fit(schema: object, value: object) -> None:
    assert not accepts(schema, value)


ANY: list[dict[str, Any]] = [{}, {"not": {"const": 1}}, {"anyOf": [True, {}]}]


@pytest.mark.parametrize(
    "value", [(1,), [(1,)], {1: 2}, {"a": {"b": {2}}}, b"a", {"a": b"a"}, object()]
)
@pytest.mark.parametrize("schema", ANY)
def test_what_is_no_plain_json_is_left_to_the_other_check(
    schema: object, value: object
) -> None:
    assert not acceptor(SchemaChecker(schema))(value)


RING: list[Any] = []
RING.append(RING)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (knot(12), 1),
        (bomb("allOf", 40), 1),
        (bomb("anyOf", 40), 1),
        ({"anyOf": [True], "items": {"$ref": "#"}}, nested(5_000)),
        ({"const": 1}, nested(5_000)),
        ({"uniqueItems": True}, [nested(5_000)]),
        ({"not": {"const": 1}}, RING),
        ({"items": {"$ref": "#"}}, RING),
        ({"not": {"pattern": UNREADABLE}}, "b"),
        ({"pattern": "^(?=a)"}, "a"),
        *((tree, {"a": nested(200, "a")}) for tree in TREES),
    ],
)
def test_what_may_be_costly_is_left_to_the_other_check(
    schema: object, value: object
) -> None:
    assert not acceptor(SchemaChecker(schema))(value)


COMPARED: dict[str, Any] = {
    "not": {"anyOf": [{"const": str(number)} for number in range(6)]},
    "items": {"$ref": "#"},
}


@pytest.mark.parametrize("steps", [30, 300, 3_000, 9_800])
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"enum": [1, 2]}}, [1] * 1_000),
        ({"items": {"pattern": "^x"}}, ["x" * 40] * 30),
        ({"items": {"multipleOf": 1}}, [1] * 200),
        ({"not": {"uniqueItems": True}}, [[1] * 40] * 2),
        ({"anyOf": [{"items": {"const": 2}}, {"items": {"const": 1}}]}, [1] * 100),
        (COMPARED, nested(22, leaf=[1] * 60)),
        ({"propertyNames": {"maxLength": 5}}, {f"n{n}": n for n in range(99)}),
        ({"dependentRequired": {"a": ["a"] * 1_000}}, {"a": 1}),
    ],
)
def test_no_limit_is_wider(
    schema: object, value: object, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CHECK_STEPS", steps)
    accepts(schema, value)


def test_the_work_of_a_schema_that_leads_back_is_bounded() -> None:
    again: dict[str, Any] = {"properties": {"a": {"$ref": "#"}}}
    schema = {"allOf": [again, again, again], "properties": {"b": {"const": 1}}}
    checker = SchemaChecker(schema)
    value = nested(30, "a")
    assert not acceptor(checker)(value)
    assert not [*checker.faults(value)]


def test_an_accepted_value_is_passed_on_and_a_fault_has_its_text() -> None:
    schema = '{"not":{"required":["a"]},"properties":{"b":{"type":"null"}}}'
    adapter = TypeAdapter[Any](Annotated[Any, Checked(schema)])
    value: dict[str, Any] = {"c": [1]}
    assert adapter.validate_python(value) is value
    with pytest.raises(ValidationError, match="must not fit the schema of not"):
        adapter.validate_python({"a": 1})


@pytest.mark.parametrize(
    ("values", "makes_one"),
    [
        *(([1], False), ([1, 2], True), ([{}, {"a": 1}], True)),
        *(([[0] * 99], False), ([[0] * 100], True), ([{"a": {"b": [0] * 100}}], True)),
        (["long" * 1_000], False),
    ],
)
def test_one_small_value_makes_no_acceptor(
    values: list[object],
    makes_one: bool,  # noqa: FBT001
) -> None:
    checked = Checked('{"not": {"const": 5}}')
    adapter = TypeAdapter[Any](Annotated[Any, checked])
    for value in values:
        assert adapter.validate_python(value) is value
    assert ("_accepts" in vars(checked)) is makes_one


EQUAL: dict[str, Any] = {"uniqueItems": True}


@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        (EQUAL, [deque([1]), {1}], True),
        (EQUAL, [deque([1]), 1, 1.0], False),
        (EQUAL, [(1,), [1]], False),
        ({"const": {"a": 1}}, {"a": {1}}, False),
        ({"not": {"enum": [[1]]}}, [{1}], True),
        ({"patternProperties": {"^a": {}}}, {1: 2, "a": 3}, True),
        ({"patternProperties": {"(?=a)": False}}, {None: 2}, True),
        (
            {"patternProperties": {"^a": {}}, "additionalProperties": False},
            {1: 2},
            False,
        ),
        (
            {"patternProperties": {"^a": {}}, "unevaluatedProperties": False},
            {1: 2},
            False,
        ),
    ],
)
def test_each_use_says_the_same_of_what_is_no_json(
    schema: object,
    value: object,
    fits: bool,  # noqa: FBT001
) -> None:
    adapter = TypeAdapter[Any](Annotated[Any, Checked(json.dumps(schema))])
    for _ in range(3):
        try:
            verdict = adapter.validate_python(value) is value
        except ValidationError:
            verdict = False
        assert verdict is fits


def test_a_value_in_itself_is_not_small_without_end() -> None:
    endless: list[object] = []
    endless.append(endless)
    adapter = TypeAdapter[Any](Annotated[Any, Checked('{"not": {"const": 5}}')])
    with pytest.raises(RecursionError):
        adapter.validate_python(endless)
