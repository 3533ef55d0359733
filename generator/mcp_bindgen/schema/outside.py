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
    pending = [pointer for _, node in inside for pointer in _pointers(node)]
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
            # A value may have many pointers ("/0", "/00"): each is walked once.
            for here, node in walk(value, pointer, visited):
                yield here, node
                pending += _pointers(node)


def _pointers(node: Mapping[str, Any]) -> Iterator[str]:
    """Yield the JSON pointers of a schema's references; anchors are never outside."""
    for keyword in ("$ref", "$dynamicRef"):
        ref = node.get(keyword)
        local = ref if isinstance(ref, str) and ref.startswith("#") else "#"
        pointer = unquote(local[1:])
        if pointer.startswith("/"):
            yield pointer


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
    return key.isascii() and key.isdigit() and len(key) < _INDEX_DIGITS
