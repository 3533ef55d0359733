"""The normal form of a schema: branches, each of one type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mcp_bindgen.contract.bounds import Bound
from mcp_bindgen.schema.document import Document
from mcp_bindgen.schema.node import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.contract.model import Side
    from mcp_bindgen.schema.node import Node

__all__ = [
    "ALL_KINDS",
    "KINDS",
    "Alternative",
    "Branch",
    "Part",
    "Parts",
    "Shape",
    "ShapedDocument",
    "read_side",
    "root_parts",
]

KINDS = ("null", "boolean", "integer", "number", "string", "array", "object")
ALL_KINDS = frozenset(KINDS) - {"integer"}
"""The types that hold all values: an integer is a number."""


class Part(NamedTuple):
    """A schema, and its pointer in the document."""

    pointer: str
    node: Node


Parts: TypeAlias = tuple[Part, ...]
"""Schemas that a value must fit all; () is any value."""

Alternative: TypeAlias = "tuple[tuple[str, Mapping[str, Any]], ...]"
"""Schemas without references and combiners that a value must fit all, by pointer."""


@dataclass(frozen=True, slots=True)
class Branch:
    """Values of one type that a schema accepts.

    Attributes:
        kind: The type.
        pointer: Its JSON pointer in the document.
        title: The title of its schema.
        values: The only values, as JSON; None for no such list.
        bounds: Bounds by their names.
        patterns: Patterns that a string must all match.
        formats: Formats, which only annotate.
        properties: The schemas of the declared members.
        required: Names of members that must be there.
        extra: The schemas of undeclared members; None without any.
        by_pattern: Patterns of names, each with the schemas of these members.
        prefix: The schemas of the first elements.
        items: The schemas of all further elements.
        other: Constraints that are compared as texts only.
    """

    kind: str
    pointer: str = ""
    title: str = ""
    values: frozenset[str] | None = None
    bounds: Mapping[str, Bound] = field(default_factory=dict[str, Bound])
    patterns: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    properties: Mapping[str, Parts] = field(default_factory=dict[str, Parts])
    required: frozenset[str] = frozenset()
    extra: Parts | None = None
    by_pattern: tuple[tuple[str, Parts], ...] = ()
    prefix: tuple[Parts, ...] = ()
    items: Parts = ()
    other: frozenset[str] = frozenset()

    @property
    def is_free(self) -> bool:
        """Whether every value of the type fits."""
        own = self.values is not None or self.bounds or self.patterns or self.other
        named = self.properties or self.required or self.by_pattern or self.prefix
        return not (own or named or _says(self.items) or _says(self.extra or ()))

    @property
    def is_closed(self) -> bool:
        """Whether undeclared members are forbidden."""
        return any(part.node is False for part in self.extra or ())

    @property
    def is_map(self) -> bool:
        """Whether its members are data: none is declared."""
        return not (self.properties or self.required or self.is_closed)


@dataclass(frozen=True, slots=True)
class Shape:
    """A schema in normal form.

    Attributes:
        pointer: Its JSON pointer in the document.
        branches: One or more for each type that it accepts.
        words: Its annotations, such as the title and the default.
    """

    pointer: str
    branches: tuple[Branch, ...]
    words: Mapping[str, Any]

    @property
    def kinds(self) -> frozenset[str]:
        """The types that it accepts."""
        return frozenset(branch.kind for branch in self.branches)

    @property
    def is_any(self) -> bool:
        """Whether every JSON value fits."""
        return {branch.kind for branch in self.branches if branch.is_free} >= ALL_KINDS


@dataclass(frozen=True, slots=True)
class ShapedDocument(Document):
    """A document that remembers the normal forms and the values of its schemas.

    Attributes:
        shapes: Pointers and identities of schemas to their normal form.
        values: Identities of schemas, a depth and a number to their first values.
        expanded: Pointers and identities of the targets of references to their
            alternatives, and the number of schemas that these take.
    """

    shapes: dict[tuple[tuple[str, int], ...], Shape] = field(
        default_factory=dict[tuple[tuple[str, int], ...], Shape], compare=False
    )
    values: dict[tuple[tuple[int, ...], int, int], list[Any]] = field(
        default_factory=dict[tuple[tuple[int, ...], int, int], "list[Any]"],
        compare=False,
    )
    expanded: dict[tuple[str, int], tuple[list[Alternative], int]] = field(
        default_factory=dict[tuple[str, int], tuple[list[Alternative], int]],
        compare=False,
    )


def read_side(side: Side, schema: Any) -> ShapedDocument | None:
    """Return the document of a side; arguments are always an object.

    Args:
        side: Whether it is that of the arguments or of the result.
        schema: The schema; None where there is none.
    """
    if not is_object(schema):
        return None
    kinds = schema.get("type", ["object"])
    if side == "in" and is_array(kinds) and "object" in kinds:
        schema = {**schema, "type": "object"}
    return ShapedDocument.read(schema)


def root_parts(document: Document) -> Parts:
    """Return the whole schema of a document."""
    return (Part("", document.root),)


def _says(parts: Parts) -> bool:
    return any(part.node is not True and part.node != {} for part in parts)
