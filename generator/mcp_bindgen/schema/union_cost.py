"""Finds the unions that make pydantic look at one part of a value too often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.python.expressions import Bracket, Expr, Name, Union, name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.schema.context import CompileContext, UnionKey

__all__ = ["costly_unions"]

# Pydantic may look at one part of a value so often, in a value as deep as the runtime
# accepts.
_MOST, _DEEPEST = 1_000, 200
_LOOKS_A_STEP = 16  # types and descents that are looked at in the time of a step
_LEAF = name("")

Candidates: TypeAlias = "frozenset[tuple[Expr, int]]"
"""The types that pydantic tries for one part of a value, and how often each: classes,
lists and dicts; all types with nothing inside are one leaf."""

Descent: TypeAlias = "tuple[tuple[int, frozenset[Candidates]], ...]"
"""One step into a value: how often it is made, and the candidates one of which it leads
to."""

Step: TypeAlias = "tuple[str, str | int | None]"
"""The kind of container, and the member that a step leads to, None for any."""


def costly_unions(context: CompileContext, root: Expr) -> set[UnionKey]:
    """Return the unions to drop, so that no value costs pydantic too many attempts.

    A union tries each member. So two members with types for one property look at it
    twice, and at its inner parts four times if the property has the union again.

    Args:
        context: The compiled schema.
        root: Its type.
    """
    if not context.unions:
        return set()
    graph = _Graph(context)
    descents = graph.explore(graph.candidates(root))
    costly = _costly_candidates(descents, context)
    # Only recursive types multiply without end; without any, all types count.
    costly = {c for c in costly if _returns(c, descents)} or costly
    types = {frozenset(type_ for type_, _ in candidates) for candidates in costly}
    exact = {
        union
        for union, expr in context.unions.items()
        if frozenset(type_ for type_, _ in graph.candidates(expr)) in types
    }
    return exact or (set(context.unions) if costly else set())


def _costly_candidates(
    descents: dict[Candidates, set[Descent]], context: CompileContext
) -> set[Candidates]:
    """Return the candidates that are tried too often, or cause too many attempts."""
    most = _most_looks(descents, context)
    return {
        candidates
        for candidates, steps in descents.items()
        if sum(count for _, count in candidates) > _MOST
        or any(_is_costly(step, most) for step in steps)
    }


def _is_costly(step: Descent, most: dict[Candidates, int]) -> bool:
    looks = sum(count * max(most[c] for c in inner) for count, inner in step)
    return looks > _MOST and sum(count for count, _ in step) > 1


def _most_looks(
    descents: dict[Candidates, set[Descent]], context: CompileContext
) -> dict[Candidates, int]:
    """Return how often, at most, a part inside of each candidate is looked at."""
    looks = {c: min(sum(n for _, n in c), _MOST + 1) for c in descents}
    most = dict(looks)
    cost = 1 + sum(map(len, descents.values())) // _LOOKS_A_STEP
    # Each round goes one level deeper into the value.
    for _ in range(_DEEPEST):
        context.budget.spend(cost)
        before = looks
        looks = {
            candidates: max((_looks(step, before) for step in steps), default=0)
            for candidates, steps in descents.items()
        }
        most = {c: max(number, looks[c]) for c, number in most.items()}
        if looks == before:
            break
    return most


def _looks(step: Descent, inside: dict[Candidates, int]) -> int:
    looks = sum(count * max(inside[c] for c in inner) for count, inner in step)
    return min(looks, _MOST + 1)


def _returns(start: Candidates, descents: dict[Candidates, set[Descent]]) -> bool:
    """Return whether a candidate is tried again somewhere inside."""
    pending, visited = [start], set[Candidates]()
    while pending:
        inner = _inside(descents[pending.pop()]) - visited
        pending += inner
        visited |= inner
    return start in visited


def _inside(steps: set[Descent]) -> set[Candidates]:
    """Return all types that one step may lead to."""
    return {c for step in steps for _, inner in step for c in inner}


@dataclass(slots=True)
class _Graph:
    """The types of one schema as pydantic walks through them.

    Attributes:
        context: The compiled schema.
        aliases: The candidates of each named type, by its placeholder.
    """

    context: CompileContext
    aliases: dict[str, Candidates] = field(default_factory=dict[str, Candidates])

    def explore(self, root: Candidates) -> dict[Candidates, set[Descent]]:
        """Return the steps into a value from candidates, and from all inside them."""
        descents: dict[Candidates, set[Descent]] = {}
        pending = [root]
        while pending:
            candidates = pending.pop()
            if candidates in descents:
                continue
            descents[candidates] = self._descents(candidates)
            cost = 1 + len(descents[candidates]) // _LOOKS_A_STEP
            self.context.budget.spend(cost)
            pending += _inside(descents[candidates])
        return descents

    def candidates(self, expr: Expr) -> Candidates:
        """Return the candidates that pydantic tries for a type."""
        tried: Counter[Expr] = Counter()
        pending = [expr]
        settled = self.context.settled
        looked_at = 0
        while pending:
            type_ = pending.pop()
            looked_at += 1
            if looked_at % _LOOKS_A_STEP == 0:
                self.context.budget.spend()
            if isinstance(type_, Union):
                pending += type_.members
            elif isinstance(type_, Name) and type_.code in settled:
                pending.append(settled[type_.code])
            elif isinstance(type_, Bracket) and _is_wrapper(type_):
                pending.append(type_.items[0].expr)
            else:
                tried.update(dict(self._alone(type_)))
        return frozenset((type_, min(n, _MOST + 1)) for type_, n in tried.items())

    def _alone(self, expr: Expr) -> Candidates:
        """Return the candidates of a type that is no union."""
        if isinstance(expr, Bracket):
            is_container = expr.head in {"list", "dict", "tuple", "Annotated"}
            return frozenset({(expr if is_container else _LEAF, 1)})
        draft = self.context.drafts.get(expr.code) if isinstance(expr, Name) else None
        if draft is None or draft.type is None:
            return frozenset({(expr if draft else _LEAF, 1)})
        if draft.placeholder not in self.aliases:
            self.aliases[draft.placeholder] = frozenset()  # until it is known
            self.aliases[draft.placeholder] = self.candidates(draft.type)
        return self.aliases[draft.placeholder]

    def _descents(self, candidates: Candidates) -> set[Descent]:
        """Return each step that a value may be entered by."""
        steps: dict[Step, list[tuple[int, frozenset[Candidates]]]] = {}
        for type_, count in candidates:
            inner: dict[Step, set[Candidates]] = {}
            for step, member in self._members(type_):
                inner.setdefault(step, set()).add(self.candidates(member))
            for step, options in inner.items():
                steps.setdefault(step, []).append((count, frozenset(options)))
        # A step to a named member is made by the types for any member as well.
        return {
            (*made, *(steps.get((kind, None), []) if member is not None else []))
            for (kind, member), made in steps.items()
        }

    def _members(self, expr: Expr) -> Iterator[tuple[Step, Expr]]:
        """Yield the types inside a container; those inside a tagged union, as well."""
        if isinstance(expr, Name):
            draft = self.context.drafts.get(expr.code)
            for property_ in draft.fields if draft else ():
                yield ("object", property_.wire), property_.type
        elif isinstance(expr, Bracket):
            yield from self._members_of_bracket(expr)

    def _members_of_bracket(self, expr: Bracket) -> Iterator[tuple[Step, Expr]]:
        if expr.head == "tuple":
            for number, item in enumerate(expr.items):
                yield ("array", number), item.expr
        elif expr.head == "Annotated":
            for type_, _ in self.candidates(expr.items[0].expr):
                yield from self._members(type_)
        else:
            kind = "array" if expr.head == "list" else "object"
            yield (kind, None), expr.items[-1].expr


def _is_wrapper(expr: Bracket) -> bool:
    """Tell an annotated type from a union whose members a tag tells apart."""
    return expr.head == "Annotated" and not any(
        inner.prefix == "discriminator="
        for item in expr.items
        if isinstance(item.expr, Bracket)
        for inner in item.expr.items
    )
