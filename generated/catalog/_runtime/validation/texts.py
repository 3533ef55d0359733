# Copied by mcp-bindgen. Do not edit.
"""Python's dates, UUIDs, paths and decimals, for parameters whose format is theirs."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID

from ..errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = [
    "FORMATS",
    "DateLike",
    "DateTimeLike",
    "DecimalLike",
    "PathTextLike",
    "TimeLike",
    "UuidLike",
    "faults_of_texts",
    "with_texts",
]

DateLike: TypeAlias = str | date
"""A date: sent as "2026-01-31"."""

DateTimeLike: TypeAlias = str | datetime
"""A date and a time: sent as "2026-01-31T12:00:00+00:00", in its own time zone."""

TimeLike: TypeAlias = str | time
"""A time of day: sent as "12:00:00"."""

UuidLike: TypeAlias = str | UUID
"""A UUID: sent as "6f1c2b5e-3d7a-4a89-9c55-0d6a1b2c3d4e"."""

PathTextLike: TypeAlias = str | PurePath
"""A path: sent as the system writes it."""

DecimalLike: TypeAlias = str | Decimal
"""A decimal number in a text: sent as "12.50", without an exponent."""

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
        if format_ == "date" and isinstance(value, datetime):
            text = "must be a date, not a date and a time: pass value.date()"
            yield Fault(f"/{name}", "format", text, "a datetime")
        elif isinstance(value, Decimal) and not value.is_finite():
            yield Fault(f"/{name}", "format", "must be a finite number", "a Decimal")


def _text(value: object) -> str:
    """Return the text of a value of one of the classes in `FORMATS`."""
    if isinstance(value, (date, time)):
        return value.isoformat()
    return f"{value:f}" if isinstance(value, Decimal) else str(value)
