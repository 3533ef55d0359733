"""The bounds of a schema: lengths, numbers and counts, read, merged and compared."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["SAFE", "Bound", "compare_bounds", "fits_bounds", "keyword_of"]
__all__ += ["merge_bounds", "read"]

SAFE = 2**53 - 1
"""The largest integer that every JSON reader keeps; one library writes it as a bound
of each integer, so that it says nothing."""

# The keyword of each bound, by type.
_COUNTS: Mapping[str, Mapping[str, str]] = {
    "string": {"minLength": "low", "maxLength": "high"},
    "array": {"minItems": "low", "maxItems": "high"},
    "object": {"minProperties": "low", "maxProperties": "high"},
}


class Bound(NamedTuple):
    """One bound: the values that it allows lie on one side of a number.

    Attributes:
        value: The number.
        strict: Whether the number itself is not allowed.
    """

    value: Any
    strict: bool = False


def read(kind: str, node: Mapping[str, Any]) -> dict[str, Bound]:
    """Return the bounds that a schema sets for one type: low, high, step, unique.

    Args:
        kind: The type.
        node: The schema; keywords of other types do not count.
    """
    if kind in {"integer", "number"}:
        return _numbers(kind, node)
    bounds = {
        name: Bound(node[keyword])
        for keyword, name in _COUNTS.get(kind, {}).items()
        if keyword in node and (name == "high" or node[keyword] > 0)
    }
    if kind == "array" and node.get("uniqueItems") is True:
        bounds["unique"] = Bound(1)
    return bounds


def _numbers(kind: str, node: Mapping[str, Any]) -> dict[str, Bound]:
    listed: list[dict[str, Bound]] = []
    for keyword, name, strict in (
        ("minimum", "low", False),
        ("exclusiveMinimum", "low", True),
        ("maximum", "high", False),
        ("exclusiveMaximum", "high", True),
    ):
        value = node.get(keyword)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            bound = Bound(_plain(value), strict)
            listed.append({name: _whole(name, bound) if kind == "integer" else bound})
    step = node.get("multipleOf") or 0
    # No number is a multiple of 0 or less: such a tool is left out of packages.
    if step > 0 and (kind == "number" or _exact(1) % _exact(step)):
        listed.append({"step": Bound(_plain(step))})
    return merge_bounds(listed)


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _exact(value: Any) -> Fraction:
    """Return a number as its decimal digits say it: 0.1 is a tenth."""
    return Fraction(str(value))


def _whole(name: str, bound: Bound) -> Bound:
    """Return the bound of integers as the last integer that it allows."""
    value, strict = bound
    if name == "low":
        return Bound(math.floor(value) + 1 if strict else math.ceil(value))
    return Bound(math.ceil(value) - 1 if strict else math.floor(value))


def merge_bounds(listed: Iterable[Mapping[str, Bound]]) -> dict[str, Bound]:
    """Return the bounds of values that all of these allow."""
    merged: dict[str, Bound] = {}
    for bounds in listed:
        for name, bound in bounds.items():
            before = merged.get(name)
            merged[name] = bound if before is None else _tighter(name, before, bound)
    return merged


def _tighter(name: str, one: Bound, other: Bound) -> Bound:
    if name == "low":
        return max(one, other)
    if name == "high":
        return min(one, other, key=lambda bound: (bound.value, not bound.strict))
    if name == "step":
        a, b = _exact(one.value), _exact(other.value)
        common = Fraction(
            math.lcm(a.numerator * b.denominator, b.numerator * a.denominator),
            a.denominator * b.denominator,
        )
        return Bound(int(common) if common.denominator == 1 else float(common))
    return one


def compare_bounds(
    old: Mapping[str, Bound], new: Mapping[str, Bound]
) -> dict[str, Literal["tightened", "loosened", "moved"]]:
    """Return how each bound changed, by its name.

    Args:
        old: The bounds before.
        new: The bounds now.
    """
    changes: dict[str, Literal["tightened", "loosened", "moved"]] = {}
    for name in ("low", "high", "step", "unique"):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        if after is None:
            changes[name] = "loosened"
        elif before is None or _tighter(name, before, after) == after:
            changes[name] = "tightened"
        elif _tighter(name, before, after) == before:
            changes[name] = "loosened"
        else:
            changes[name] = "moved"
    return changes


def keyword_of(kind: str, name: str, bound: Bound) -> tuple[str, object]:
    """Return a bound as JSON Schema writes it.

    Example: `keyword_of("string", "high", Bound(10)) == ("maxLength", 10)`.

    Args:
        kind: The type.
        name: The name of the bound: low, high, step or unique.
        bound: The bound.
    """
    for keyword, counted in _COUNTS.get(kind, {}).items():
        if counted == name:
            return keyword, bound.value
    if name in {"low", "high"}:
        side = "Minimum" if name == "low" else "Maximum"
        return f"exclusive{side}" if bound.strict else side.lower(), bound.value
    return ("multipleOf", bound.value) if name == "step" else ("uniqueItems", True)


def fits_bounds(value: Any, bounds: Mapping[str, Bound]) -> bool:
    """Return whether a number, or the size of another value, is within bounds."""
    if not bounds:
        return True
    size = value if isinstance(value, (int, float)) else len(value)
    low, high, step = (bounds.get(name) for name in ("low", "high", "step"))
    if low and (size < low.value or (low.strict and size == low.value)):
        return False
    if high and (size > high.value or (high.strict and size == high.value)):
        return False
    # As fractions: 0.3 is a multiple of 0.1, which floats deny.
    return not step or _exact(size) % _exact(step.value) == 0
