"""Takes `anyOf`, `oneOf`, `allOf` and references of a schema apart."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.constraints import references, wordless
from mcp_bindgen.contract.disjoint import are_disjoint
from mcp_bindgen.contract.shape import Part
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.node import is_resource, mapped
from mcp_bindgen.schema.order import fixed_order
from mcp_bindgen.schema.spelling import stripped, value_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.contract.shape import Alternative, ShapedDocument
    from mcp_bindgen.schema.document import Document
    from mcp_bindgen.schema.node import Node

__all__ = [
    "alternatives_of",
    "schemas_of",
    "target_of",
]

_MOST = 200  # branches of one schema; a larger product is not taken apart
_EXPANDED = 2_000  # schemas that one is expanded to; honest ones have a tenth
_LONGEST = 100_000  # characters of a text that is compared; a longer one is hashed
_COMBINERS = ("$ref", "allOf", "anyOf", "oneOf")


class _TooManyError(Exception):
    """A schema whose references multiply one another."""


@dataclass(slots=True)
class _Left:
    """The schemas that may still be expanded.

    Attributes:
        schemas: Their number.
        circles: How often a schema led to itself.
    """

    schemas: int = _EXPANDED
    circles: int = 0

    def spend(self, schemas: int) -> None:
        """Count schemas that are expanded.

        Raises:
            _TooManyError: There are too many.
        """
        self.schemas -= schemas
        if self.schemas < 0:
            raise _TooManyError


def alternatives_of(
    document: ShapedDocument, parts: Sequence[Part]
) -> list[Alternative]:
    """Return the alternatives of schemas that a value must fit all.

    Schemas whose references multiply one another are not taken apart: they are equal
    where the whole documents are.

    Args:
        document: The document of their references.
        parts: The schemas.
    """
    try:
        left = _Left()
        return _product([_expand(document, part, (), left) for part in parts])
    except _TooManyError:
        nodes = [part.node for part in parts]
        return [(("", {"overlap": _text([nodes, document.root])}),)]


def _text(value: object) -> str:
    """Return a text to compare; texts within texts grow, so that long ones are hashed.

    Without that, each level of nesting doubles the escapes of the level below.
    """
    text = canonical(value)
    return text if len(text) <= _LONGEST else sha256(text.encode()).hexdigest()


def _product(factors: Sequence[list[Alternative]]) -> list[Alternative]:
    """Return each way to take one alternative of every factor."""
    number = 1
    for factor in factors:
        number *= len(factor)
    if number > _MOST:  # compared as text
        text = _text([[[node for _, node in a] for a in f] for f in factors])
        return [(("", {"overlap": text}),)]
    return [sum(each, ()) for each in product(*factors)]


def _expand(
    document: ShapedDocument, part: Part, visited: tuple[int, ...], left: _Left
) -> list[Alternative]:
    """Return the alternatives of a schema, each without references and combiners.

    Raises:
        _TooManyError: It takes too many schemas.
    """
    pointer, node = part
    if isinstance(node, bool):
        return [()] if node else []
    if id(node) in visited:  # a reference to itself says nothing
        left.circles += 1
        return [()]
    left.spend(1)
    if pointer and is_resource(node) and any(references(node)):
        # Its references lead into itself: it is compared with all that is around it.
        text = _text([wordless(each, document.root) for each in (node, document.root)])
        return [((pointer, {"overlap": text}),)]
    visited = (*visited, id(node))
    target = target_of(document, part)
    if target and document.is_draft7:
        return _expand_target(document, Part(*target), visited, left)
    own = _own(document, node, has_target=target is not None)
    factors: list[list[Alternative]] = [[((pointer, own),)]]
    if target:
        factors.append(_expand_target(document, Part(*target), visited, left))
    all_of = schemas_of(document, part, "allOf")
    factors += [_expand(document, member, visited, left) for member in all_of]
    factors += [
        [a for member in members_ for a in _expand(document, member, visited, left)]
        for members_ in _unions(document, part)
    ]
    return _product(factors)


def _expand_target(
    document: ShapedDocument, target: Part, visited: tuple[int, ...], left: _Left
) -> list[Alternative]:
    """Return the alternatives of a reference's target, which many may lead to.

    They are made once. Their schemas count each time, so that the order of references
    changes no verdict. The alternatives of a circle depend on the way to it.

    Raises:
        _TooManyError: It takes too many schemas.
    """
    key = target.pointer, id(target.node)
    if key in document.expanded:
        made, schemas = document.expanded[key]
        left.spend(schemas)
        return made
    schemas, circles = left.schemas, left.circles
    made = _expand(document, target, visited, left)
    if left.circles == circles:
        document.expanded[key] = made, schemas - left.schemas
    return made


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
    return document.target_of(part.node)


def schemas_of(document: Document, part: Part, keyword: str) -> list[Part]:
    """Return the schemas of a list that has no order, each with its pointer."""
    schemas = mapped(part.node).get(keyword)
    if not schemas:  # as most have none
        return []
    return [
        Part(child(part.pointer, keyword, number), schemas[number])
        for number in fixed_order(schemas, document.forms)
    ]
