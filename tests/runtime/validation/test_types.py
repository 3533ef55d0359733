"""The types of models: exact about kinds, equal as JSON is; residual validation."""

from __future__ import annotations

import importlib.util
import math
import sys
from types import SimpleNamespace
from typing import Annotated, Any

import pydantic
import pytest
from mcp_bindgen.runtime.errors import InvalidArgumentsError
from mcp_bindgen.runtime.protocol.messages import encode
from mcp_bindgen.runtime.validation import scalars
from mcp_bindgen.runtime.validation.checked import Checked
from mcp_bindgen.runtime.validation.models import Model, to_json
from mcp_bindgen.runtime.validation.scalars import (
    UNIQUE,
    Boolean,
    Integer,
    Number,
    OneOf,
    String,
)
from pydantic import Field, TypeAdapter, ValidationError

PICKED = OneOf(1, "a", None, [1, {"b": True}])


class Whole(Model):
    """Its first member may not stand without its second."""

    __residual__ = Checked('{"dependentRequired": {"first": ["second~/"]}}')

    first: Integer


class Part(Whole):
    """What derives from a checked model is not checked by its schema."""


def kind(hint: Any, value: object) -> object:
    """Return what a type makes of a value, or pydantic's names of the faults."""
    try:
        return TypeAdapter[Any](hint).validate_python(value)
    except ValidationError as error:
        return [detail["type"] for detail in error.errors()]


@pytest.mark.parametrize(
    ("hint", "value", "expected"),
    [
        (Integer, 5.0, 5),
        (Integer, 5.5, ["int_type"]),
        (Integer, True, ["int_type"]),
        (Integer, math.inf, ["int_type"]),
        (Number, 5, 5),
        (Number, "5", ["float_type"]),
        (Boolean, 1, ["bool_type"]),
        (String, b"a", ["string_type"]),
        (Annotated[Any, PICKED], 1.0, 1),
        (Annotated[Any, PICKED], None, None),
        (Annotated[Any, PICKED], [1.0, {"b": True}], [1, {"b": True}]),
        (Annotated[Any, PICKED], True, ["enum"]),
        (Annotated[Any, PICKED], [1, {"b": 1}], ["enum"]),
        (Annotated[Any, PICKED], {1, 2}, ["enum"]),
        (Annotated[list[Any], UNIQUE], [1, True, "1"], [1, True, "1"]),
        (Annotated[list[Any], UNIQUE], [{"a": 1}, {"a": 1.0}], ["uniqueItems"]),
        (Annotated[list[Any], UNIQUE], "11", ["list_type"]),
        (Annotated[list[int], UNIQUE], [{1}, [1]], ["int_type", "int_type"]),
    ],
)
def test_kinds_are_those_of_json(hint: Any, value: object, expected: object) -> None:
    made = kind(hint, value)
    assert (type(made), made) == (type(expected), expected)


def test_missing_is_imported_from_an_older_pydantic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = scalars.MISSING

    def absent(name: str) -> None:
        raise AttributeError(name)

    monkeypatch.delitem(vars(pydantic), "MISSING", raising=False)
    monkeypatch.setattr(pydantic, "__getattr__", absent)
    there = SimpleNamespace(MISSING=missing)
    monkeypatch.setitem(sys.modules, "pydantic.experimental.missing_sentinel", there)
    name = "mcp_bindgen.runtime.validation.older"
    spec = importlib.util.spec_from_file_location(name, scalars.__file__)
    assert spec is not None
    assert spec.loader is not None
    older = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(older)
    assert older.MISSING is missing


def test_residual_validation_names_location_and_rule() -> None:
    positive = TypeAdapter[Any](
        Annotated[Any, Checked('{"items": {"exclusiveMinimum": 0}}')]
    )
    assert positive.validate_python([1, 2]) == [1, 2]
    with pytest.raises(ValidationError) as caught:
        positive.validate_python([1, 0])
    (fault,) = caught.value.errors()
    assert fault["loc"] == ("1",)
    assert fault.get("ctx") == {
        "message": "must be more than 0",
        "rule": "exclusiveMinimum",
        "actual": "a number",
    }


def test_residual_validation_of_a_model_is_its_own() -> None:
    assert to_json(Whole(first=1, **{"second~/": 2})) == {"first": 1, "second~/": 2}
    with pytest.raises(ValidationError, match="must have the property second~/"):
        Whole(first=1)
    assert to_json(Part(first=1)) == {"first": 1}


class Unnamed(Model):
    """A property may have an empty name."""

    empty: Annotated[Integer, Field(alias="")]


def test_a_property_without_a_name_is_sent_without_one() -> None:
    assert to_json(Unnamed(empty=1)) == {"": 1}


def test_plain_lists_are_sent_as_they_are() -> None:
    plain: list[object] = [1, "a", None]
    assert to_json(plain) is plain


def test_what_has_no_json_form_is_left_to_who_writes_it() -> None:
    strange = {"a": [b"x"]}
    assert to_json(strange) == strange
    with pytest.raises(InvalidArgumentsError, match="no JSON form"):
        encode({"params": to_json(strange)})
