"""One schema as a document: its inner schemas, and the targets of its references."""

from __future__ import annotations

import json
import marshal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeAlias, cast
from urllib.parse import unquote

from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.runtime.json_values import kind_of
from mcp_bindgen.schema.dialect import in_new_forms, is_draft7
from mcp_bindgen.schema.node import (
    Node,
    SchemaError,
    is_object,
    is_resource,
    is_schema,
    walk,
)
from mcp_bindgen.schema.outside import outside, part_at
from mcp_bindgen.schema.shapes import check_keywords

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Document", "Forms", "are_equal", "canonical", "packed", "unpacked"]

_VERSION = 2  # of marshal: later ones write a value that comes again as a reference
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))

Forms: TypeAlias = "dict[tuple[int, bool], tuple[Any, Any]]"
"""The identity of a schema, and whether its annotations stay, to the schema and its
form in `spelling`. Without it, nested unions would be spelled at each level again."""


@dataclass(frozen=True, slots=True)
class Document:
    """One schema with all possible targets of its references.

    Attributes:
        root: The whole schema.
        anchors: Name of each `$anchor` to the JSON pointer of its schema.
        nodes: All schemas in it with their pointers, the outer before the inner; the
            last are those that are under no keyword, but that references lead to.
        resources: The beginnings of pointers into inner schemas with an `$id`.
        forms: Remembers the forms of its schemas.
    """

    root: Mapping[str, Any]
    anchors: Mapping[str, str]
    nodes: Sequence[tuple[str, Mapping[str, Any]]] = ()
    resources: tuple[str, ...] = ()
    forms: Forms = field(
        default_factory=dict[tuple[int, bool], tuple[Any, Any]], compare=False
    )

    @classmethod
    def read(
        cls,
        root: Mapping[str, Any],
        nodes: Sequence[tuple[str, Mapping[str, Any]]] = (),
    ) -> Self:
        """Check the value of every keyword and note the anchors.

        Args:
            root: The whole schema.
            nodes: All schemas in it as `walk` yields them, where they are known.

        Raises:
            SchemaError: A keyword has a value of the wrong type.
        """
        nodes = nodes or [*walk(root, "")]
        if (new := in_new_forms(root, nodes)) is not root:
            root, nodes = new, [*walk(new, "")]
        anchors: dict[str, str] = {}
        for pointer, node in nodes:
            check_keywords(pointer, node)
            if "$anchor" in node or "$dynamicAnchor" in node:
                for anchor in (node.get("$anchor"), node.get("$dynamicAnchor")):
                    if isinstance(anchor, str):
                        anchors.setdefault(anchor, pointer)
            # Until draft 7, an anchor was an `$id` of this form.
            identifier = node.get("$id")
            if isinstance(identifier, str) and identifier.startswith("#"):
                anchors.setdefault(identifier[1:], pointer)
        others = [*outside(root, nodes)]
        for pointer, node in others:
            check_keywords(pointer, node)
        inner = (pointer for pointer, node in nodes if pointer and is_resource(node))
        resources = tuple(f"{pointer}/" for pointer in inner)
        return cls(root, anchors, (*nodes, *others), resources)

    @property
    def is_draft7(self) -> bool:
        """Whether the schema declares a draft before 2019-09."""
        return is_draft7(self.root)

    def target_of(self, node: object) -> tuple[str, Node] | None:
        """Return the pointer and the schema that the `$ref` of a schema leads to.

        Args:
            node: The schema.

        Returns:
            Pointer and schema; None without a `$ref`, where `target` returns None, or
            where the schema has an `$id` of its own: there, it leads into the schema.

        Raises:
            SchemaError: It is local and leads nowhere.
        """
        ref = node.get("$ref") if is_object(node) else None
        if not is_object(node) or not isinstance(ref, str):
            return None
        return None if self.is_inner(node) else self.target(ref)

    def is_inner(self, node: Mapping[str, Any]) -> bool:
        """Return whether a schema has an `$id` of its own, not that of the root."""
        return is_resource(node) and node["$id"] != self.root.get("$id")

    def target(self, ref: str) -> tuple[str, Node] | None:
        """Return the pointer and the schema that a local `$ref` leads to.

        Args:
            ref: The value of `$ref`: `#`, `#/a/pointer` or `#anchor`.

        Returns:
            Pointer and schema; None for a reference that is not local, to an anchor
            that is not in this document, or into a schema with an `$id`, whose own
            references have other targets.

        Raises:
            SchemaError: It is local and leads nowhere.
        """
        if not ref.startswith("#"):
            return None
        pointer: str | None = unquote(ref[1:])
        if pointer and not pointer.startswith("/"):
            pointer = self.anchors.get(pointer)
        if pointer is None or any(map(pointer.startswith, self.resources)):
            return None
        try:
            return pointer, self.at(pointer)
        except SchemaError as error:
            # One that was merged has no place of its own.
            homes = (home for home, node in self.nodes if node.get("$ref") == ref)
            error.pointer = next((child(home, "$ref") for home in homes), error.pointer)
            raise

    def at(self, pointer: str) -> Node:
        """Return the schema at a JSON pointer.

        Raises:
            SchemaError: There is no value, or no schema.
        """
        try:
            value = part_at(self.root, pointer)
        except LookupError as error:
            message = "expected a schema where this $ref leads, got nothing"
            raise SchemaError(pointer, message) from error
        if not is_schema(value):
            message = f"expected a schema where this $ref leads, got {kind_of(value)}"
            raise SchemaError(pointer, message)
        return cast("Node", value)


def canonical(value: object) -> str:
    """Return one text for equal JSON values, with their members in any order."""
    return _ENCODER.encode(value)


def packed(value: Any) -> bytes:
    """Return the same bytes for equal JSON values with their members in one order.

    It takes a tenth of the time of `canonical`. The bytes of all strings are in it.
    """
    return marshal.dumps(value, _VERSION)


def unpacked(data: bytes) -> Any:
    """Return the JSON value that `packed` made bytes of."""
    return marshal.loads(data)  # noqa: S302, only bytes that `packed` made in this run


def is_longer(value: Any, most: int) -> bool:
    """Return whether the canonical text of a JSON value has more characters than that.

    Most values are far from a limit, so that their bytes say it already: a byte of
    `packed` becomes seven characters at most.
    """
    return len(packed(value)) * 7 > most and len(canonical(value)) > most


def are_equal(one: object, other: object) -> bool:
    """Return whether two JSON values have one text; 1 and 1.0 have not."""
    if one is other or one != other:
        return one is other
    return packed(one) == packed(other) or canonical(one) == canonical(other)
