"""Random schemas: what is called compatible is never refuted, and a witness is one.

jsonschema-rs is the judge; the generator of instances is the one that makes witnesses.
"""

from __future__ import annotations

import json
import time
from itertools import islice
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.contract.instances import values_of
from mcp_bindgen.contract.model import ABSENT
from mcp_bindgen.contract.shape import ShapedDocument, root_parts

from tests.contract.changes import CLOSED, only, report, tool

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
FORMATS = (
    "date-time date time email uri uri-reference hostname ipv4 ipv6 json-pointer regex"
).split()
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.just({}),
    st.sampled_from(["string", "integer", "number", "boolean", "null"]).map(
        lambda kind: {"type": kind}
    ),
    st.lists(st.sampled_from(["a", "b", 1, 2, None]), min_size=1, unique=True).map(
        lambda values: {"enum": values}
    ),
    st.fixed_dictionaries(
        {"type": st.just("integer")},
        optional={
            "minimum": st.integers(-3, 3),
            "exclusiveMaximum": st.integers(4, 9),
            "multipleOf": st.integers(1, 3),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(2, 4),
            "pattern": st.sampled_from(["^a", "^[ab]+$", "x"]),
        },
    ),
)


@st.composite
def _objects(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    names = st.sampled_from("abc")
    properties = draw(st.dictionaries(names, inner, min_size=1, max_size=3))
    required = draw(st.sets(names)) & properties.keys()
    closed = {"additionalProperties": False} if draw(st.booleans()) else {}
    whole = {"type": "object", "properties": properties, "required": sorted(required)}
    return {**whole, **closed}


@st.composite
def _lists(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    return {"type": "array", "items": draw(inner)}


@st.composite
def _pairs(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    return {draw(st.sampled_from(["anyOf", "allOf"])): [draw(inner), draw(inner)]}


@st.composite
def _constraints(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> dict[str, Any]:
    """Return a schema that is compared as a text, or member by member."""
    one, other, small = draw(inner), draw(inner), draw(st.integers(0, 2))
    names = draw(st.lists(st.sampled_from("abc"), unique=True, max_size=2))
    forms: list[dict[str, Any]] = [
        {"oneOf": [one, other]},
        {"not": one},
        {"if": one, "then": other},
        {"type": "object", "additionalProperties": one, "required": names},
        {"type": "object", "patternProperties": {"^[bc]$": one}},
        {"type": "array", "prefixItems": [one], "items": other, "minItems": small},
        {"type": ["object", "null"], "minProperties": small, "properties": {"a": one}},
    ]
    return draw(st.sampled_from(forms))


def _larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        *(_objects(inner), _lists(inner), _pairs(inner), _constraints(inner))
    )


SCHEMAS: st.SearchStrategy[Any] = st.recursive(SCALARS, _larger, max_leaves=5)


def instances(schema: Any) -> list[Any]:
    document = ShapedDocument.read(schema)
    made = islice(values_of(document, root_parts(document)), 200)
    return [value for value in made if jsonschema_rs.is_valid(schema, value)]


@settings(max_examples=150)
@given(SCHEMAS, SCHEMAS)
def test_compatible_is_never_refuted_and_a_witness_is_one(old: Any, new: Any) -> None:
    before = tool({"a": old}, ("a",), output=tool({"a": old}, ("a",))["inputSchema"])
    after = tool({"a": new}, ("a",), output=tool({"a": new}, ("a",))["inputSchema"])
    compared = report(before, after)
    assert not compared.problems
    for side, key in (("in", "inputSchema"), ("out", "outputSchema")):
        goes, takes = (before, after) if side == "in" else (after, before)
        own = [c for c in compared.changes if c.path.startswith(side)]
        for change in own:
            if change.witness is not ABSENT:
                assert jsonschema_rs.is_valid(goes[key], change.witness)
                assert not jsonschema_rs.is_valid(takes[key], change.witness)
        if all(change.wire_strict != "breaking" for change in own):
            for value in instances(goes[key]):
                assert jsonschema_rs.is_valid(takes[key], value), (own, value)


@settings(max_examples=100)
@given(SCHEMAS)
def test_the_same_schema_is_no_change(schema: Any) -> None:
    assert report(tool({"a": schema}), tool({"a": schema})).changes == ()
    again = json.loads(json.dumps(schema))
    definitions: dict[str, Any] = {"$defs": {"x": schema}}
    old = tool({"a": {"$ref": "#/$defs/x"}}, **definitions)
    new = tool({"a": again}, **definitions)
    assert report(old, new).wire == "none"


TEXT: dict[str, Any] = {"type": "string"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "array", "items": TEXT}, {"maxItems": 3}),
        ({"type": "array", "items": TEXT}, {"maxItems": 100}),
        (TEXT, {"maxLength": 1_000}),
        ({**TEXT, "pattern": "^[a-z-]+$"}, {"pattern": "^[a-z]+(?:[a-z-]*)$"}),
        *(({**TEXT, "format": name}, {"maxLength": 1}) for name in FORMATS),
        *(({**TEXT, "format": name}, {"type": "integer"}) for name in FORMATS),
        ({**TEXT, "format": "uri"}, {"maxLength": 2_000}),
    ],
)
def test_a_witness_reaches_a_bound_and_has_its_format(old: Any, new: Any) -> None:
    """Programs of draft 7 refuse texts of another format, so no witness is one."""
    before, after = (
        tool({"a": schema}, ("a",), **{"$schema": DRAFT_7})
        for schema in (old, {**old, **new})
    )
    witness = only(before, after).witness
    goes, takes = (
        jsonschema_rs.Draft7Validator(each["inputSchema"], validate_formats=True)
        for each in (before, after)
    )
    assert goes.is_valid(witness)
    assert not takes.is_valid(witness)


def _nested(depth: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"name": TEXT}
    if depth:
        inner["children"] = {"type": "array", "items": _nested(depth - 1)}
    return {"type": "object", "properties": inner, "required": ["name"]}


def _needing_more(schema: Any) -> Any:
    """Return a schema of which the innermost objects have one more required member."""
    inner = schema["properties"].get("children")
    if inner is None:
        return {**schema, "required": ["name", "size"]}
    more = {**inner, "items": _needing_more(inner["items"])}
    return {**schema, "properties": {**schema["properties"], "children": more}}


TWICE: dict[str, Any] = {"type": "integer", "minimum": -1}
OPEN: dict[str, Any] = {"additionalProperties": True}
MANY: dict[str, Any] = {f"p{n}": {"anyOf": [TEXT, TWICE]} for n in range(9)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The member beside it has a shortest length.
        (
            tool({"a": {**TEXT, "minLength": 2}, "b": TEXT}, ("a",)),
            tool({"a": {**TEXT, "minLength": 2}, "b": TWICE}, ("a",)),
        ),
        (
            tool({"a": TEXT, **MANY}, ("a",), **OPEN),
            tool({"a": TEXT, **MANY}, ("a",), **CLOSED),
        ),
        (tool({"a": _nested(8)}), tool({"a": _needing_more(_nested(8))})),
        # The first element that fits is none: the array beside it must be empty.
        (
            tool(
                {"a": {"type": "array", "items": {"oneOf": [TWICE] * 2}}, "b": TEXT},
                ("a",),
            ),
            tool(
                {"a": {"type": "array", "items": {"oneOf": [TWICE] * 2}}, "b": TWICE},
                ("a",),
            ),
        ),
        (
            tool({"a": {"type": "array", "items": TEXT, "minItems": 3}}),
            tool(
                {
                    "a": {
                        "type": "array",
                        "items": {**TEXT, "pattern": "^a"},
                        "minItems": 3,
                    }
                }
            ),
        ),
        (
            tool({"a": {**TEXT, "pattern": "^a"}}),
            tool({"a": {**TEXT, "pattern": "^[a-z]+$"}}),
        ),
        (
            tool({"a": {**TEXT, "pattern": "^[a-z]+$", "minLength": 8}}),
            tool({"a": TWICE}),
        ),
    ],
)
def test_a_change_anywhere_has_a_witness(old: Any, new: Any) -> None:
    breaking = [c for c in report(old, new).changes if c.wire == "breaking"]
    assert breaking
    for change in breaking:
        assert change.witness is not ABSENT, change
        assert jsonschema_rs.is_valid(old["inputSchema"], change.witness)
        assert not jsonschema_rs.is_valid(new["inputSchema"], change.witness)


def test_many_tools_cost_little() -> None:
    def listed(more: dict[str, Any]) -> list[dict[str, Any]]:
        many = {f"p{number}": {"type": "string", **more} for number in range(6)}
        return [{**tool(many), "name": f"tool_{number}"} for number in range(2_000)]

    begin = time.process_time()
    compared = report(listed({}), listed({"maxLength": 9}))
    assert len(compared.changes) == 12_000
    assert all(change.witness is not ABSENT for change in compared.changes)
    assert time.process_time() - begin < 3 * 3, "3 s, on a machine of a third the speed"
