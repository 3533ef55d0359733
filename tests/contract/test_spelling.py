"""Schemas that mean the same are no change, on the wire and in generated code."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.contract.changes import CLOSED, only, report, tool

TEXT_OR_NULL: dict[str, Any] = {"anyOf": [{"type": "string"}, {"type": "null"}]}
SPELLINGS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (TEXT_OR_NULL, {"type": ["string", "null"]}),
    (TEXT_OR_NULL, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
    ({"const": "a"}, {"enum": ["a"]}),
    ({"enum": ["a", "b"]}, {"enum": ["b", "a"]}),
    (
        {"type": "integer", "minimum": 1},
        {"type": "integer", "exclusiveMinimum": 0},
    ),
    ({"type": "string"}, {"type": ["string"], "minLength": 0}),
    ({"type": "string"}, {"allOf": [{"type": "string"}]}),
    ({"type": "array"}, {"type": "array", "items": {}, "uniqueItems": False}),
]


def _twice(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return a tool with the same model in two lists of objects."""
    models: list[dict[str, Any]] = [
        {"type": "object", "properties": {"owner": {"properties": {"a": schema}}}}
        for schema in (one, other)
    ]
    lists = {
        name: {"type": "array", "items": model}
        for name, model in zip(("hits", "more"), models, strict=True)
    }
    return tool(lists, output=tool(copy.deepcopy(lists))["inputSchema"])


@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_the_same_in_other_words_is_no_change(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    # Of two equal models one is respelled: both stay one class.
    assert report(_twice(one, one), _twice(one, other)).changes == ()
    assert report(_twice(one, other), _twice(one, one)).changes == ()


def _one_of(*schemas: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": [{"type": "object", **CLOSED, **schema} for schema in schemas]}


def _has(name: str, **more: Any) -> dict[str, Any]:
    return {"properties": {name: {"type": "string", **more}}, "required": [name]}


def test_members_of_one_of_that_no_value_shares_are_compared_one_by_one() -> None:
    old = tool({"at": _one_of(_has("path"), _has("url"))})
    respelled = tool({"at": _one_of(_has("path", minLength=0), _has("url"))})
    assert report(old, respelled).changes == ()
    turned = tool({"at": _one_of(_has("url"), _has("path"))})
    assert report(old, turned).wire == "none"
    shorter = tool({"at": _one_of(_has("path", maxLength=9), _has("url"))})
    change = only(old, shorter)
    assert change.rule == "PARAM_BOUND_TIGHTENED"
    assert change.witness == {"at": {"path": "some words, any text"}}


def test_lists_in_a_union_are_compared_with_the_one_that_they_are() -> None:
    def lists(*names: str) -> dict[str, Any]:
        items: list[dict[str, Any]] = [
            {"type": "object", "properties": {name: {"type": "string"}}, **CLOSED}
            for name in names
        ]
        listed = [{"type": "array", "items": item} for item in items]
        return tool({"body": {"anyOf": listed}})

    old = lists("a", "b", "c")
    new = copy.deepcopy(old)
    body = new["inputSchema"]["properties"]["body"]
    body["anyOf"][1]["items"]["properties"]["b"]["minLength"] = 0
    assert report(old, new).changes == ()


def test_a_member_of_a_union_is_the_class_of_its_name() -> None:
    closed = {"properties": {"ok": {"type": "boolean"}, "note": {"type": "string"}}}
    open_ = {"properties": {"ok": {"type": "boolean"}, "data": {}}}
    result = {"anyOf": [{"type": "object", **each} for each in (closed, open_)]}
    old = tool(output=tool({"result": result}, ("result",))["inputSchema"])
    new = copy.deepcopy(old)
    members = new["outputSchema"]["properties"]["result"]["anyOf"]
    del members[0]["properties"]["note"]
    assert report(old, new).source == "breaking"


def test_a_result_that_is_no_longer_unwrapped_breaks_callers() -> None:
    values = {"type": "object", "additionalProperties": {"type": "string"}}
    old = tool(output=tool({"result": values}, ("result",))["inputSchema"])
    assert report(old, tool(output={"type": "object"})).source == "breaking"


@pytest.mark.parametrize("keyword", ["dependentSchemas", "dependencies"])
def test_words_in_a_condition_on_a_name_are_no_constraint(keyword: str) -> None:
    def with_words(text: str) -> dict[str, Any]:
        inner = {"properties": {"b": {"type": "string", "description": text}}}
        more: dict[str, Any] = {keyword: {"a": inner}}
        return tool({"a": {"type": "string"}}, **more)

    assert report(with_words("x"), with_words("y")).wire != "breaking"
