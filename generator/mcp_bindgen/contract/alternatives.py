"""Takes `anyOf`, `oneOf`, `allOf` and references of a schema apart."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp_bindgen.contract.disjoint import are_disjoint
from mcp_bindgen.contract.shape import Part
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.node import mapped
from mcp_bindgen.schema.order import fixed_order
from mcp_bindgen.schema.spelling import stripped, value_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.schema.document import Document
    from mcp_bindgen.schema.node import Node

__all__ = [
    "Alternative",
    "expand",
    "product_of",
    "schemas_of",
    "target_of",
]

_MOST = 200  # branches of one schema; a larger product is not taken apart
_COMBINERS = ("$ref", "allOf", "anyOf", "oneOf")

Alternative: TypeAlias = "tuple[tuple[str, Mapping[str, Any]], ...]"
"""Schemas without references and combiners that a value must fit all, by pointer."""


def product_of(factors: Sequence[list[Alternative]]) -> list[Alternative]:
    """Return each way to take one alternative of every factor."""
    number = 1
    for factor in factors:
        number *= len(factor)
    if number > _MOST:  # compared as text
        text = canonical([[[node for _, node in a] for a in f] for f in factors])
        return [(("", {"overlap": text}),)]
    return [sum(each, ()) for each in product(*factors)]


def expand(
    document: Document, part: Part, visited: tuple[int, ...]
) -> list[Alternative]:
    """Return the alternatives of a schema, each without references and combiners."""
    pointer, node = part
    if isinstance(node, bool):
        return [()] if node else []
    if id(node) in visited:  # a reference to itself says nothing
        return [()]
    visited = (*visited, id(node))
    target = target_of(document, part)
    if target and document.is_draft7:
        return expand(document, Part(*target), visited)
    own = _own(document, node, has_target=target is not None)
    factors: list[list[Alternative]] = [[((pointer, own),)]]
    all_of = [Part(*target)] if target else []
    all_of += schemas_of(document, part, "allOf")
    factors += [expand(document, member, visited) for member in all_of]
    factors += [
        [a for member in members_ for a in expand(document, member, visited)]
        for members_ in _unions(document, part)
    ]
    return product_of(factors)


def _own(
    document: Document, node: Mapping[str, Any], *, has_target: bool
) -> dict[str, Any]:
    """Return a schema without combiners, with the overlapping members of `oneOf`."""
    combiners = _COMBINERS if has_target else _COMBINERS[1:]
    own = {key: value for key, value in node.items() if key not in combiners}
    if "oneOf" in node and not are_disjoint(document, node["oneOf"]):
        schemas = [stripped(member) for member in node["oneOf"]]
        own["overlap"] = sorted(schemas, key=value_text)
    return own


def _unions(document: Document, part: Part) -> list[list[Part]]:
    """Return the members of `anyOf` and of `oneOf`, where a schema has them.

    A member that `anyOf` has twice counts once.
    """
    node, forms = mapped(part.node), document.forms
    unions = [schemas_of(document, part, "oneOf")] if "oneOf" in node else []
    if "anyOf" in node:
        by_text: dict[str, Part] = {}
        for member in schemas_of(document, part, "anyOf"):
            by_text.setdefault(canonical(stripped(member.node, forms)), member)
        unions.insert(0, [*by_text.values()])
    return unions


def target_of(document: Document, part: Part) -> tuple[str, Node] | None:
    """Return the target of a schema's reference, None where there is none."""
    pointer, node = part
    ref = mapped(node).get("$ref")
    return document.target(ref, pointer) if isinstance(ref, str) else None


def schemas_of(document: Document, part: Part, keyword: str) -> list[Part]:
    """Return the schemas of a list that has no order, each with its pointer."""
    schemas = mapped(part.node).get(keyword)
    if not schemas:  # as most have none
        return []
    return [
        Part(child(part.pointer, keyword, number), schemas[number])
        for number in fixed_order(schemas, document.forms)
    ]
