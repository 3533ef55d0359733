# Copied by mcp-bindgen. Do not edit.
"""Looks at JSON values: members and elements, and which values are equal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sized
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable
    from decimal import Decimal

__all__ = ["SCALARS", "are_scalars", "elements", "hashable", "json_key", "members"]
__all__ += ["kind_of", "nearest_number", "number_key"]

SCALARS = frozenset({str, int, float, bool, type(None)})
"""Python's own classes of JSON values without parts."""

_SIZED = (
    (str, "a string", "character"),
    ((list, tuple), "an array", "element"),
    (Mapping, "an object", "member"),
)
_LARGEST_EXPONENT = 308  # of a float


def members(value: object) -> dict[str, Any]:
    """Return a JSON object, or an empty one in place of anything else."""
    json: Any = value  # no cast: each call has several
    return json if isinstance(value, dict) else {}


def elements(value: object) -> list[Any]:
    """Return a JSON array, or an empty one in place of anything else."""
    json: Any = value
    return [*json] if isinstance(value, list) else []


def kind_of(value: object) -> str:
    """Return the kind and the size of a JSON value, never the value."""
    for kind, name, part in _SIZED:
        if isinstance(value, kind):
            size = len(cast("Sized", value))
            return f"{name} of {size} {part}" + "s" * (size != 1)
    names: dict[type, str] = {type(None): "null", bool: "a boolean"}
    names |= {int: "a number", float: "a number"}
    return names.get(type(value), f"a value of type {type(value).__name__}")


def are_scalars(values: Iterable[object]) -> bool:
    """Return whether all values are of `SCALARS`; a subclass is none of them."""
    kinds = [*map(type, values)]
    # In most lists, all have one type: a count takes less time than a set.
    if kinds and kinds.count(kinds[0]) == len(kinds):
        return kinds[0] in SCALARS
    return SCALARS.issuperset(kinds)


def json_key(value: object) -> object:
    """Return a hashable key of a JSON value; equal values have equal keys.

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
    if isinstance(value, (int, float)):
        return (float, number_key(value))
    return (float, hashable(value))


def hashable(value: object) -> object:
    """Return a value, or a key of it alone where it has no hash, as a set."""
    try:
        hash(value)
    except TypeError:
        return (object, id(value))
    return value


def number_key(value: float) -> str:
    """Return one text for equal numbers: 1 is 1.0.

    A server can choose numbers whose hashes are all equal, so that a table becomes
    slow; it cannot know the hash of a text.
    """
    if isinstance(value, float) and not value.is_integer():
        return repr(value)
    return f"{int(value):x}"


def nearest_number(value: Decimal) -> float:
    """Return the number of JSON for a decimal: the equal integer or the nearest float.

    Without any, it is NaN, which all numbers refuse.
    """
    if not value.is_finite() or value.adjusted() > _LARGEST_EXPONENT:
        return math.nan
    return int(value) if value == value.to_integral_value() else float(value)
