"""What is known so far while one root schema becomes types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .layout import Expr, name, sub
from .schema import EFFECTIVE, Document, Node, SchemaError, child

__all__ = ["ANY", "CHECKED", "NONE", "PLAIN", "Compile", "Draft", "Place", "State"]

STEPS = 50_000
ANY, NONE = name("Any"), name("None")
PLAIN: dict[str, Expr] = {
    "null": NONE,
    "boolean": name("Boolean"),
    "integer": name("Integer"),
    "number": name("Number"),
    "string": name("String"),
    "array": sub("list", ANY),
    "object": sub("dict", name("str"), ANY),
}
# Keywords that only the second step checks, whatever the type.
CHECKED = (
    "not", "if", "then", "else", "contains", "dependentRequired", "dependentSchemas",
    "dependencies", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef",
    "$recursiveRef",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """Where a schema stands: its pointer, and the words for a class there."""

    pointer: str
    path: tuple[str, ...] = ()

    def at(self, *steps: str | int, word: str = "") -> Place:
        """Return a place further inside."""
        path = (*self.path, word) if word else self.path
        return Place(child(self.pointer, *steps), path)


@dataclass(slots=True)
class Draft:
    """A class whose name is not yet known; `mark` stands for it in expressions."""

    mark: str
    place: Place
    title: str
    node: Mapping[str, Any]
    expr: Expr | None = None
    fields: list[tuple[str, Expr, bool, Mapping[str, Any]]] = field(
        default_factory=list[tuple[str, Expr, bool, Mapping[str, Any]]]
    )
    recursive: bool = False
    closed: bool = False


@dataclass(slots=True)
class State:
    """What is known so far of one root schema."""

    document: Document
    role: str
    drafts: dict[str, Draft] = field(default_factory=dict[str, Draft])
    objects: dict[tuple[str, int], str] = field(
        default_factory=dict[tuple[str, int], str]
    )
    refs: dict[str, Expr] = field(default_factory=dict[str, Expr])
    same: dict[str, Expr] = field(default_factory=dict[str, Expr])
    checked: dict[str, str] = field(default_factory=dict[str, str])
    unenforced: dict[str, str] = field(default_factory=dict[str, str])
    keep: list[Node] = field(default_factory=list[Node])
    steps: int = 0

    def mark(self) -> str:
        """Return a new stand-in for a name."""
        self.steps += 1
        return f"{self.role}__{self.steps}"

    def check(self, place: Place, keyword: str) -> None:
        """Note that types do not say this keyword, so that the second step must."""
        self.checked.setdefault(child(place.pointer, keyword), keyword)

    def step(self, place: Place) -> None:
        """Count the work.

        Raises:
            SchemaError: It is too much for one schema.
        """
        self.steps += 1
        if self.steps > STEPS:
            raise SchemaError(place.pointer, f"takes more than {STEPS} steps to read")

    def resolve(self, node: Node) -> Node:
        """Follow a reference that stands alone; other schemas come back as they are."""
        for _ in range(50):
            if isinstance(node, bool) or node.keys() & EFFECTIVE != {"$ref"}:
                return node
            found = self.document.target(node["$ref"])
            if found is None:
                return node
            node = found[1]
        return node


Compile: TypeAlias = Callable[[State, Node, Place], Expr]
