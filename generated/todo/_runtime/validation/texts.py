# Copied by mcp-bindgen. Do not edit.
"""Python's dates, UUIDs, paths and decimals, for texts whose format is theirs."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast
from uuid import UUID

from ..errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic_core import core_schema

__all__ = [
    "FORMATS",
    "DateLike",
    "DateTimeLike",
    "DecimalLike",
    "PathTextLike",
    "TextOf",
    "TimeLike",
    "UuidLike",
    "faults_of_texts",
    "texts_of",
    "with_texts",
]

FORMATS: Mapping[str, type[Any]] = {
    "date": date,
    "date-time": datetime,
    "time": time,
    "uuid": UUID,
    "path": PurePath,
    "file-path": PurePath,
    "directory-path": PurePath,
    "decimal": Decimal,
}
"""`format` of JSON Schema to the class of such texts in Python."""

_CLASSES = (*FORMATS.values(),)


class TextOf:
    """Reads a value of Python's class for a format as its text.

    Use it in `Annotated`: `Annotated[str | date, TextOf("date")]`.

    Args:
        format_: One of `FORMATS`.
    """

    def __init__(self, format_: str) -> None:
        self._format = format_

    def __get_pydantic_core_schema__(
        self, source: object, handler: object
    ) -> core_schema.CoreSchema:
        from pydantic_core import core_schema  # the generator only reads `FORMATS`

        text = core_schema.str_schema(strict=True)
        written = core_schema.plain_serializer_function_ser_schema(self._written)
        return core_schema.no_info_before_validator_function(
            self._read, text, serialization=written
        )

    def _written(self, value: object) -> object:
        """Return the text of a value that a program assigned; a wrong one stays."""
        fits = isinstance(value, FORMATS[self._format])
        return _text(value) if fits and not _why_not(self._format, value) else value

    def _read(self, value: object) -> object:
        if not isinstance(value, FORMATS[self._format]):
            return value
        if reason := _why_not(self._format, value):
            from pydantic_core import PydanticCustomError

            context = {"message": reason, "rule": "format", "actual": _kind(value)}
            raise PydanticCustomError("schema", "{message}", context)
        return _text(value)


DateLike: TypeAlias = Annotated[str | date, TextOf("date")]
"""A date: sent as "2026-01-31"."""

DateTimeLike: TypeAlias = Annotated[str | datetime, TextOf("date-time")]
"""A time with its time zone, which RFC 3339 needs: "2026-01-31T12:00:00+00:00"."""

TimeLike: TypeAlias = Annotated[str | time, TextOf("time")]
"""A time of day: sent as "12:00:00", with its time zone if it has one."""

UuidLike: TypeAlias = Annotated[str | UUID, TextOf("uuid")]
"""A UUID: sent as "6f1c2b5e-3d7a-4a89-9c55-0d6a1b2c3d4e"."""

PathTextLike: TypeAlias = Annotated[str | PurePath, TextOf("path")]
"""A path: sent as the system writes it."""

DecimalLike: TypeAlias = Annotated[str | Decimal, TextOf("decimal")]
"""A decimal number in a text: sent as "12.50", without an exponent."""


def with_texts(
    arguments: Mapping[str, object], formats: Mapping[str, str]
) -> dict[str, object]:
    """Return arguments with texts in place of dates, UUIDs and the like.

    Args:
        arguments: Wire name to value.
        formats: Wire name to the `format` of the parameter, one of `FORMATS`.
    """
    texts = {
        name: _text(arguments[name])
        for name, format_ in formats.items()
        if isinstance(arguments.get(name), FORMATS[format_])
    }
    return {**arguments, **texts}


def faults_of_texts(
    arguments: Mapping[str, object], formats: Mapping[str, str]
) -> Iterator[Fault]:
    """Yield a fault for each value whose text would not have the format.

    Args:
        arguments: Wire name to value.
        formats: Wire name to the `format` of the parameter, one of `FORMATS`.
    """
    for name, format_ in formats.items():
        value = arguments.get(name)
        if reason := _why_not(format_, value):
            yield Fault(f"/{name}", "format", reason, _kind(value))


def texts_of(value: object) -> object:
    """Return JSON in which values of the classes in `FORMATS` are their texts."""
    if isinstance(value, dict):
        members = cast("dict[str, object]", value).items()
        return {key: texts_of(item) for key, item in members}
    if isinstance(value, list):
        return [texts_of(item) for item in cast("list[object]", value)]
    return _text(value) if isinstance(value, _CLASSES) else value


def _why_not(format_: str, value: object) -> str:
    """Return why the text of a value would not have the format, "" if it has."""
    if format_ == "date" and isinstance(value, datetime):
        return "must be a date, not a date and a time: pass value.date()"
    zoneless = isinstance(value, datetime) and value.utcoffset() is None
    if format_ == "date-time" and zoneless:
        return "must have a time zone: pass value.astimezone() if it is local time"
    if isinstance(value, (datetime, time)):
        offset = value.utcoffset()
        if offset is None and value.tzinfo is not None:
            return "must have a fixed offset, as timezone.utc has"
        if offset is not None and offset.total_seconds() % 60:
            return "must have an offset of whole minutes, as RFC 3339 says"
    is_number = not isinstance(value, Decimal) or value.is_finite()
    return "" if is_number else "must be a finite number"


def _kind(value: object) -> str:
    return f"a {type(value).__name__}"


def _text(value: object) -> str:
    """Return the text of a value of one of the classes in `FORMATS`."""
    if isinstance(value, (date, time)):
        return value.isoformat()
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
