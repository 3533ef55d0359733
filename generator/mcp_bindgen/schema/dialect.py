"""The dialect of a schema: its old forms, as JSON Schema 2020-12 writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.schema.keywords import LATER, SINCE_6, SINCE_7, SINCE_2020
from mcp_bindgen.schema.node import is_object, with_inner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["in_new_forms", "is_draft7", "with_number_bounds"]

_OLD = re.compile(r"draft-0(\d)")
_BOUNDS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))


def is_draft7(root: Mapping[str, Any]) -> bool:
    """Return whether a schema declares a draft before 2019-09."""
    return bool(_draft(root))


def in_new_forms(
    root: Mapping[str, Any], nodes: Sequence[tuple[str, Mapping[str, Any]]]
) -> Mapping[str, Any]:
    """Return a schema without old forms and later keywords, itself if it has none.

    Args:
        root: The whole schema.
        nodes: All schemas in it, with their pointers.
    """
    schemas = [node for _, node in nodes]
    bounded = (n for n in schemas if "exclusiveMinimum" in n or "exclusiveMaximum" in n)
    if any(isinstance(node.get(key), bool) for node in bounded for key, _ in _BOUNDS):
        root = _with_numbers(root)
    if later := _later(root):
        root = _without(root, later)
    if later >= SINCE_6 and any(isinstance(node.get("id"), str) for node in schemas):
        root = _with_new_id(root)
    if _is_draft_2019(root) and any("$recursiveRef" in node for node in schemas):
        root = _without_recursive(root)
    return root


def _draft(root: Mapping[str, Any]) -> str:
    """Return the digit of a draft before 2019-09 that a schema declares, or ""."""
    dialect = root.get("$schema")
    digit = _OLD.search(dialect) if isinstance(dialect, str) else None
    return digit[1] if digit else ""


def _later(root: Mapping[str, Any]) -> AbstractSet[str]:
    """Return the keywords that the draft of a schema does not know."""
    if _is_draft_2019(root):
        return SINCE_2020
    draft = _draft(root)
    if not draft:
        return frozenset()
    older = SINCE_7 if draft < "7" else frozenset[str]()
    oldest = SINCE_6 if draft < "6" else frozenset[str]()
    return LATER | older | oldest


def _without(node: Any, later: AbstractSet[str]) -> Any:
    """Return a schema without some keywords, also in those inside of it."""
    if not is_object(node):
        return node
    own = {key: value for key, value in node.items() if key not in later}
    return with_inner(own, lambda inner: _inner_without(inner, later))


def _inner_without(node: Any, later: AbstractSet[str]) -> Any:
    # One that declares a draft of its own knows its keywords.
    declares = is_object(node) and "$schema" in node and "$id" in node
    return node if declares else _without(node, later)


def _with_numbers(node: Any) -> Any:
    """Return a schema whose exclusive bounds are numbers.

    Draft 4, and OpenAPI until 3.0, write `minimum` with `exclusiveMinimum: true`.
    """
    if not is_object(node):
        return node
    return with_inner(with_number_bounds(node), _with_numbers)


def with_number_bounds(node: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose own exclusive bounds are numbers, itself if they are.

    Example: `with_number_bounds({"minimum": 0, "exclusiveMinimum": True})`.
    """
    if not any(isinstance(node.get(exclusive), bool) for exclusive, _ in _BOUNDS):
        return node
    own = {**node}
    for exclusive, inclusive in _BOUNDS:
        if own.get(exclusive) is True and inclusive in own:
            own[exclusive] = own.pop(inclusive)
        elif type(own.get(exclusive)) is bool:
            del own[exclusive]
    return own


def _with_new_id(node: Any) -> Any:
    """Return a schema with each `id` of draft 4 as an `$id`."""
    if not is_object(node):
        return node
    own = {**node}
    if isinstance(own.get("id"), str):
        own["$id"] = own.pop("id")
    return with_inner(own, _with_new_id)


def _is_draft_2019(root: Mapping[str, Any]) -> bool:
    dialect = root.get("$schema")
    return isinstance(dialect, str) and "/2019-09/" in dialect


def _without_recursive(node: Any) -> Any:
    """Return a schema with each `$recursiveRef` as a `$ref`, which it is in a document.

    Only a schema with an `$id` inside of another one could make them differ.
    """
    if not is_object(node):
        return node
    own = {**node}
    if "$recursiveRef" in own and "$ref" not in own:
        own["$ref"] = own.pop("$recursiveRef")
    return with_inner(own, _without_recursive)
