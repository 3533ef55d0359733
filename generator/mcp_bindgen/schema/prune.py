"""Drops the parts of a schema that allow and forbid nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.json_pointer import steps
from mcp_bindgen.schema.keywords import ANNOTATIONS, DEFINITIONS, KNOWN
from mcp_bindgen.schema.node import (
    is_array,
    is_object,
    is_resource,
    mapped,
    walk,
    with_inner,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.schema.document import Document

__all__ = ["prune"]

_SILENT = ANNOTATIONS - DEFINITIONS - {"$schema", "$anchor", "$id"}
_DYNAMIC = frozenset({"$dynamicRef", "$recursiveRef"})


def prune(document: Document) -> dict[str, Any]:
    """Return a schema without unused definitions and keywords of no effect.

    All other parts stay at their pointers, so that references need no change.

    Raises:
        SchemaError: A reference leads nowhere.
    """
    if any(_is_scoped(pointer, node) for pointer, node in walk(document.root, "")):
        return dict(document.root)
    effective = mapped(_effective(document.root))
    pruned = {key: part for key, part in effective.items() if key not in DEFINITIONS}
    # A definition may be inside another: the outer one comes first.
    for pointer in sorted(_reached(document, pruned)):
        _put(pruned, document, pointer)
    return pruned


def _is_scoped(pointer: str, node: Mapping[str, Any]) -> bool:
    """Return whether references in a schema do not begin at its document's root."""
    is_inner = bool(pointer) and is_resource(node)
    by_address = not str(node.get("$ref", "#")).startswith("#")
    return is_inner or by_address or not _DYNAMIC.isdisjoint(node)


def _reached(document: Document, start: Mapping[str, Any]) -> set[str]:
    """Return the targets of a schema's references, and of theirs in turn."""
    reached, pending = set[str](), [start]
    while pending:
        for _, node in walk(pending.pop(), ""):
            target = document.target_of(node)
            if target is not None and target[0] not in reached:
                reached.add(target[0])
                pending.append(mapped(_effective(target[1])))
    return reached


def _put(pruned: dict[str, Any], document: Document, pointer: str) -> None:
    """Copy the schema at a pointer to the same pointer, unless it is there.

    Objects and arrays on the way to it get no other parts. Elements before it, which an
    array must have, become schemas that allow everything.
    """
    value: Any = pruned
    original: Any = document.root
    path = steps(pointer)
    for depth, step in enumerate(path, 1):
        key: Any = int(step) if is_array(original) else step
        original = original[key]
        is_there = value[key] is not True if is_array(value) else key in value
        if not is_there:
            whole = depth == len(path)
            value[key] = _effective(original) if whole else _emptied(original)
        value = value[key]


def _emptied(value: object) -> Any:
    return [True] * len(value) if is_array(value) else {}


def _effective(node: Any) -> Any:
    """Return a schema without the keywords that have no effect, at any depth."""
    if not is_object(node):
        return node
    own = {
        keyword: value
        for keyword, value in node.items()
        if keyword in KNOWN and keyword not in _SILENT
    }
    return with_inner(own, _effective)
