"""Checks the arguments of a call against the constraints of an entry."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, cast

from ...strict_json import elements, json_key
from .paths import fault_of_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .entry import Constraint, When

__all__ = ["fault_of", "holds", "texts", "values_at"]


def values_at(value: object, steps: tuple[str, ...]) -> list[Any]:
    """Return the values that a pointer leads to; a missing one is left out.

    Args:
        value: The arguments.
        steps: The steps of the pointer; * is every member or element.
    """
    found = [value]
    for step in steps:
        found = [inner for outer in found for inner in _inner(outer, step)]
    return found


def _inner(value: object, step: str) -> list[Any]:
    if isinstance(value, dict):
        keyed = cast("dict[str, Any]", value)
        if step == "*":  # also where a member has this name: every value is checked
            return [*keyed.values()]
        return [keyed[step]] if step in keyed else []
    if isinstance(value, list):
        listed = cast("list[Any]", cast("object", value))
        if step == "*":
            return listed
        index = int(step) if step.isascii() and step.isdigit() else len(listed)
        return listed[index : index + 1]
    return []


def fault_of(constraint: Constraint, arguments: object) -> str:
    """Return why a constraint forbids the arguments, "" where it allows them.

    Args:
        constraint: The constraint.
        arguments: The arguments as the server would read them.
    """
    steps = constraint.steps
    found = values_at(arguments, steps)
    if not found:
        # An empty list has no element that could break a rule; a missing one might
        # have a default of the server that does.
        listed = "*" in steps and values_at(arguments, steps[: steps.index("*")])
        return "" if constraint.absent or listed else "it is absent"
    faults = (_fault(constraint, value) for value in found)
    return next(filter(None, faults), "")


def _fault(constraint: Constraint, value: Any) -> str:
    if constraint.values is not None and json_key(value) not in constraint.values:
        return "it is another value"
    if constraint.matches is not None and not (
        isinstance(value, str) and constraint.matches(value)
    ):
        return "it does not match the pattern"
    if constraint.maximum is not None and not (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and value <= constraint.maximum
    ):
        return "it is no number, or too large"
    if constraint.max_length is not None and not (
        _length(value) <= constraint.max_length
    ):
        return "it is no text or array, or too long"
    return fault_of_path(value, constraint.path) if constraint.path else ""


def _length(value: object) -> float:
    """Return the length of a text or an array; that of anything else is too long."""
    if isinstance(value, str):
        return len(value)
    return len(elements(cast("object", value))) if isinstance(value, list) else inf


def holds(when: When, arguments: object) -> bool:
    """Tell whether a rule is for these arguments.

    A rule only tightens, so that in doubt it holds: texts match in any case, and with
    spaces around them.
    """
    for steps, values, if_absent in when.tests:
        found = values_at(arguments, steps)
        if not found and not if_absent:
            return False
        if found and not any(_matches(value, values) for value in found):
            return False
    return True


def _matches(value: object, values: frozenset[object]) -> bool:
    if isinstance(value, str):
        return (str, value.strip().casefold()) in values
    if isinstance(value, dict | list):
        # A structure where a switch is expected: nobody knows how a server reads it.
        return True
    return json_key(value) in values or (str, str(value).casefold()) in values


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
