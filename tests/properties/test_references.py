"""Models of schemas with references."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from tests.properties.models import agree, expected, module_of, verdicts
from tests.strategies import HOMES

pytestmark = pytest.mark.usefixtures("package")


REF = {"$ref": "#/$defs/d"}
INSIDE = {"a": {"$ref": "#/$defs/e"}}
HOME = {"$id": "http://a/x", "type": "object", "properties": INSIDE}
TARGETS: list[dict[str, Any]] = [
    {"type": "object", "properties": {"a": {}}, "not": {"required": ["a"]}},
    {"type": "object", "dependentRequired": {"a": ["b"]}},
    {**HOME, "$defs": {"e": {"type": "string"}}},
]


@pytest.mark.parametrize("target", TARGETS, ids=repr)
@pytest.mark.parametrize("root", [REF, {"allOf": [REF, {"type": "object"}]}], ids=repr)
def test_a_root_is_what_it_refers_to(
    root: dict[str, Any], target: dict[str, Any]
) -> None:
    schema = {**root, "$defs": {"d": target, "e": {"type": "integer"}}}
    module, stem = module_of(schema, schema)
    accepts = jsonschema_rs.validator_for(schema).is_valid
    values: list[Any] = [{}, {"a": 1}, {"a": "x"}, {"a": 1, "b": 1}, {"b": 1}]
    for class_ in (f"{stem}Arguments", f"{stem}Result"):
        type_ = getattr(module, class_)
        accepted = verdicts(type_, values)
        assert accepted == [expected(accepts, value) for value in values], class_


@pytest.mark.parametrize("home", HOMES)
def test_grouped_definitions_stay(home: str) -> None:
    inner = {"type": "object", "minProperties": 1}
    outer = {"properties": {"a": {"$ref": f"#/{home}/inner"}}, "maxProperties": 2}
    group: dict[str, Any] = {"inner": inner, "outer": {"type": "object", **outer}}
    group["unused"] = {"type": "object", "properties": {"x": {"const": "unused"}}}
    definitions: Any = group
    for step in reversed(home.split("/")):
        definitions = {step.replace("~1", "/"): definitions}
    # A property of that name is no definition.
    root = {"type": "object", "properties": {"components": True}}
    whole = {"anyOf": [{"$ref": f"#/{home}/outer"}, {"type": "integer"}], "not": False}
    schema = {**definitions, **root, "not": {"required": ["z"]}, "allOf": [whole]}
    del schema["type"]
    agree(schema, [{"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}, "z": 1}, 1, "text"])
    module, stem = module_of(schema, schema)
    ends = ("Arguments", "Result")
    texts: list[object] = [getattr(module, f"{stem}{end}") for end in ends]
    assert not any("unused" in repr(vars(text)) for text in texts if text)


INTO_PARTS = [
    "#/properties/x/properties/y",
    "#/properties/x/anyOf/0",
    "#/prefixItems/1",
    "#/x-list/1",
    "#/x-list/1/properties/y",
    "#/%24defs/a%25b",
]


@pytest.mark.parametrize("reference", INTO_PARTS)
def test_references_into_parts_of_a_schema(reference: str) -> None:
    thing = {"type": "object", "properties": {"y": {"type": "string"}}}
    schema = {
        "properties": {
            "x": {**thing, "anyOf": [thing]},
            "z": {"$ref": reference},
        },
        "prefixItems": [True, thing],
        "x-list": [1, thing],
        "$defs": {"a%b": thing},
        "not": {"required": ["never"]},
    }
    agree(schema, [{"z": {"y": "t"}}, {"z": {"y": 1}}, {"z": "t"}, {"never": 1}, 1])
