"""The state of compiling one root schema to types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mcp_bindgen.json_scan import count
from mcp_bindgen.limits import Budget, Limits
from mcp_bindgen.python.expressions import Expr, Name, Union, name, sub, union
from mcp_bindgen.python.plurals import singular
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.keywords import EFFECTIVE, RESIDUAL
from mcp_bindgen.schema.node import Node, SchemaError

if TYPE_CHECKING:
    from mcp_bindgen.schema.document import Document

__all__ = ["ANY", "NONE", "PLAIN", "ClassDraft", "Compile", "CompileContext"]
__all__ += ["DraftField", "Location", "UnionKey", "Word"]

# Steps for a schema, and for each JSON value in it: honest ones need a fifth of it.
_STEPS, _STEPS_EACH = 100, 2
_COMPARED = 8  # JSON values that are compared in the time of a step
# Words of a path that need the word before.
_GENERIC = re.compile(r"(?:Item|Variant)[0-9]*|Value|Key|(?:By|With)[A-Z].*")
_ALIASES = 50  # references to references that are followed
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

UnionKey: TypeAlias = "tuple[str, str]"
"""A union: the pointer of its schema, and the keyword that makes it one."""


class Word(NamedTuple):
    """A part of a class name, and how it is spelled where others have the same.

    Elements of `owners` are of the class `Owner`; where `owner` has one too, they are
    of the class `OwnersItem`.
    """

    short: str
    exact: str

    @property
    def says_nothing(self) -> bool:
        """Whether it needs the word before."""
        return _GENERIC.fullmatch(self.short) is not None


@dataclass(frozen=True, slots=True)
class Location:
    """The location of a schema: its pointer, and the words for a class there."""

    pointer: str
    path: tuple[Word, ...] = ()

    def at(self, *steps: str | int, word: str = "") -> Location:
        """Return a location inside of this one.

        Args:
            steps: Keys and indexes on the way.
            word: The word for a class there, "" for no other than here.
        """
        path = (*self.path, Word(word, word)) if word else self.path
        return Location(child(self.pointer, *steps), path)

    def names(self) -> Iterator[tuple[Word, ...]]:
        """Yield the words for a class here: the last that say something, then more."""
        for start in range(len(self.path) - 1, -1, -1):
            if start == 0 or not self.path[start].says_nothing:
                yield self.path[start:]

    def element(self, keyword: str) -> Location:
        """Return the location of an array's elements.

        Args:
            keyword: The keyword that describes them.
        """
        *outer, last = self.path
        one = singular(last.short) if outer else ""
        if not one:
            return self.at(keyword, word="Item")
        words = (*outer, Word(one, f"{last.exact}Item"))
        return Location(child(self.pointer, keyword), words)


@dataclass(frozen=True, slots=True)
class DraftField:
    """One property of a class that has no name yet.

    Attributes:
        wire: The property's name in JSON.
        type: Its type, with placeholders.
        required: Whether the object must have it.
        node: Its schema, for the docs.
    """

    wire: str
    type: Expr
    required: bool
    node: Mapping[str, Any]


@dataclass(slots=True)
class ClassDraft:
    """A class, or a named type, whose name is not yet known.

    Attributes:
        placeholder: Is in expressions in place of the name.
        location: The location of its schema.
        node: Its schema.
        type: The type that it names; None for a class.
        fields: The properties of a class.
        recursive: Whether a named type holds itself.
        closed: Whether the class forbids other properties.
    """

    placeholder: str
    location: Location
    node: Mapping[str, Any]
    type: Expr | None = None
    fields: list[DraftField] = field(default_factory=list[DraftField])
    recursive: bool = False
    closed: bool = False


@dataclass(slots=True)
class CompileContext:
    """The state of compiling one root schema.

    Attributes:
        document: The schema, which finds the targets of its references.
        role: The beginning of all placeholders of this schema.
        budget: Counts the steps of all schemas of the tool.
        definitions: Pointer of each definition that has a name itself, to the name.
        costly: How often each union multiplies the attempts of pydantic.
        size: JSON values in the schema.
        allowed_steps: Steps that a schema of this size may need.
        drafts: Placeholder to class or named type.
        objects: Pointer and identity of an object's schema to its placeholder.
        equals: Words for a class to the text of each schema with them, and that to
            its placeholder; None is in place of the last text.
        listed: Values of each long list to the placeholder of its type.
        references: Pointer that a `$ref` leads to, to its type.
        settled: The type of each placeholder that is settled.
        residual: Each keyword that types do not express, by its pointer.
        unions: Each union to its type.
        formats: The formats of a schema's texts, by its identity.
        alive: Schemas made on the way, whose identities must stay their own.
        steps: Steps taken.
        placeholders: The number of placeholders.
        depth: Levels of nesting at present, references followed.
    """

    document: Document
    role: str
    budget: Budget = field(default_factory=Budget)
    definitions: Mapping[str, str] = field(default_factory=dict[str, str])
    costly: Mapping[UnionKey, int] = field(default_factory=dict[UnionKey, int])
    size: int = field(init=False)
    allowed_steps: int = field(init=False)
    drafts: dict[str, ClassDraft] = field(default_factory=dict[str, ClassDraft])
    objects: dict[tuple[str, int], str] = field(
        default_factory=dict[tuple[str, int], str]
    )
    equals: dict[tuple[Word, ...], dict[str | None, str]] = field(
        default_factory=dict[tuple[Word, ...], dict[str | None, str]]
    )
    listed: dict[frozenset[object], str] = field(
        default_factory=dict[frozenset[object], str]
    )
    references: dict[str, Expr] = field(default_factory=dict[str, Expr])
    settled: dict[str, Expr] = field(default_factory=dict[str, Expr])
    residual: dict[str, str] = field(default_factory=dict[str, str])
    unions: dict[UnionKey, Expr] = field(default_factory=dict[UnionKey, Expr])
    formats: dict[int, frozenset[str]] = field(
        default_factory=dict[int, frozenset[str]]
    )
    alive: list[Node] = field(default_factory=list[Node])
    steps: int = 0
    placeholders: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        """Allow the work that fits the size of the schema."""
        self.size = count({**self.document.root})
        self.allowed_steps = _STEPS + _STEPS_EACH * self.size

    @property
    def limits(self) -> Limits:
        """How much of everything is allowed."""
        return self.budget.limits

    def new_placeholder(self) -> str:
        """Return a name that is replaced by the final one later."""
        self.placeholders += 1
        return f"{self.role}__{self.placeholders}"

    def check(self, location: Location, keyword: str) -> None:
        """Note a keyword that types do not express, for residual validation."""
        self.residual.setdefault(child(location.pointer, keyword), keyword)

    def note_residual(self, node: Mapping[str, Any], location: Location) -> None:
        """Note the keywords of a schema that no type ever expresses."""
        for keyword in RESIDUAL:
            has_no_effect = keyword in {"then", "else"} and "if" not in node
            if keyword in node and not has_no_effect:
                self.check(location, keyword)

    def either(self, location: Location, keyword: str, members: list[Expr]) -> Expr:
        """Return the union of types, or any type where it would have too many."""
        expr = ANY if ANY in members else union(members)
        if isinstance(expr, Union) and len(expr.members) > self.limits.branches:
            self.check(location, keyword)
            return ANY
        self.unions[location.pointer, keyword] = expr
        return expr

    def cost(self, location: Location, keyword: str) -> int:
        """Return how often the union here multiplies the attempts of pydantic."""
        return self.costly.get((location.pointer, keyword), 0)

    def enter(self, location: Location) -> None:
        """Count a step and a level of nesting; `leave` must follow.

        Raises:
            SchemaError: The schema is nested too deeply, or needs too many steps.
            BindgenError: It takes too long.
        """
        self.spend(location)
        self.depth += 1
        if self.depth > self.limits.depth:
            message = f"nested more than {self.limits.depth} levels deep"
            raise SchemaError(location.pointer, f"{message}, its references followed")

    def spend(self, location: Location, compared: int = 0) -> None:
        """Count a step, and values that are only compared, which is quicker.

        Args:
            location: Where the work is done.
            compared: JSON values that are compared.

        Raises:
            SchemaError: The schema needs too many steps for its size.
            StepsError: The recording needs too many.
        """
        self.budget.spend()
        self.steps += 1 + compared // _COMPARED
        if self.steps > self.allowed_steps:
            message = "its references multiply to more than can be read"
            raise SchemaError(location.pointer, message)

    def leave(self) -> None:
        """Count one level of nesting less."""
        self.depth -= 1

    def resolve(self, node: Node) -> Node:
        """Return the target of a reference; any other schema is returned itself."""
        for _ in range(_ALIASES):
            if isinstance(node, bool) or "$ref" not in node:
                return node
            # Until draft 7, keywords beside a reference have no effect.
            if not self.document.is_draft7 and node.keys() & EFFECTIVE != {"$ref"}:
                return node
            target = self.document.target_of(node)
            if target is None:
                return node
            _, node = target
        return node

    def class_of(self, expr: Expr) -> ClassDraft | None:
        """Return the draft of a type's class; None for a type that is no class."""
        settled = self.settled.get(expr.code, expr) if isinstance(expr, Name) else expr
        draft = self.drafts.get(settled.code) if isinstance(settled, Name) else None
        return draft if draft is not None and draft.type is None else None

    def named_type(self, expr: Expr) -> Expr:
        """Return the type that a placeholder names; any other type as it is."""
        draft = self.drafts.get(expr.code) if isinstance(expr, Name) else None
        return draft.type if draft is not None and draft.type is not None else expr


Compile: TypeAlias = Callable[[CompileContext, Node, Location], Expr]
"""Turns a schema at a location into its type."""
