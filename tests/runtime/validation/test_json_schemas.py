"""Models give pydantic's JSON Schema, as frameworks of web services want it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import jsonschema_rs
import pytest
from mcp_bindgen.runtime.validation.models import CamelModel
from mcp_bindgen.runtime.validation.scalars import (
    MISSING,
    UNIQUE,
    Boolean,
    Integer,
    Number,
    OneOf,
    String,
)
from pydantic import Field, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

MODES: tuple[JsonSchemaMode, ...] = get_args(JsonSchemaMode)


class Hit(CamelModel):
    """A hit of a search."""

    kind: Annotated[Literal[1, "b"], OneOf(1, "b", {"c": [1]})]
    max_size: Annotated[Integer, Field(ge=1, le=9)] | MISSING = MISSING
    score: Annotated[Number, Field(gt=0, lt=2)] | MISSING | None = MISSING
    """More than 0, less than 2."""
    scores: list[Annotated[Number, Field(ge=0, multiple_of=2)]] | MISSING = MISSING
    tags: Annotated[list[String], Field(max_length=2), UNIQUE] | MISSING = MISSING
    is_open: Boolean | MISSING = MISSING
    inner: Hit | MISSING = MISSING


PROPERTIES: dict[str, Any] = {
    "kind": {"enum": [1, "b", {"c": [1]}]},
    "maxSize": {"type": "integer", "minimum": 1, "maximum": 9},
    "score": {
        "anyOf": [
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 2},
            {"type": "null"},
        ]
    },
    "scores": {
        "type": "array",
        "items": {"type": "number", "minimum": 0, "multipleOf": 2},
    },
    "tags": {
        "type": "array",
        "items": {"type": "string"},
        "maxItems": 2,
        "uniqueItems": True,
    },
    "isOpen": {"type": "boolean"},
    "inner": {"$ref": "#/$defs/Hit"},
}


@pytest.mark.parametrize("mode", MODES)
def test_a_model_has_a_json_schema(mode: JsonSchemaMode) -> None:
    schema = Hit.model_json_schema(mode=mode)["$defs"]["Hit"]
    properties = schema["properties"]
    for each in properties.values():
        each.pop("title", None)
    assert properties == PROPERTIES
    assert schema["required"] == ["kind"]
    assert schema["additionalProperties"] is True


@pytest.mark.parametrize(
    "value",
    [
        {"kind": 1, "score": 1, "inner": {"kind": {"c": [1]}}},
        {"kind": "b", "maxSize": 9, "tags": ["a", "b"], "more": None},
    ],
)
def test_it_accepts_the_values_of_the_model(value: Any) -> None:
    schema = TypeAdapter(list[Hit]).json_schema()
    assert jsonschema_rs.is_valid(schema, [value])
    assert Hit.model_validate(value).model_dump() == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kind", 2),
        *(("maxSize", 1.5), ("maxSize", 10), ("maxSize", 0)),
        *(("score", "1"), ("score", 2), ("scores", [-1])),
        *(("tags", ["a", "a"]), ("tags", ["a", "b", "c"]), ("inner", {})),
    ],
)
def test_it_refuses_the_values_that_the_model_refuses(name: str, value: Any) -> None:
    whole = {"kind": 1, name: value}
    assert not jsonschema_rs.is_valid(TypeAdapter(list[Hit]).json_schema(), [whole])
    with pytest.raises(ValueError, match=name):
        Hit.model_validate(whole)
