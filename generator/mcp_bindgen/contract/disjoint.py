"""Tells schemas that no value fits both of: of these, `oneOf` is a plain union."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcp_bindgen.contract.values import kind_of, listed_values
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.node import mapped, members
from mcp_bindgen.schema.spelling import stripped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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
    layers = [[*_layers(document, schema, ())] for schema in schemas]
    tags = [_tags(document, each) for each in layers]
    return all(
        any(tags[one][key].isdisjoint(tags[other][key]) for key in keys)
        or _forbid(layers[one], layers[other])
        or _forbid(layers[other], layers[one])
        for one in range(len(schemas))
        for other in range(one)
        for keys in [tags[one].keys() & tags[other].keys()]
    )


def _layers(
    document: Document, schema: Node, visited: tuple[str, ...]
) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas of which a value must fit all: by reference and by `allOf`."""
    node = mapped(stripped(schema))
    text = canonical(node)
    if text in visited:
        return
    visited = (*visited, text)
    target = document.target_of(schema)
    if not (target and document.is_draft7):  # there, nothing beside a reference counts
        yield node
        for member in node.get("allOf", ()):
            yield from _layers(document, member, visited)
    if target:
        yield from _layers(document, target[1], visited)


def _tags(
    document: Document, layers: Sequence[Mapping[str, Any]]
) -> dict[str, frozenset[str]]:
    """Return the types and the required constants of schemas that belong together."""
    tags: dict[str, frozenset[str]] = {}

    def add(key: str, values: frozenset[str] | None) -> None:
        if values is not None:
            tags[key] = tags.get(key, values) & values

    is_object, required = _are_of_objects(layers), _required(layers)
    for node in layers:
        add("", _kinds(document, node, ()))
        add("=", listed_values(node))
        for name, member in members(node, "properties").items() if is_object else ():
            if name in required:
                add(f"/{name}", listed_values(mapped(member)))
    return tags


def _are_of_objects(layers: Sequence[Mapping[str, Any]]) -> bool:
    return any(node.get("type") == "object" for node in layers)


def _required(layers: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the members that one of the schemas requires."""
    return {name for node in layers for name in node.get("required", ())}


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


def _dereferenced(document: Document, schema: Node) -> Mapping[str, Any]:
    """Return a schema, or the target of its reference, in one spelling."""
    node = mapped(stripped(schema))
    target = document.target_of(schema)
    return mapped(stripped(target[1])) if target else node


def _forbid(
    layers: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]
) -> bool:
    """Return whether one object may not have a member that the other requires."""
    required = _required(others)
    return _are_of_objects(others) and any(
        node.get("additionalProperties") is False
        and "patternProperties" not in node
        and not required <= members(node, "properties").keys()
        for node in layers
    )
