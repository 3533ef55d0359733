# Copied by mcp-bindgen. Do not edit.
"""The scalar types of JSON Schema: exact about kinds, plain to type checkers."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

from pydantic import (
    GetCoreSchemaHandler,
    GetPydanticSchema,
    StrictBool,
    StrictStr,
)
from pydantic_core import PydanticCustomError, core_schema

from ..json_values import elements, json_key, nearest_number

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from pydantic import MISSING, GetJsonSchemaHandler, JsonValue
    from pydantic.json_schema import JsonSchemaValue

    _JsonSchema: TypeAlias = Callable[
        [core_schema.CoreSchema, GetJsonSchemaHandler], JsonSchemaValue
    ]
else:
    try:
        from pydantic import MISSING
    except ImportError:  # pydantic 2.12 and 2.13
        from pydantic.experimental.missing_sentinel import MISSING

__all__ = [
    "MISSING",
    "UNIQUE",
    "Boolean",
    "Integer",
    "Number",
    "OneOf",
    "String",
]

_BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}


def _integer(_source: object, _handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    """Take 5 and 5.0, refuse 5.5, true and "5"."""
    whole = core_schema.no_info_after_validator_function(
        _to_int, core_schema.float_schema(strict=True, allow_inf_nan=False)
    )
    return core_schema.union_schema(
        [core_schema.int_schema(strict=True), whole],
        mode="left_to_right",
        custom_error_type="int_type",
    )


def _to_int(value: float) -> int:
    if not value.is_integer():
        raise PydanticCustomError("int_type", "Input should be an integer")
    return int(value)


def _number(_source: object, _handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    """Take any JSON number unchanged: 5 stays 5."""
    return core_schema.union_schema(
        [
            core_schema.int_schema(strict=True),
            core_schema.float_schema(strict=True, allow_inf_nan=False),
        ],
        mode="left_to_right",
        custom_error_type="float_type",
    )


class OneOf:
    """Accepts the JSON values of a list, by JSON's own equality: 1 is 1.0, not true."""

    def __init__(self, *values: JsonValue) -> None:
        self._values = {json_key(value): value for value in values}

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self._pick)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"enum": [*self._values.values()]}

    def _pick(self, value: object) -> object:
        number = nearest_number(value) if isinstance(value, Decimal) else value
        try:
            return self._values[json_key(number)]
        except (KeyError, TypeError) as _:
            raise PydanticCustomError(
                "enum", "Input should be one of the allowed values"
            ) from None


def _unique(source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
    """Take an array without two equal elements."""
    inner = handler(source)
    return core_schema.no_info_before_validator_function(_check_unique, inner)


def _check_unique(value: object) -> object:
    items = elements(value)
    if len(set(map(json_key, items))) < len(items):
        raise PydanticCustomError("uniqueItems", "Input should have no equal elements")
    return value


def _json_type(name: str) -> _JsonSchema:
    """Return the writer of a type in pydantic's JSON Schema."""

    def write(
        schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        made = handler(schema)  # a union, with bounds by their names in Python
        bounds = {_BOUNDS[key]: made[key] for key in made if key in _BOUNDS}
        return {"type": name, **bounds}

    return write


def _json_unique(
    schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
) -> JsonSchemaValue:
    return {**handler(schema), "uniqueItems": True}


Boolean = StrictBool
String = StrictStr
Integer = Annotated[int, GetPydanticSchema(_integer, _json_type("integer"))]
Number = Annotated[float, GetPydanticSchema(_number, _json_type("number"))]
UNIQUE = GetPydanticSchema(_unique, _json_unique)
