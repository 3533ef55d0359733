"""Rules on arguments, judged by the schema of the tool when the file is loaded."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.client.policy.errors import PolicyFileError
from mcp_bindgen.runtime.client.policy.read import parse

S: dict[str, Any] = {"type": "string"}
NAMED = {"$defs": {"F G": S, "A": {**S, "$anchor": "foo"}}}


def load(schema: dict[str, Any], entry: str) -> None:
    """Load a policy for the tool t with a schema."""
    text = f'format = "mcp-bindgen-policy/1"\n[tools.t]\n{entry}\n'
    parse(text.encode(), "p.toml", {"t": {"type": "object", **schema}})


@pytest.mark.parametrize(
    ("schema", "entry"),
    [
        ({"properties": {"a": {"$ref": "#foo"}}, **NAMED}, 'arguments.a.fixed = "v"'),
        (
            {"properties": {"a": {"$ref": "#/$defs/F%20G"}}, **NAMED},
            'arguments.a.fixed = "v"',
        ),
        (
            {
                "properties": {
                    "m": {
                        "type": "object",
                        "properties": {"id": {"type": "integer"}},
                        "additionalProperties": S,
                    }
                }
            },
            'arguments."/m/*".pattern = "v"',
        ),
        (
            {"patternProperties": {"^x-": S}, "additionalProperties": {}},
            'arguments."x-a".fixed = "v"',
        ),
        (
            {"properties": {"a": S}, "additionalProperties": True},
            'arguments.b.fixed = "v"',
        ),
        (
            {"properties": {"a": S}, "unevaluatedProperties": S},
            "arguments.b.fixed = 'v'",
        ),
        (
            {"properties": {"a": {"enum": ["delete"]}}},
            'when = [{ arguments.a = ["Delete"], deny = true }]',
        ),
        (
            {"properties": {"a": {"type": "integer", "minimum": 5}}},
            "arguments.a.maximum = 5",
        ),
    ],
)
def test_a_rule_that_may_match_is_loaded(schema: dict[str, Any], entry: str) -> None:
    load(schema, entry)


@pytest.mark.parametrize(
    ("argument", "entry"),
    [
        ({"type": "integer", "exclusiveMinimum": 5}, "arguments.a.maximum = 5"),
        ({"enum": [10, 20]}, "arguments.a.maximum = 5"),
        ({"enum": ["a", "b"]}, 'arguments.a.pattern = "x+"'),
        ({"enum": ["abc"]}, "arguments.a.max_length = 1"),
        (S, 'arguments.a.fixed = "/x"\npaths."/a".allowed = ["/y"]'),
        ({}, "arguments.a.fixed = [1979-05-27]"),
        ({}, "arguments.a.fixed = { k = nan }"),
    ],
)
def test_a_rule_that_never_matches_is_refused(
    argument: dict[str, Any], entry: str
) -> None:
    with pytest.raises(PolicyFileError):
        load({"properties": {"a": argument}}, entry)
