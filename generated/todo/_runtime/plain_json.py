# Copied by mcp-bindgen. Do not edit.
"""Writes usual JSON at the speed of pydantic's own writer.

`strict_json` decides about unusual values. There is no such reader: the search for
repeated keys would take all the time that it saves.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from operator import methodcaller
from typing import TYPE_CHECKING, Any

from . import limits
from .strict_json import dumps, has_many_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["encoded", "is_plain", "written"]

_TEXT = frozenset({str})
_KINDS = frozenset({dict, list})
_SCALARS = frozenset({str, int, float, bool, type(None)})
_FEW = 50
_values: Callable[[Any], Iterable[Any]] = methodcaller("values")


def encoded(value: object) -> bytes:
    """Return a value as compact UTF-8 JSON to send; many times faster than `dumps`.

    Versions of pydantic spell some numbers in other ways, 1e16 for 1e+16, so it is not
    for texts that are compared.

    Raises:
        StrictJsonError: As `dumps` does.
    """
    text = written(value)
    return dumps(value) if text is None else text


def written(value: object) -> bytes | None:
    """Return a value as compact UTF-8 JSON; None where it may have no JSON form."""
    try:
        text = _to_json()(value)
    except (RecursionError, TypeError, ValueError) as _:
        return None
    # It writes bytes, dates and more, which JSON has no form for.
    plain = is_plain(value) and not _has_constant(text)
    return text if plain and not has_many_digits(text) else None


def _has_constant(text: bytes) -> bool:
    """Return whether a text has NaN or Infinity; a search for one letter is fast."""
    has_nan = b"N" in text and b"NaN" in text
    return has_nan or (b"I" in text and b"Infinity" in text)


def is_plain(value: object) -> bool:
    """Return whether a value is JSON of Python's own classes, within the depth.

    For a recursive value, the answer may be either.
    """
    containers: list[Any] = [[value]]
    for item in containers:  # which grows meanwhile
        kind, values = item.__class__, item
        if kind is dict:
            if not _TEXT.issuperset(map(type, item)):
                return False
            values = _values(item)
        elif kind is not list:
            return False
        if not _SCALARS.issuperset(map(type, values)):
            containers += [one for one in values if type(one) not in _SCALARS]
            if len(containers) > _FEW:
                return _is_plain_by_levels(value)
    return True


def _is_plain_by_levels(value: object) -> bool:
    """Look at whole levels at once: no step of Python for each container."""
    level: list[Any] = [value]
    for _ in range(limits.JSON_DEPTH):
        kinds = {*map(type, level)}
        if not kinds <= _KINDS or len(level) > limits.JSON_VALUES:
            return False
        objects = [one for one in level if one.__class__ is dict]
        if not _TEXT.issuperset(map(type, chain.from_iterable(objects))):
            return False
        values = [*chain.from_iterable(map(_values, objects))]
        values += chain.from_iterable(one for one in level if one.__class__ is list)
        if _SCALARS.issuperset(map(type, values)):
            return True
        level = [one for one in values if type(one) not in _SCALARS]
    return False


@cache
def _to_json() -> Callable[..., bytes]:
    from pydantic_core import to_json  # some programs only import

    return to_json
