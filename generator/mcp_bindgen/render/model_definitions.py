"""The references in the schemas that models get: all lead to `$defs` of the root.

Some interfaces follow no others, and refuse the whole request.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_bindgen.runtime.json_pointer import steps
from mcp_bindgen.schema.document import Document, packed
from mcp_bindgen.schema.keywords import DEFINITIONS
from mcp_bindgen.schema.node import SchemaError, is_object, with_inner

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["are_usual", "with_definitions"]

_DEFS = "#/$defs/"
_USUAL = re.compile(r"#/\$defs/[^/#%]+")
_OTHER = re.compile(r"\W+", re.ASCII)
_TIMES, _FEW = 4, 10_000


def are_usual(references: Iterable[object]) -> bool:
    """Return whether references lead to `$defs` of the root.

    Example: `are_usual(["#/$defs/a"])`.

    Args:
        references: The values of `$ref`.
    """
    return all(isinstance(each, str) and _USUAL.fullmatch(each) for each in references)


def with_definitions(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema whose references lead to `$defs` of its root.

    Example: `{"properties": {"a": {"$ref": "#/definitions/b"}}, "definitions": ...}`
    becomes `{"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": ...}`.

    Args:
        schema: The schema; it is returned as it is where it cannot be read, or would be
            many times as large.
    """
    try:
        writer = _Writer(Document.read(schema))
        root = writer.node(writer.document.root)
        added = writer.added()
    except SchemaError:
        return schema
    rest = {key: value for key, value in root.items() if key != "definitions"}
    definitions = {**root.get("$defs", {}), **added}
    return {**rest, **({"$defs": definitions} if definitions else {})}


def _without_defs(root: Any) -> dict[str, Any]:
    return {key: value for key, value in root.items() if key not in DEFINITIONS}


class _Writer:
    """Writes references anew, and names the schemas that they lead to."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._names: dict[str, str] = {}
        self._targets: list[tuple[str, Any]] = []
        self._left = _TIMES * len(packed(document.root)) + _FEW  # bytes
        known = document.root.get("$defs", {})
        self._taken = {*known} if is_object(known) else set[str]()

    def node(self, node: Any) -> Any:
        """Return a schema with its references written anew."""
        if not is_object(node):
            return node
        reference = node.get("$ref")
        own = with_inner(node, self.node)
        if isinstance(reference, str) and not _USUAL.fullmatch(reference):
            target = self.document.target_of(node)
            own["$ref"] = self._named(*target) if target else reference
        return own

    def added(self) -> dict[str, Any]:
        """Return the schemas that are no definitions yet, by their new names."""
        made: dict[str, Any] = {}
        for name, target in self._targets:  # which grows meanwhile
            made[name] = self.node(target)
        return made

    def _named(self, pointer: str, schema: Any) -> str:
        if _USUAL.fullmatch(f"#{pointer}"):  # an anchor led there
            return f"#{pointer}"
        if pointer not in self._names:
            self._names[pointer] = name = self._name(pointer)
            self._targets.append((name, schema if pointer else _without_defs(schema)))
            self._left -= len(packed(schema))
            if self._left < 0:  # many references lead into parts of one large schema
                raise SchemaError(pointer, "the definitions are too large")
        return _DEFS + self._names[pointer]

    def _name(self, pointer: str) -> str:
        """Return a name for the schema at a pointer, which no other has."""
        last = steps(pointer)[-1:] or ["root"]
        made = first = _OTHER.sub("_", last[0][:60]).strip("_") or "schema"
        number = 2
        while made in self._taken:
            made, number = f"{first}_{number}", number + 1
        self._taken.add(made)
        return made
