"""No annotation has another inside: a part with bounds of its own has a name."""

from __future__ import annotations

import ast
import os
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.models import expected, generated, module_of, verdicts
from tests.strategies import documents, schemas

pytestmark = pytest.mark.usefixtures("package")

WORD = {"type": "string", "minLength": 2}
WORDS = {"type": "array", "items": WORD, "maxItems": 2}
LISTS = {"type": "array", "items": WORDS, "maxItems": 1}
# A bounded mapping whose keys and values have bounds.
TABLE = {
    "type": "object",
    "propertyNames": {"pattern": "^[a-z]+$"},
    "additionalProperties": {"type": "integer", "minimum": 3},
    "maxProperties": 1,
}
TREE = {
    "type": "object",
    "properties": {"kind": {"const": "tree"}, "$of": {"$ref": "#/$defs/plant"}},
    "required": ["kind"],
}
BUSH = {
    "type": "object",
    "properties": {"kind": {"const": "bush"}},
    "required": ["kind"],
}
PLANTS = {"plant": {"oneOf": [TREE, BUSH]}}


def written(input_schema: dict[str, Any], output_schema: object) -> str:
    tool = {"name": "t", "inputSchema": input_schema, "outputSchema": output_schema}
    return generated(tool)["tools/t.py"]


def arguments(**properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def is_annotated(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Annotated"


def nested(source: str) -> list[str]:
    outer = [node for node in ast.walk(ast.parse(source)) if is_annotated(node)]
    return [
        ast.unparse(node)
        for node in outer
        if any(is_annotated(inner) for inner in ast.walk(node) if inner is not node)
    ]


@pytest.mark.parametrize(
    ("schema", "definitions"),
    [
        (arguments(words=WORDS), ["_Word: TypeAlias = "]),
        (arguments(words=WORDS, lines=WORDS), ["_BoundedString: TypeAlias = "]),
        (arguments(rows=LISTS), ["_RowItem: TypeAlias = ", "_Row: TypeAlias = "]),
        (arguments(table=TABLE), ["_TableKey: ", "_TableValue: "]),
        (arguments(**{"$is": LISTS}), ["_IsItemItem: ", "_IsItem: "]),
        (arguments(words=WORDS, tags={**LISTS, "items": WORDS}), ["_Tag: "]),
    ],
)
def test_a_part_is_called_after_its_location(
    schema: dict[str, Any], definitions: list[str]
) -> None:
    source = written(schema, {})
    starts = [source.find(f"\n{definition}") for definition in definitions]
    assert -1 not in starts
    assert starts == sorted(starts)
    assert max(starts) < source.index("\nclass ")
    assert nested(source) == []


def test_a_part_stands_after_the_classes_that_it_names() -> None:
    schema = {**arguments(**{"$root": {"$ref": "#/$defs/plant"}}), "$defs": PLANTS}
    source = written(schema, {})
    assert nested(source) == []
    bush = {"kind": "bush"}
    values = [{"$root": {"kind": "tree", "$of": bush}}, {"$root": bush}]
    values += [{"$root": {"kind": "tree", "$of": {"kind": "fern"}}}, {"$root": {}}]
    module, stem = module_of(schema, schema)
    accepts = jsonschema_rs.validator_for(schema).is_valid
    for role in ("Arguments", "Result"):
        type_ = getattr(module, stem + role)
        assert verdicts(type_, values) == [expected(accepts, v) for v in values]


def test_a_parameter_says_the_type_and_not_the_name() -> None:
    source = written(arguments(words=WORDS), {})
    assert "    words: list[str] | MISSING = MISSING,\n" in source
    assert '"_Word"' not in source


@settings(max_examples=int(os.environ.get("MCP_BINDGEN_EXAMPLES", "100")))
@given(
    documents(), schemas([], draft_7=False), st.sampled_from(["x", "$x", "some-words"])
)
def test_no_schema_makes_one_inside_another(
    document: dict[str, Any], schema: object, wire: str
) -> None:
    whole = {**document, "type": "object"}
    assert nested(written(whole, document)) == []
    assert nested(written(arguments(**{wire: schema}), {})) == []
