# Copied by mcp-bindgen. Do not edit.
"""The scalar types of JSON Schema: exact about kinds, plain to type checkers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

from pydantic import (
    GetCoreSchemaHandler,
    GetPydanticSchema,
    StrictBool,
    StrictStr,
)
from pydantic_core import PydanticCustomError, core_schema

from .strict_json import elements

if TYPE_CHECKING:
    from pydantic import MISSING
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
    "json_key",
]


def json_key(value: object) -> object:
    """Return a hashable stand-in for a JSON value, equal where the values are.

    1 equals 1.0, true is not 1, and the order of an object's members does not count
    (JSON Schema 2020-12 core, 4.2.2).
    """
    if isinstance(value, (bool, str)) or value is None:
        return (type(value), value)
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
        return (dict, frozenset((key, json_key(item)) for key, item in members))
    if isinstance(value, list):
        return (list, tuple(json_key(item) for item in cast("list[object]", value)))
    return (float, value)


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
    """Take any JSON number as it stands: 5 stays 5."""
    return core_schema.union_schema(
        [
            core_schema.int_schema(strict=True),
            core_schema.float_schema(strict=True, allow_inf_nan=False),
        ],
        mode="left_to_right",
        custom_error_type="float_type",
    )


class OneOf:
    """Takes one of the given JSON values, by JSON's own equality."""

    def __init__(self, *values: object) -> None:
        self._values = {json_key(value): value for value in values}

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(self._pick)

    def _pick(self, value: object) -> object:
        try:
            return self._values[json_key(value)]
        except (KeyError, TypeError):
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


Boolean = StrictBool
String = StrictStr
Integer = Annotated[int, GetPydanticSchema(_integer)]
Number = Annotated[float, GetPydanticSchema(_number)]
UNIQUE = GetPydanticSchema(_unique)
