"""Schemas that are under no keyword of JSON Schema, but that references lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp_bindgen.runtime.json_pointer import steps
from mcp_bindgen.schema.node import is_array, is_object, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["outside", "part_at"]

_INDEX_DIGITS = 8


def outside(
    root: Mapping[str, Any], inside: Sequence[tuple[str, Mapping[str, Any]]]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the schemas that only references lead to, with their pointers.

    `{"$ref": "#/x"}` makes a schema of a value that `walk` takes for data. It must
    have the form of a schema, as all others, before types are made of it.

    Example: for `{"$ref": "#/x", "x": {}}`, it yields `("/x", {})`.

    Args:
        root: The whole schema.
        inside: All schemas that `walk` yields of it.
    """
    referring = (node for _, node in inside if "$ref" in node or "$dynamicRef" in node)
    pending = [pointer for node in referring for pointer in _targets(node)]
    if not pending:
        return
    known = {pointer for pointer, _ in inside}
    visited = {id(node) for _, node in inside}
    for pointer in pending:  # the list grows meanwhile
        if pointer in known:
            continue
        known.add(pointer)
        try:
            value = part_at(root, pointer)
        except LookupError:
            continue  # the compiler refuses it, at the reference
        if is_object(value):
            # A value may have many pointers ("/~0", "/~"): each is walked once.
            for here, node in walk(value, pointer, visited):
                yield here, node
                pending += _targets(node)


def _targets(node: Mapping[str, Any]) -> list[str]:
    """Return the pointers that a schema refers to; anchors are never outside."""
    refs = (node.get(keyword) for keyword in ("$ref", "$dynamicRef"))
    local = (ref[1:] for ref in refs if isinstance(ref, str) and ref.startswith("#"))
    return [pointer for pointer in map(unquote, local) if pointer.startswith("/")]


def part_at(root: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer.

    Example: `part_at({"a": [True]}, "/a/0")` gives `True`.

    Args:
        root: A JSON value.
        pointer: The pointer, as "/a/0"; "" is the whole value.

    Raises:
        LookupError: There is no value.
    """
    value = root
    for key in steps(pointer):
        if is_object(value):
            value = value[key]
        elif is_array(value) and _is_index(key):
            value = value[int(key)]
        else:
            raise LookupError(pointer)
    return value


def _is_index(key: str) -> bool:
    """Return whether a key is an index (RFC 6901, section 4): no "00"."""
    if key.startswith("0"):
        return key == "0"
    return key.isascii() and key.isdigit() and len(key) < _INDEX_DIGITS
