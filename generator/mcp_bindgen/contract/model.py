"""The values of a comparison: grades, paths, changes and the whole report."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from mcp_bindgen.schema.document import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_bindgen.errors import Problem

__all__ = [
    "ABSENT",
    "BUMPS",
    "GRADES",
    "SCHEMAS",
    "Bump",
    "Change",
    "Grade",
    "Path",
    "Report",
    "SchemaChange",
    "Side",
    "Step",
    "fingerprint",
    "is_at_least",
    "show_path",
    "worst",
]

Grade: TypeAlias = Literal["none", "text", "compatible", "breaking"]
Bump: TypeAlias = Literal["none", "patch", "minor", "major"]
Side: TypeAlias = Literal["in", "out"]

SCHEMAS: dict[Side, str] = {"in": "inputSchema", "out": "outputSchema"}
"""The member of a tool that has the schema of each side."""

GRADES: tuple[Grade, ...] = ("none", "text", "compatible", "breaking")
BUMPS: dict[Grade, Bump] = {
    "none": "none",
    "text": "patch",
    "compatible": "minor",
    "breaking": "major",
}


class Step(NamedTuple):
    """One step into a value: a property, one or all elements, or all other names."""

    kind: Literal["name", "items", "item", "extra"]
    name: str = ""

    def __str__(self) -> str:
        """Return the step as a path shows it."""
        texts = {"items": "[]", "extra": "{}", "item": f"[{self.name}]"}
        return "/" + texts.get(self.kind, self.name)


Path: TypeAlias = tuple[Step, ...]


class _Absent:
    """The type of `ABSENT`, the mark of a missing value, which JSON does not have."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = _Absent()


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One difference of two schemas.

    Attributes:
        rule: The rule without its side: `REMOVED` for `PARAM_REMOVED`.
        path: The steps to the value that it is about.
        pointer: JSON pointer into the schema.
        old: The part that changed, as JSON, or `ABSENT`.
        new: The same in the new schema.
        gone: Whether the pointer leads into the old schema.
        unsure: Whether it is undecided if it breaks.
    """

    rule: str
    path: Path
    pointer: str
    old: Any = ABSENT
    new: Any = ABSENT
    gone: bool = field(default=False, kw_only=True)
    unsure: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Change:
    """One finding: a change, and its grades.

    Attributes:
        rule: Its rule, a key of `rules.RULES`.
        tool: Wire name of the tool, URI of the resource, or name of the prompt; "" for
            the server.
        path: The named path to the value, `in/rule/colors` or `out/hits/[]`.
        pointer: JSON pointer into the tool.
        symbol: The name in Python, as `search(owner)`.
        wire: A package of the old recording meets the new server.
        wire_strict: The same by the letter of JSON Schema.
        source: Typed callers of the old package meet the new one.
        message: One sentence.
        witness: A JSON value that was valid and is not; `ABSENT` for none.
        fingerprint: Equal for equal changes, at any line.
        gone: Whether the pointer leads into the old recording.
        unsure: Whether it counts as breaking because it is undecided.
    """

    rule: str
    tool: str
    path: str
    pointer: str
    symbol: str
    wire: Grade
    wire_strict: Grade
    source: Grade
    message: str
    witness: Any
    fingerprint: str
    gone: bool = False
    unsure: bool = False

    @property
    def grade(self) -> Grade:
        """The worse of the two axes."""
        return worst((self.wire, self.source))


@dataclass(frozen=True, slots=True)
class Report:
    """All changes between two recordings.

    Attributes:
        changes: The findings, breaking ones first.
        problems: Parts that could not be read or compared; with one, there may be more
            changes.
    """

    changes: tuple[Change, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def wire(self) -> Grade:
        """The worst grade on the wire."""
        return worst(change.wire for change in self.changes)

    @property
    def wire_strict(self) -> Grade:
        """The worst grade on the wire, by the letter of JSON Schema."""
        return worst(change.wire_strict for change in self.changes)

    @property
    def source(self) -> Grade:
        """The worst grade in source."""
        return worst(change.source for change in self.changes)

    @property
    def grade(self) -> Grade:
        """The worse of the two axes."""
        return worst((self.wire, self.source))

    @property
    def bump(self) -> Bump:
        """The part of a version that the changes ask for."""
        return BUMPS[self.grade]


def worst(grades: Iterable[Grade]) -> Grade:
    """Return the worst of some grades, `none` for no grade."""
    return max((*grades, GRADES[0]), key=GRADES.index)


def is_at_least(grade: Grade, bound: Grade) -> bool:
    """Return whether a grade is as bad as another, or worse."""
    return GRADES.index(grade) >= GRADES.index(bound)


def show_path(side: str, path: Path) -> str:
    """Return a path as text.

    Example: `show_path("in", (Step("name", "rule"),)) == "in/rule"`.
    """
    return side + "".join(map(str, path))


def fingerprint(rule: str, tool: str, path: str, old: object, new: object) -> str:
    """Return a text that is the same for the same change.

    It covers the rule, the tool, the named path and the values that changed: no line,
    no position, no message.
    """
    values = [None if value is ABSENT else [value] for value in (old, new)]
    text = canonical([rule, tool, path, *values])
    return hashlib.sha256(text.encode()).hexdigest()[:12]
