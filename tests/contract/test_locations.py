"""One change at each location of a schema: grades by hand, witnesses judged.

The grades of arguments and of results stand side by side, since each is the other read
backwards. jsonschema-rs judges the witnesses; each wire break must have one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import jsonschema_rs
import pytest
from mcp_bindgen.contract.model import ABSENT, worst

from tests.contract.changes import report

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_bindgen.contract.model import Change

Schema: TypeAlias = dict[str, Any]

GRADES = {"B": "breaking", "C": "compatible", "T": "text", "-": "none"}
SOME: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NOTHING: Schema = {"type": "null"}
ENUM: Schema = {"type": "string", "enum": ["a", "b"]}
UNION: Schema = {"anyOf": [SOME, {"type": "array", "items": SOME}]}


def obj(member: Any, *required: str, **more: Any) -> Schema:
    """Return an object whose member `m` changes; `k` stays."""
    properties = {"k": SOME, **({} if member is ABSENT else {"m": member})}
    return {"type": "object", "properties": properties, "required": [*required], **more}


def closed(member: Any, *required: str) -> Schema:
    return obj(member, *required, additionalProperties=False)


def around(inner: Schema, **more: Any) -> Schema:
    return {"type": "object", "properties": {"p": inner}, "required": ["p"], **more}


def tagged(schema: Schema, tag: str) -> Schema:
    properties = {**schema["properties"], "kind": {"const": tag, "type": "string"}}
    required = [*schema["required"], "kind"]
    return {**schema, "properties": properties, "required": required}


OTHER = tagged({"properties": {"n": WHOLE}, "required": ["n"], "type": "object"}, "b")
# A reference beside other members: a value must fit both.
SAME = {"type": "object", "properties": {"k": {"type": "string"}}}

LOCATIONS: dict[str, Callable[[Schema], Schema]] = {
    "root": lambda schema: schema,
    "nested": around,
    "items": lambda schema: around({"type": "array", "items": schema}),
    "map": lambda schema: around({"type": "object", "additionalProperties": schema}),
    "null": lambda schema: around({"anyOf": [schema, NOTHING]}),
    "union": lambda schema: around({"anyOf": [tagged(schema, "a"), OTHER]}),
    "one of": lambda schema: around({"oneOf": [tagged(schema, "a"), OTHER]}),
    "one of, with a reference": lambda schema: around(
        {"oneOf": [{**tagged(schema, "a"), "allOf": [{"$ref": "#/$defs/S"}]}, OTHER]},
        **{"$defs": {"S": SAME}},
    ),
    "definition": lambda schema: around(
        {"$ref": "#/$defs/A"}, **{"$defs": {"A": schema}}
    ),
    "two members": lambda schema: around({**around(schema), "minProperties": 2}),
}

# The old and the new object, and the grades of wire and source: arguments, results.
CHANGES: dict[str, tuple[Schema, Schema, str, str]] = {
    "new and required": (obj(ABSENT), obj(SOME, "m"), "BB", "CC"),
    "new, with a default": (
        *(obj(ABSENT), obj({**SOME, "default": "x"}, "m")),
        *("BB", "CC"),
    ),
    "new and optional": (obj(ABSENT), obj(SOME), "CC", "CC"),
    "new in a closed one": (closed(ABSENT), closed(SOME), "CC", "BC"),
    "gone, required": (obj(SOME, "m"), obj(ABSENT), "CB", "BB"),
    "gone, optional": (obj(SOME), obj(ABSENT), "CB", "CB"),
    "gone, closed": (closed(SOME), closed(ABSENT), "BB", "CB"),
    "now required": (obj(SOME), obj(SOME, "m"), "BB", "CC"),
    "now optional": (obj(SOME, "m"), obj(SOME), "CC", "BB"),
    "another type": (obj(SOME, "m"), obj(WHOLE, "m"), "BB", "BB"),
    "wider numbers": (
        *(obj(WHOLE, "m"), obj({"type": "number"}, "m")),
        *("CC", "BB"),
    ),
    "wider numbers in bounds": (
        obj({**WHOLE, "minimum": 1, "maximum": 2**53 - 1}, "m"),
        obj({"type": "number", "minimum": 1, "maximum": 2**53 - 1}, "m"),
        *("CC", "BB"),
    ),
    "narrower numbers in bounds": (
        obj({"type": "number", "minimum": 1, "maximum": 9}, "m"),
        obj({**WHOLE, "minimum": 1, "maximum": 9}, "m"),
        *("BB", "CC"),
    ),
    "null added": (
        *(obj(SOME, "m"), obj({"anyOf": [SOME, NOTHING]}, "m")),
        *("CC", "BB"),
    ),
    "null removed": (
        *(obj({"type": ["string", "null"]}, "m"), obj(SOME, "m")),
        *("BB", "CC"),
    ),
    "a value added": (
        *(obj(ENUM, "m"), obj({**ENUM, "enum": ["a", "b", "c"]}, "m")),
        *("CC", "BB"),
    ),
    "a value removed": (
        *(obj(ENUM, "m"), obj({**ENUM, "enum": ["b"]}, "m")),
        *("BB", "CC"),
    ),
    "values imposed": (obj(SOME, "m"), obj(ENUM, "m"), "BB", "CC"),
    "values lifted": (obj(ENUM, "m"), obj(SOME, "m"), "CC", "BB"),
    "a bound": (obj(WHOLE, "m"), obj({**WHOLE, "maximum": 7}, "m"), "BC", "CC"),
    "no bound": (obj({**SOME, "maxLength": 3}, "m"), obj(SOME, "m"), "CC", "BC"),
    "a pattern": (
        obj(SOME, "m"),
        obj({**SOME, "pattern": "^[a-f]{3}$"}, "m"),
        "BC",
        "CC",
    ),
    "another pattern": (
        obj({**SOME, "pattern": "^a+$"}, "m"),
        obj({**SOME, "pattern": "^b+$"}, "m"),
        *("BC", "BC"),
    ),
    "a format": (obj(SOME, "m"), obj({**SOME, "format": "uri"}, "m"), "CC", "CC"),
    "fewer elements": (
        obj({"type": "array", "items": SOME}, "m"),
        obj({"type": "array", "items": SOME, "maxItems": 2}, "m"),
        *("BC", "CC"),
    ),
    "other elements": (
        obj({"type": "array", "items": SOME}, "m"),
        obj({"type": "array", "items": WHOLE}, "m"),
        *("BB", "BB"),
    ),
    "a member of a union gone": (obj(UNION, "m"), obj(SOME, "m"), "BB", "CC"),
    "closed": (
        obj(SOME, "m", additionalProperties=True),
        closed(SOME, "m"),
        "B?",
        "C?",
    ),
    "opened": (closed(SOME, "m"), obj(SOME, "m"), "CC", "CC"),
    "another default": (
        obj({**SOME, "default": "x"}),
        obj({**SOME, "default": "y"}),
        *("CC", "CC"),
    ),
    "other words": (obj(SOME), obj({**SOME, "description": "W"}), "TT", "TT"),
    "null in a list": (
        *(obj({"anyOf": [SOME, NOTHING]}), obj({"type": ["null", "string"]})),
        *("--", "--"),
    ),
    "a type that is excluded twice": (
        obj(SOME, "m"),
        obj({**SOME, "not": {"type": ["integer", "null"]}}, "m"),
        *("--", "--"),
    ),
    "one constant": (obj({"const": "a"}), obj({"enum": ["a"]}), "--", "--"),
    "an exclusive bound": (
        obj({**WHOLE, "minimum": 1}),
        obj({**WHOLE, "exclusiveMinimum": 0}),
        *("--", "--"),
    ),
}


def tool(name: str, side: str, schema: Schema) -> Schema:
    return {"name": name, "inputSchema": {"type": "object"}, side: schema}


def check_witnesses(side: str, old: Schema, new: Schema, changes: list[Change]) -> None:
    valid, refused = (old, new) if side == "inputSchema" else (new, old)
    for change in changes:
        if change.wire == "breaking":
            assert change.witness is not ABSENT, (change, valid)
            assert jsonschema_rs.is_valid(valid, change.witness)
            assert not jsonschema_rs.is_valid(refused, change.witness)


@pytest.mark.parametrize("where", LOCATIONS)
@pytest.mark.parametrize("side", ["inputSchema", "outputSchema"])
def test_changes_have_their_grades_everywhere(side: str, where: str) -> None:
    put = LOCATIONS[where]
    tools = [
        [tool(name, side, put(old)) for name, (old, _, _, _) in CHANGES.items()],
        [tool(name, side, put(new)) for name, (_, new, _, _) in CHANGES.items()],
    ]
    compared, wrong = report(*tools), list[str]()
    for name, (old, new, *expected) in CHANGES.items():
        changes = [change for change in compared.changes if change.tool == name]
        check_witnesses(side, put(old), put(new), changes)
        grades = expected[side == "outputSchema"]
        wire = worst(change.wire for change in changes)
        source = worst(change.source for change in changes)
        is_right = wire == GRADES[grades[0]] and source == GRADES.get(grades[1], source)
        wrong += [] if is_right else [f"{name}: {wire}, {source}"]
    assert not wrong


def test_a_member_that_another_one_covers_breaks_nothing() -> None:
    """Each value of the strict member fits the open one, before and after."""
    free: Schema = {"type": "object", "properties": {"m": {}, "k": {}}}
    old, new = (around({"anyOf": [obj(schema, "m"), free]}) for schema in (SOME, WHOLE))
    for side in ("inputSchema", "outputSchema"):
        compared = report(tool("t", side, old), tool("t", side, new))
        assert compared.wire == "none"
        assert compared.source == "breaking"


TIME = {"type": "integer", "minimum": 300, "maximum": 3600}
KIND = {"const": "a"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Only a time above 3600 is for the first member alone.
        pytest.param(
            {
                "anyOf": [
                    around({**TIME, "maximum": 86400}, required=["p", "m"]),
                    around(TIME),
                ]
            },
            {"anyOf": [around({**TIME, "maximum": 86400}), around(TIME)]},
            id="what is around the change decides",
        ),
        # A name that only one side declares, in an object of two members at least.
        pytest.param(
            {"type": "object", "properties": {"a": SOME}},
            {"type": "object", "additionalProperties": WHOLE, "minProperties": 2},
            id="a member that was declared",
        ),
        # A member that is a constant where it is, and no member at all elsewhere.
        pytest.param(
            {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"kind": KIND, "k": SOME},
                        "required": ["k"],
                    },
                    {"type": "object", "properties": {"kind": {"const": "b"}}},
                ]
            },
            {
                "oneOf": [
                    {"type": "object", "properties": {"k": SOME}, "required": ["k"]},
                    {"type": "object", "properties": {"kind": {"const": "b"}}},
                ]
            },
            id="a tag that is gone",
        ),
        pytest.param(
            {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"kind": KIND, "k": SOME},
                        "required": ["k"],
                    },
                    {"type": "object", "properties": {"kind": {"const": "b"}}},
                ]
            },
            {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"kind": KIND, "k": SOME},
                        "required": ["k", "kind"],
                    },
                    {"type": "object", "properties": {"kind": {"const": "b"}}},
                ]
            },
            id="a tag that is required",
        ),
    ],
)
def test_a_break_within_a_union_has_a_witness(old: Schema, new: Schema) -> None:
    side, (before, after) = "outputSchema", map(around, (old, new))
    compared = report(tool("t", side, before), tool("t", side, after))
    assert compared.wire == "breaking"
    check_witnesses(side, before, after, [*compared.changes])
