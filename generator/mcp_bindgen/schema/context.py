"""What is known so far while one root schema becomes types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mcp_bindgen.deadline import Tick, never
from mcp_bindgen.json_reader import count
from mcp_bindgen.limits import DEFAULT, Limits
from mcp_bindgen.python.expressions import Expr, Union, name, sub, union
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import EFFECTIVE, Document, Node, SchemaError

__all__ = ["ANY", "CHECKED", "NONE", "PLAIN", "Compile", "Draft", "Place", "State"]
__all__ += ["Union_"]

# Steps for a schema, and for each JSON value in it: honest ones need a fifth of it.
_STEPS, _STEPS_EACH = 100, 2
_GLANCES = 8  # JSON values that are compared in the time of a step
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
# Keywords that only residual validation checks, whatever the type.
CHECKED = (
    "not", "if", "then", "else", "contains", "dependentRequired", "dependentSchemas",
    "dependencies", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef",
    "$recursiveRef",
)  # fmt: skip


# Where a union stands: the pointer of its schema, and the keyword that makes it.
Union_: TypeAlias = "tuple[str, str]"


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
    limits: Limits = DEFAULT
    tick: Tick = never
    costly: Mapping[Union_, int] = field(default_factory=dict[Union_, int])
    allowed: int = field(init=False)
    nodes: int = field(init=False)
    drafts: dict[str, Draft] = field(default_factory=dict[str, Draft])
    objects: dict[tuple[str, int], str] = field(
        default_factory=dict[tuple[str, int], str]
    )
    refs: dict[str, Expr] = field(default_factory=dict[str, Expr])
    same: dict[str, Expr] = field(default_factory=dict[str, Expr])
    checked: dict[str, str] = field(default_factory=dict[str, str])
    unions: dict[Union_, Expr] = field(default_factory=dict[Union_, "Expr"])
    keep: list[Node] = field(default_factory=list[Node])
    steps: int = 0
    marks: int = 0
    level: int = 0

    def __post_init__(self) -> None:
        """Allow as much work as the size of the schema deserves."""
        self.nodes = count(self.document.root)
        self.allowed = _STEPS + _STEPS_EACH * self.nodes

    def mark(self) -> str:
        """Return a new stand-in for a name."""
        self.marks += 1
        return f"{self.role}__{self.marks}"

    def check(self, place: Place, keyword: str) -> None:
        """Note that types do not say this keyword, so that residual validation must."""
        self.checked.setdefault(child(place.pointer, keyword), keyword)

    def either(self, place: Place, keyword: str, members: list[Expr]) -> Expr:
        """Return the union of types, or any type where it would have too many."""
        expr = ANY if ANY in members else union(members)
        if isinstance(expr, Union) and len(expr.members) > self.limits.branches:
            self.check(place, keyword)
            return ANY
        self.unions[place.pointer, keyword] = expr
        return expr

    def cost(self, place: Place, keyword: str) -> int:
        """Return how often the union here was found to multiply what is tried."""
        return self.costly.get((place.pointer, keyword), 0)

    def enter(self, place: Place) -> None:
        """Count the work and the depth; `leave` must follow.

        Raises:
            SchemaError: It is too much for one schema.
            BindgenError: It takes too long.
        """
        self.spend(place)
        self.level += 1
        if self.level > self.limits.depth:
            message = f"nested more than {self.limits.depth} levels deep"
            raise SchemaError(place.pointer, f"{message}, its references followed")

    def spend(self, place: Place, looked_at: int = 0) -> None:
        """Count a step, and what is only looked at, which is quicker.

        Args:
            place: Where the work is done.
            looked_at: JSON values that are compared.

        Raises:
            SchemaError: It is too much for one schema.
            BindgenError: It takes too long.
        """
        self.tick()
        self.steps += 1 + looked_at // _GLANCES
        if self.steps > self.allowed:
            message = "its references multiply to more than can be read"
            raise SchemaError(place.pointer, message)

    def leave(self) -> None:
        """Count one level less."""
        self.level -= 1

    def resolve(self, node: Node) -> Node:
        """Follow a reference that stands alone; other schemas come back as they are."""
        for _ in range(50):
            if isinstance(node, bool) or "$ref" not in node:
                return node
            # Until draft 7 nothing counts beside a reference.
            if not self.document.is_draft7 and node.keys() & EFFECTIVE != {"$ref"}:
                return node
            found = self.document.target(node["$ref"])
            if found is None:
                return node
            node = found[1]
        return node


Compile: TypeAlias = Callable[[State, Node, Place], Expr]
