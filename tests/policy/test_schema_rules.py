"""Rules on arguments, judged by the schema of the tool when the file is loaded."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.client.policy.errors import PolicyFileError
from mcp_bindgen.runtime.client.policy.read import parse

S: dict[str, Any] = {"type": "string"}
ID: dict[str, Any] = {**S, "pattern": "^[a-z0-9]+$"}
NO_TEXT = ("a$b", "(?i)a^", r"a\bb", r"a\B ", r"[^\s\S]", "(?:a|b$)c[]", "(?:x$){2}")
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
        (
            {
                "properties": {"a": S},
                "dependentSchemas": {"a": {"properties": {"b": S}}},
            },
            'arguments.b.fixed = "v"',
        ),
        ({"dependentSchemas": {"a": {"properties": {"b": S}}}}, "arguments.c.fixed=1"),
        (
            {
                "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}},
                "if": {"properties": {"b": {"const": True}}},
                "then": {"properties": {"a": {"maximum": 5}}},
            },
            "arguments.a.fixed = 9",
        ),
        (
            {"properties": {"a": {"anyOf": [{**S, "minLength": 4}, {"type": "null"}]}}},
            "arguments.a.max_length = 4",
        ),
        (
            {"properties": {"a": {"type": ["string", "array"], "minLength": 4}}},
            "arguments.a.max_length = 2",
        ),
        (
            {"properties": {"a": {"type": "integer", "maximum": 9}}},
            "arguments.a.allowed = [9, 10]",
        ),
        (
            {"properties": {"a": {"enum": ["/y/b", "/z"]}}},
            'paths.a.allowed = ["/y"]',
        ),
        ({"properties": {"a": S}}, r"arguments.a.pattern = '\ba\b|b$'"),
        ({"properties": {"a": ID}}, "arguments.a.pattern = '(?i)[A-Z]{2}'"),
        ({"properties": {"a": ID}}, "arguments.a.pattern = 'a.*|.*9'"),
        ({"properties": {"a": {**S, "pattern": "[0-9]"}}}, "arguments.a.pattern='a.'"),
        ({"properties": {"a": {**S, "pattern": "^a$|b"}}}, "arguments.a.pattern='xb'"),
        ({"properties": {"a": {**S, "pattern": "(?=x)y"}}}, "arguments.a.pattern='b'"),
        ({"properties": {"a": {**S, "minLength": 300}}}, "arguments.a.pattern='b{2}'"),
        (
            {"properties": {"a": {"anyOf": [ID, {"type": "integer"}]}}},
            'when = [{ arguments.a = ["7"], deny = true }]',
        ),
        ({"properties": {"a": ID}}, 'when = [{arguments.a = [" AB "], deny = true}]'),
        (
            {"properties": {"a": {**S, "pattern": "^/data/"}}},
            'paths.a.allowed = ["/", "/etc"]',
        ),
        ({"properties": {"a": {**S, "maxLength": 3}}}, 'arguments.a.pattern = "a{3,}"'),
        (
            {"properties": {"a": {"anyOf": [{**S, "maxLength": 2}, {"minLength": 9}]}}},
            'arguments.a.pattern = "a{3,}"',
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
        ({**S, "minLength": 4}, "arguments.a.max_length = 3"),
        ({"type": "array", "minItems": 2}, "arguments.a.max_length = 1"),
        (
            {"anyOf": [{**S, "minLength": 4}, {"type": "null"}]},
            "arguments.a.max_length = 3",
        ),
        (
            {"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]},
            "arguments.a.maximum = 4",
        ),
        ({"type": "integer", "maximum": 9}, "arguments.a.fixed = 10"),
        ({**S, "maxLength": 2}, 'arguments.a.pattern = "(?i)(?:ab|cd)e+"'),
        (
            {"anyOf": [{**S, "maxLength": 2}, {"type": "integer"}]},
            'arguments.a.pattern = "a{3,}"',
        ),
        ({"type": "integer", "maximum": 9}, "arguments.a.allowed = [10, 11]"),
        ({**S, "pattern": "^[a-z]+$"}, 'arguments.a.fixed = "A"'),
        ({"allOf": [{**S, "maxLength": 2}]}, 'arguments.a.allowed = ["abc"]'),
        (
            {"type": "object", "properties": {"b": {"multipleOf": 2}}},
            'arguments."/a/b".fixed = 3',
        ),
        (
            {"type": "integer", "maximum": 9},
            "when = [{ arguments.a = [10], deny = true }]",
        ),
        ({"enum": ["/x", "/y"]}, 'paths.a.allowed = ["/z"]'),
        ({"const": "../x"}, 'paths.a.forbidden = ["/z"]'),
        *((S, f"arguments.a.pattern = '{text}'") for text in NO_TEXT),
        *((S, f"secrets = ['{text}']") for text in NO_TEXT),
        *((S, f"results.mask = ['{text}']") for text in NO_TEXT),
        (S, "arguments.a = { pattern = 'abc|[0-9]{4,}', max_length = 2 }"),
        (ID, 'arguments.a.pattern = "[A-Z]+"'),
        (ID, 'arguments.a.pattern = ".*/.*"'),
        ({"anyOf": [ID, {"type": "null"}]}, 'arguments.a.pattern = "[A-Z]+"'),
        ({**S, "pattern": "[0-9]"}, 'arguments.a.pattern = "[^0-9]*"'),
        ({**S, "pattern": "^(?:a|b)c*$"}, 'arguments.a.pattern = "c+"'),
        ({**S, "minLength": 5}, 'arguments.a.pattern = "[a-z]{1,4}"'),
        ({**S, "pattern": "^[a-z]{5}$"}, "arguments.a.max_length = 4"),
        (ID, 'when = [{ arguments.a = ["a1!"], deny = true }]'),
        (
            {**S, "maxLength": 3},
            'when = [{ arguments.a = ["delete"], deny = true }]',
        ),
        (ID, 'paths.a.allowed = ["/data"]'),
        ({**S, "maxLength": 3}, 'paths.a.allowed = ["/data", "/etc/x"]'),
        (S, 'arguments = { a.max_length = 3, "/a".max_length = 4 }'),
        (S, "secrets = ['x*']"),
        (S, "timeout = 1e10"),
        (S, "rate = { per_minute = 1, burst = 10000000000000000000 }"),
        (S, "results.max_bytes = 63"),
        ({}, "arguments.a.fixed = { k = nan }"),
    ],
)
def test_a_rule_that_never_matches_is_refused(
    argument: dict[str, Any], entry: str
) -> None:
    with pytest.raises(PolicyFileError):
        load({"properties": {"a": argument}}, entry)
