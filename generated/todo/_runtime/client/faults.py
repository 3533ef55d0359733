# Copied by mcp-bindgen. Do not edit.
"""Lists the parts of a value that do not fit its type, with reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from .. import limits
from ..errors import Fault
from ..json_pointer import child
from ..json_values import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import ValidationError

__all__ = ["faults_of"]

_NO_VALUE = "missing_sentinel_error"


def faults_of(error: ValidationError, value: object) -> list[Fault]:
    """Return the faults of a value; of many, their number and the first ones."""
    count = error.error_count()
    if count <= limits.FAULTS:
        return _listed(error, value)
    text = f"has at least {count:,} faults"
    few = _listed(error, value) if count <= limits.FAULTS_BUILT else []
    return [Fault("", "many", text, kind_of(value)), *few]


def _listed(error: ValidationError, value: object) -> list[Fault]:
    details = error.errors(include_url=False)
    # Until pydantic 2.13, no value at all is an alternative that is refused, too.
    said = [detail for detail in details if detail["type"] != _NO_VALUE] or details
    few = cast("list[Mapping[str, Any]]", said[: limits.FAULTS])
    return [_fault(detail, value) for detail in few]


def _fault(detail: Mapping[str, Any], value: object) -> Fault:
    context = cast("Mapping[str, Any]", detail.get("ctx") or {})
    checked = detail["type"] == "schema"
    return Fault(
        _pointer(detail["loc"], value),
        context["rule"] if checked else detail["type"],
        detail["msg"],
        context["actual"] if checked else kind_of(detail["input"]),
    )


def _pointer(location: tuple[int | str, ...], value: object) -> str:
    """Return the JSON pointer of a location, without the names of union members."""
    pointer = ""
    for number, step in enumerate(location, 1):
        exists, inner = _enter(value, step)
        if exists or (exists is not None and number == len(location)):
            pointer = child(pointer, step)
            value = inner
    return pointer


def _enter(value: object, step: int | str) -> tuple[bool | None, object]:
    """Return whether a value has a member, None where it can have none; the member."""
    if isinstance(value, dict):
        members = cast("dict[object, object]", value)
        return step in members, members.get(step)
    if isinstance(value, list) and str(step).isdecimal():
        elements, index = cast("list[object]", value), int(step)
        return index < len(elements), elements[index] if index < len(elements) else None
    return None, None
