"""Tells schemas that no value fits both of: of these, `oneOf` is a plain union."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcp_bindgen.contract.values import kind_of, listed_values
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.node import mapped, members
from mcp_bindgen.schema.spelling import stripped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from mcp_bindgen.schema.document import Document
    from mcp_bindgen.schema.node import Node

__all__ = ["are_disjoint"]


def are_disjoint(document: Document, schemas: Sequence[Node]) -> bool:
    """Return whether plainly no value fits two of the schemas.

    They differ in their type or in their values, or in the value of a member that all
    must have, or one requires a member that the other forbids.

    Args:
        document: Where their references lead.
        schemas: The schemas.
    """
    plains = [_dereferenced(document, schema) for schema in schemas]
    tags = [_tags(document, node) for node in plains]
    return all(
        any(tags[one][key].isdisjoint(tags[other][key]) for key in keys)
        or _forbids(plains[one], plains[other])
        or _forbids(plains[other], plains[one])
        for one in range(len(schemas))
        for other in range(one)
        for keys in [tags[one].keys() & tags[other].keys()]
    )


def _dereferenced(document: Document, schema: Node) -> Mapping[str, Any]:
    """Return a schema, or the target of its reference, in one spelling."""
    node = mapped(stripped(schema))
    target = document.target(node["$ref"], "") if "$ref" in node else None
    return mapped(stripped(target[1])) if target else node


def _tags(document: Document, node: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the types and the required constants of a schema."""
    tags: dict[str, frozenset[str]] = {}
    kinds, values = _kinds(document, node, ()), listed_values(node)
    if kinds is not None:
        tags[""] = kinds
    if values is not None:
        tags["="] = values
    for name in node.get("required", ()):
        values = listed_values(mapped(members(node, "properties").get(name)))
        if values is not None and node.get("type") == "object":
            tags[f"/{name}"] = values
    return tags


def _kinds(
    document: Document, schema: Node, visited: tuple[str, ...]
) -> frozenset[str] | None:
    """Return the types of a schema's values, None for any; an integer is a number."""
    node = _dereferenced(document, schema)
    text = canonical(node)
    # A schema that leads back to itself says nothing about types.
    if text in visited:
        return None
    if "type" in node:
        names = [node["type"]] if isinstance(node["type"], str) else node["type"]
        return frozenset("number" if n == "integer" else n for n in names)
    values = listed_values(node)
    if values is not None:
        return frozenset(kind_of(json.loads(text)) for text in values)
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            inner = (*visited, text)
            kinds = [_kinds(document, each, inner) for each in node[keyword]]
            known = [each for each in kinds if each is not None]
            is_known = len(known) == len(kinds)
            return frozenset[str]().union(*known) if is_known else None
    return None


def _forbids(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether one object may not have a member that the other requires."""
    is_closed = one.get("additionalProperties") is False
    if not is_closed or "patternProperties" in one or other.get("type") != "object":
        return False
    return not {*other.get("required", ())} <= members(one, "properties").keys()
