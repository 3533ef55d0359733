"""Bounds and an alias of a field stand in one annotation, which pydantic reads so."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import pytest
from mcp_bindgen.python.expressions import Expr, annotated, call, flat, literal, name
from mcp_bindgen.python.literals import PyName, WireStr
from mcp_bindgen.render.field_types import field_type
from mcp_bindgen.runtime.validation.models import Model
from mcp_bindgen.runtime.validation.scalars import MISSING, Integer, String
from mcp_bindgen.schema.ir import Field
from pydantic import Field as PydanticField
from pydantic import ValidationError

BOUNDED = annotated(name("String"), call("Field", min_length=literal(2)))


def required(type_: Expr) -> Field:
    return Field(PyName("eq"), WireStr("$eq"), type_, required=True, doc=WireStr(""))


def optional(type_: Expr) -> Field:
    return replace(required(type_), required=False)


TAGGED = annotated(name("A"), call("Field", discriminator=literal("kind")))
TAGGED_TEXT = (
    'Annotated[Annotated[A, Field(discriminator="kind")] | MISSING, '
    'Field(alias="$eq")]'
)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (required(name("String")), 'Annotated[String, Field(alias="$eq")]'),
        (required(BOUNDED), 'Annotated[String, Field(alias="$eq", min_length=2)]'),
        (
            optional(BOUNDED),
            'Annotated[String | MISSING, Field(alias="$eq", min_length=2)]',
        ),
        (optional(TAGGED), TAGGED_TEXT),
    ],
)
def test_the_annotation_of_a_renamed_field(field: Field, text: str) -> None:
    assert flat(field_type(field)) == text


class Bounded(Model):
    eq: Annotated[String | MISSING, PydanticField(alias="$eq", pattern="^a+$")] = (
        MISSING
    )
    limit: Annotated[Integer | MISSING, PydanticField(alias="$limit", ge=2)] = MISSING


@pytest.mark.parametrize("data", [{}, {"$eq": "aa"}, {"$limit": 2}])
def test_bounds_beside_an_alias_let_values_pass(data: dict[str, Any]) -> None:
    assert Bounded.model_validate(data).model_dump(exclude_unset=True) == data


@pytest.mark.parametrize("data", [{"$eq": "b"}, {"$limit": 1}, {"$eq": None}])
def test_bounds_beside_an_alias_refuse_values(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Bounded.model_validate(data)
