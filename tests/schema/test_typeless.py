"""Schemas that give a shape and no type: a class for objects, and other values pass."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.python.expressions import flat
from mcp_bindgen.schema.compile import compile_result
from mcp_bindgen.schema.ir import Alias, Object

OTHERS = "list[Any] | String | Number | Boolean | None"
PART = {"properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}}}}


def types(schema: dict[str, Any]) -> dict[str, str]:
    """Return the types of a result: a name and its type, or the types of its fields."""
    made = compile_result(schema, "Show", frozenset())
    assert not made.notes
    return {
        str(type_.name): (
            flat(type_.type)
            if isinstance(type_, Alias)
            else ", ".join(flat(field.type) for field in type_.fields)
        )
        for type_ in made.types
    }


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"properties": {"a": {"type": "integer"}}}, f"Show | {OTHERS}"),
        (
            {"items": {"type": "integer"}},
            f"dict[str, Any] | {OTHERS.replace('Any', 'Integer')}",
        ),
    ],
)
def test_other_values_pass(schema: dict[str, Any], expected: str) -> None:
    assert types(schema)["ShowResult"] == expected


def test_a_class_that_holds_itself_needs_no_other_name() -> None:
    schema = {
        "type": "object",
        "properties": {"part": {"$ref": "#/$defs/Part"}},
        "$defs": {"Part": PART},
    }
    assert types(schema) == {
        "Part": f"list[Part | {OTHERS}]",
        "ShowResult": f"Part | {OTHERS}",
    }


def test_a_type_that_holds_itself_outside_of_classes_has_a_name() -> None:
    tree = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Tree"}}, PART]}
    schema = {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/Tree"}},
        "$defs": {"Tree": tree, "Part": PART},
    }
    named = compile_result(schema, "Show", frozenset()).types
    assert [str(t.name) for t in named if isinstance(t, Alias) and t.recursive]


@pytest.mark.parametrize(
    ("wires", "base"),
    [
        (("maxAge", "repoURL", "minAge"), "CamelModel"),
        (("from", "list", "None"), "Model"),
        (("from", "maxAge"), "CamelModel"),
        (("max-age", "min-age", "minAge"), "KebabModel"),
        (("a", "b", "_meta"), "Model"),
    ],
)
def test_a_base_says_the_rule_of_most_names(wires: tuple[str, ...], base: str) -> None:
    properties = {wire: {"type": "string"} for wire in wires}
    schema = {"type": "object", "properties": properties}
    made = compile_result(schema, "Show", frozenset()).root
    assert isinstance(made, Object)
    assert made.base == base
