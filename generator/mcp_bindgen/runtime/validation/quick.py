"""Looks whether a value fits, at many times the speed of `schema`; makes no faults.

A look knows one thing, that a value fits. All else is left to `schema`: a value that
does not fit or is no plain JSON, and a schema or a value that is costly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..json_values import SCALARS, are_scalars
from .node import EVERY, KINDS, Run, TooCostlyError
from .patterns import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .node import SchemaNode

__all__ = [
    "CONTAINERS",
    "DEEPEST",
    "FASTER",
    "Look",
    "Looks",
    "Maker",
    "Tables",
    "View",
]
__all__ += ["joined", "refuse"]

DEEPEST = 100
"""Values, or schemas, inside each other: far from the limits and Python's stack."""
FASTER = 4
"""Steps of a look that take as long as one of `schema`, at least."""
CONTAINERS = frozenset({dict, list})
_TEXT = frozenset({str})
_FEW = 50
"""Values that one loop sees faster than a look at all at once."""

Look: TypeAlias = Callable[[Any], int]
"""Returns 0 for a value that does not fit, and else how many values are in it.

A whole look looks at every value in the value: they all are plain JSON. Any other look
may stop early, and is right about plain JSON only.
"""


class Looks(dict[type, "Look | None"]):
    """The look for each class of values, made when it is needed; None accepts all."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[type], Look | None]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, kind: type) -> Look | None:
        if kind not in EVERY:
            return refuse
        look = self[kind] = self._make(kind)
        return look


class View(NamedTuple):
    """What a look is made for.

    Attributes:
        tables: The looks at the document.
        node: A schema in it.
        kind: The class of the values.
        whole: Whether the look must look at every value.
    """

    tables: Tables
    node: SchemaNode
    kind: type
    whole: bool = False

    def part(self, node: SchemaNode) -> Look | None:
        """Return the look of another schema at the same value; it may stop early."""
        return self.tables.of(node, whole=False)[self.kind]

    def same(self, node: SchemaNode) -> Look | None:
        """Return the look of another schema in place of this one."""
        return self.tables.of(node, whole=self.whole)[self.kind]

    def inside(self, node: SchemaNode) -> Looks:
        """Return the looks of another schema at the values in the value."""
        return self.tables.of(node, whole=self.whole)


Maker: TypeAlias = "Callable[[View], Look | None]"


@dataclass(slots=True)
class Tables:
    """The looks at one document, and the work of the look that is under way.

    Attributes:
        makers: Keyword to the classes of values that it speaks of, and to the maker.
        covers: Keywords of which one looks at every value, the fastest first.
        most: Work of one look.
        run: Counts it.
        looks: Schema, and whether its looks look at every value, to the looks.
    """

    makers: Mapping[str, tuple[tuple[type, ...], Maker]]
    covers: Sequence[str]
    most: int
    run: Run = field(default_factory=lambda: Run((), {}))
    looks: dict[tuple[SchemaNode, bool], Looks] = field(
        default_factory=dict["tuple[SchemaNode, bool]", Looks]
    )

    def of(self, node: SchemaNode, *, whole: bool) -> Looks:
        """Return the looks of a schema.

        Args:
            node: The schema.
            whole: Whether the looks must look at every value.
        """
        key = (node, whole)
        if key not in self.looks:
            self.looks[key] = Looks(lambda kind: _look(View(self, node, kind, whole)))
        return self.looks[key]

    def anything(self) -> Looks:
        """Return the looks that accept any plain JSON."""
        return Looks(lambda kind: self.whole if kind in CONTAINERS else None)

    def spend(self, steps: int) -> None:
        """Count work, and stop if it is too much.

        Raises:
            TooCostlyError: It is.
        """
        self.run.steps += steps
        if self.run.steps > self.most:
            raise TooCostlyError

    def matcher(self, pattern: str) -> Look:
        """Return the look at a text that must match a pattern; it counts characters.

        Raises:
            ValueError: The engine without a counter does not read the pattern.
        """
        is_match, run, most = compile_pattern(pattern), self.run, self.most

        def look(text: str) -> int:
            run.steps += 1 + len(text)
            if run.steps > most:
                raise TooCostlyError
            return is_match(text)

        return look

    def whole(self, value: Any) -> int:
        """Return how many values are in a value; 0 if one of them is no plain JSON."""
        if len(value) <= _FEW and (size := _flat(value)):
            self.spend(size)
            return size
        size = 1
        level: list[Any] = [value]
        for _ in range(DEEPEST):
            values: list[Any] = []
            for one in level:
                if one.__class__ is dict and _TEXT.issuperset(map(type, one)):
                    values += one.values()
                elif one.__class__ is list:
                    values += one
                else:
                    return 0
            size += len(values)
            self.spend(len(values) + len(level))
            if are_scalars(values):
                return size
            level = [one for one in values if type(one) not in SCALARS]
        raise TooCostlyError


def _flat(value: Any) -> int:
    """Return how many values are in a value without containers; 0 for all others."""
    values = value
    if value.__class__ is dict:
        for name in value:
            if type(name) is not str:
                return 0
        values = value.values()
    elif value.__class__ is not list:
        return 0
    for one in values:
        if type(one) not in SCALARS:
            return 0
    return len(value) + 1


def refuse(_value: object) -> int:
    """Accept no value."""
    return 0


def _look(view: View) -> Look | None:
    """Make the look of a schema; the keyword that covers the value is the last."""
    tables, node, kind, whole = view
    names = node.keywords.get("type", KINDS)
    names = [names] if isinstance(names, str) else names
    if not any(kind in KINDS[name] for name in names):
        return refuse
    makers = _makers(tables, node, kind)
    cover = next((key for key in tables.covers if whole and key in makers), "")
    part = View(tables, node, kind)
    looks = [make(part) for keyword, make in makers.items() if keyword != cover]
    if kind is float and "number" not in names:
        looks.append(float.is_integer)
    if cover:
        looks.append(makers[cover](view))
    elif whole and kind in CONTAINERS:
        looks.append(tables.whole)
    return joined(looks)


def _makers(tables: Tables, node: SchemaNode, kind: type) -> dict[str, Maker]:
    """Return the makers for the keywords that speak of a class of values."""
    return {
        keyword: tables.makers[keyword][1]
        for keyword in node.keywords
        if keyword in tables.makers and kind in tables.makers[keyword][0]
    }


def joined(looks: Sequence[Look | None]) -> Look | None:
    """Return a look that accepts what all accept; the last counts the values."""
    if refuse in looks:
        return refuse
    needed = [look for look in looks if look is not None]
    if len(needed) < 2:
        return needed[0] if needed else None
    first, *others = needed
    last = others.pop()

    def pair(value: object) -> int:
        return last(value) if first(value) else 0

    def many(value: object) -> int:
        if not first(value):
            return 0
        for look in others:
            if not look(value):
                return 0
        return last(value)

    return many if others else pair
