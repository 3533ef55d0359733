"""A class that the server does not describe says where its objects stand."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

ITEM: dict[str, Any] = {"type": "object", "properties": {"id": {"type": "integer"}}}


def docs(input_schema: dict[str, Any], **more: object) -> dict[str, str]:
    """Return class to docstring in the module of a tool."""
    tool = {"name": "get", "inputSchema": {"type": "object", **input_schema}, **more}
    data = json.dumps({"tools": [tool]}).encode()
    source = generate(data, "x", Settings(("python",))).files["tools/get.py"]
    classes = (n for n in ast.parse(source).body if isinstance(n, ast.ClassDef))
    texts = {node.name: ast.get_docstring(node) or "" for node in classes}
    return {name: " ".join(text.split()) for name, text in texts.items()}


def inner(schema: dict[str, Any]) -> str:
    """Return the docstring of the only class below the arguments."""
    docstrings = docs(schema)
    (name,) = docstrings.keys() - {"GetArguments"}
    return docstrings[name]


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"a": ITEM}, "a"),
        ({"a": {"type": "array", "items": ITEM}}, "a[]"),
        ({"a": {"type": "object", "additionalProperties": ITEM}}, "a.*"),
        ({"a": {"anyOf": [ITEM, {"type": "null"}]}}, "a"),
        ({"a b": ITEM}, '["a b"]'),
        ({"`x`": ITEM}, '["\\u0060x\\u0060"]'),
        ({"\u202ex\n": ITEM}, '["\\u202ex\\n"]'),
        ({'"""': ITEM}, '["\\"\\"\\""]'),
        ({"x" * 100: ITEM}, f'["{"x" * 60}..."]'),
        ({"\u202e" * 100: ITEM}, "[...]"),
    ],
)
def test_a_path_leads_to_the_class(schema: dict[str, Any], path: str) -> None:
    assert inner({"properties": schema}) == f"`{path}` in the arguments of `get`."


def test_the_nearest_of_several_paths_is_named() -> None:
    schema: dict[str, Any] = {
        "$defs": {"Node": {**ITEM, "properties": {"next": {"$ref": "#/$defs/Node"}}}},
        "properties": {
            "far": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            "near": {"$ref": "#/$defs/Node"},
        },
    }
    assert inner(schema) == "`far[]` in the arguments of `get`."


def test_of_a_long_path_the_end_is_named() -> None:
    schema: dict[str, Any] = ITEM
    for number in range(20):
        schema = {"type": "object", "properties": {f"member_{number}": schema}}
    texts = [*docs({"properties": {"a": schema}}).values()]
    longest = max(texts, key=len)
    assert longest.startswith("`...member_") or "`...member_" in "".join(texts)
    assert all(len(text.partition("`")[2].partition("`")[0]) < 80 for text in texts)


def test_a_result_and_its_forms_are_named() -> None:
    other = {"type": "object", "properties": {"error": {"type": "string"}}}
    schema: dict[str, Any] = {"type": "object", "properties": {"hits": ITEM}}
    assert docs({}, outputSchema=schema)["GetResult"] == "Result of `get`."
    closed = [{**s, "additionalProperties": False} for s in (ITEM, other)]
    forms = docs({}, outputSchema={"anyOf": closed})
    assert [*forms.values()].count("One form of the result of `get`.") == 2
