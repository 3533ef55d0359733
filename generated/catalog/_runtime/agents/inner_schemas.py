# Copied by mcp-bindgen. Do not edit.
"""Finds the schemas that may apply to the elements and members of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..json_values import elements, members
from ..validation.patterns import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["of_elements", "of_member"]


def of_elements(node: Mapping[str, Any]) -> Iterator[object]:
    """Yield the schemas of an array's elements.

    Example: `[*of_elements({"items": {"type": "string"}})]`.

    Args:
        node: The schema of the array.
    """
    yield from elements(node.get("prefixItems"))
    yield from elements(node.get("items"))
    for keyword in ("items", "additionalItems", "unevaluatedItems", "contains"):
        yield node.get(keyword)


def of_member(node: Mapping[str, Any], wire: str) -> Iterator[object]:
    """Yield the schemas of one member of an object.

    Example: `[*of_member({"additionalProperties": {"type": "string"}}, "a")]`.

    Args:
        node: The schema of the object.
        wire: The name of the member.
    """
    properties = members(node.get("properties"))
    is_known = wire in properties
    if is_known:
        yield properties[wire]
    for pattern, inner in members(node.get("patternProperties")).items():
        matches = _matches(pattern, wire)
        is_known = is_known or matches is True
        if matches is not False:
            yield inner
    if not is_known:
        yield node.get("additionalProperties")
        yield node.get("unevaluatedProperties")


def _matches(pattern: str, name: str) -> bool | None:
    """Return whether a pattern matches a name; None where nothing here can tell."""
    try:
        return compile_pattern(pattern)(name)
    except ValueError:
        return None
