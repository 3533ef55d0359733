# Copied by mcp-bindgen. Do not edit.
"""Checks the arguments of a call against the constraints of an entry."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ...json_values import json_key
from .paths import path_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .entry import Constraint, When

__all__ = [
    "Check",
    "compiled",
    "readings_of",
    "test_of",
    "texts",
    "values_at",
    "when_of",
]

Check: TypeAlias = Callable[[Mapping[str, Any]], str]
"""Takes the arguments, and tells why they are forbidden, "" where they are not."""

Test: TypeAlias = Callable[[Any], str]
_MISSING = object()
"""Stands for a value that is absent."""
_WRONG = object()
"""Stands for a value inside of something that has no values."""
_WORDS = {
    **dict.fromkeys(("true", "yes", "on", "t", "y"), True),
    **dict.fromkeys(("false", "no", "off", "f", "n"), False),
}
"""Texts that lenient servers read as true or false."""
_NUMERIC = frozenset("+-.0123456789")


def values_at(value: object, steps: tuple[str, ...]) -> list[Any]:
    """Return the values that a pointer leads to; one that is absent is `_MISSING`.

    Args:
        value: The arguments.
        steps: The steps of the pointer; * is every member or element.
    """
    values: list[Any] = [value]
    for step in steps:
        reached: list[Any] = []
        for outer in values:
            if step != "*" and type(outer) is dict:  # most of them
                reached.append(cast("dict[str, Any]", outer).get(step, _MISSING))
            else:
                reached += _inner(outer, step)
        values = reached
    return values


def _inner(value: object, step: str) -> list[Any]:
    if value is _MISSING or value is _WRONG:
        return [value]
    if value is None:
        return [_MISSING]
    if isinstance(value, dict):
        keyed = cast("dict[str, Any]", value)
        if step == "*":  # also where a member has this name: every value is checked
            return [*keyed.values()]
        return [keyed.get(step, _MISSING)]
    if isinstance(value, list):
        listed = cast("list[Any]", cast("object", value))
        if step == "*":
            return listed
        if step.isascii() and step.isdigit():
            return listed[int(step) : int(step) + 1] or [_MISSING]
    return [_WRONG]


def compiled(constraint: Constraint) -> Check:
    """Return a function that gives the reason why arguments are forbidden, or "".

    Example: `compiled(constraint)({"size": 999}) == "it is no number, or too large"`.

    Args:
        constraint: The constraint.
    """
    steps, test = constraint.steps, test_of(constraint)
    absent = "" if constraint.absent else "it is absent"
    name = steps[0]
    if len(steps) == 1 and name != "*":

        def check(arguments: Mapping[str, Any]) -> str:
            value = arguments.get(name, _MISSING)
            return absent if value is _MISSING else test(value)

        return check

    # An empty list has no element that could break a rule; a missing one might have a
    # default of the server that does.
    def check_all(arguments: Mapping[str, Any]) -> str:
        for value in values_at(arguments, steps):
            if value is _MISSING:
                reason = absent
            elif value is _WRONG:
                reason = "it is in a value of another type"
            else:
                reason = test(value)
            if reason:
                return reason
        return ""

    return check_all


def test_of(constraint: Constraint) -> Test:
    """Return the test of one value; it gives "" for a value that is allowed."""
    tests = [
        *([_among(constraint.values)] if constraint.values is not None else []),
        *([_matching(constraint.matches)] if constraint.matches is not None else []),
        *([_at_most(constraint.maximum)] if constraint.maximum is not None else []),
        *([_short(constraint.max_length)] if constraint.max_length is not None else []),
        *([path_test(constraint.path)] if constraint.path is not None else []),
    ]
    if len(tests) == 1:
        return tests[0]

    def all_tests(value: Any) -> str:
        for test in tests:
            if reason := test(value):
                return reason
        return ""

    return all_tests


def _among(keys: frozenset[object]) -> Test:
    return lambda value: "" if json_key(value) in keys else "it is another value"


def _matching(matches: Callable[[str], bool]) -> Test:
    def test(value: Any) -> str:
        fits = isinstance(value, str) and matches(value)
        return "" if fits else "it does not match the pattern"

    return test


def _at_most(maximum: float) -> Test:
    def test(value: Any) -> str:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        # NaN is below no maximum.
        return "" if number and value <= maximum else "it is no number, or too large"

    return test


def _short(most: int) -> Test:
    def test(value: Any) -> str:
        fits = isinstance(value, str | list) and len(cast("str", value)) <= most
        return "" if fits else "it is no text or array, or too long"

    return test


def when_of(when: When) -> Callable[[Mapping[str, Any]], bool]:
    """Return a function from arguments to whether a rule applies to them.

    A rule only tightens, so it applies in doubt: null is as no value, and any value
    that a server may read as a listed one is that one, see `readings_of`.

    Args:
        when: The rule.
    """
    tests = [
        _switch(steps, values, if_absent=if_absent)
        for steps, values, if_absent in when.tests
    ]
    if len(tests) == 1:
        return tests[0]
    return lambda arguments: all(test(arguments) for test in tests)


def _switch(
    steps: tuple[str, ...], values: frozenset[object], *, if_absent: bool
) -> Callable[[Mapping[str, Any]], bool]:
    """Return the test whether an argument may be one of some values."""
    words = frozenset(key[1] for key in cast("Iterable[Any]", values) if key[0] is str)

    def holds(value: object) -> bool:
        if isinstance(value, str) and value.isascii():
            text = value.strip().lower()
            if text[:1] not in _NUMERIC and text not in _WORDS:  # it has one reading
                return text in words
        if value is _MISSING or value is None:
            return if_absent
        return _matches(value, values)

    name = steps[0]
    if len(steps) == 1 and name != "*":
        return lambda arguments: holds(arguments.get(name, _MISSING))

    def any_holds(arguments: Mapping[str, Any]) -> bool:
        reached = values_at(arguments, steps)
        return any(map(holds, reached)) if reached else if_absent

    return any_holds


def _matches(value: object, values: frozenset[object]) -> bool:
    # A structure where a switch is expected: nobody knows how a server reads it.
    if value is _WRONG or isinstance(value, dict | list):
        return True
    return not readings_of(value).isdisjoint(values)


def readings_of(value: object) -> frozenset[object]:
    """Return JSON keys of all that a lenient server may read a value as.

    Example: "3", " 3.0" and 3 have a reading in common, and so have 1, true and "Yes".

    Args:
        value: A JSON value.
    """
    if isinstance(value, dict | list):
        return frozenset({json_key(cast("object", value))})
    text = unicodedata.normalize("NFKC", str(value)).strip().casefold()
    readings = {json_key(text)}
    if text in _WORDS:
        readings.add(json_key(_WORDS[text]))
    number = _number(text) if isinstance(value, str) else value
    if number is not None:
        readings.add(json_key(number + 0 if isinstance(number, bool) else number))
    if number in (0, 1):
        readings.add(json_key(bool(number)))
    return frozenset(readings)


def _number(text: str) -> float | None:
    """Return the number that a text is, None where it is none."""
    if text[:1] not in _NUMERIC:
        return None
    with suppress(ValueError):
        return int(text, 0)  # also 0x10
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def texts(value: object) -> Iterator[str]:
    """Yield every text in a JSON value, keys included."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            keyed = cast("dict[str, object]", item)
            yield from keyed
            pending += keyed.values()
        elif isinstance(item, list):
            pending += cast("list[object]", item)
