"""Finds the unions that have pydantic look at one part of a value too often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.python.expressions import Bracket, Expr, Name, Union, name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.schema.context import State, Union_

__all__ = ["costly_unions"]

# As many looks at one part, in a value as deep as the runtime takes them.
_MOST, _DEEPEST = 1_000, 200
_LEAF = name("")

# What is tried at one place in a value, and how often: classes, lists, dicts; leaves.
Spot: TypeAlias = "frozenset[tuple[Expr, int]]"
# For one step into the value: how often, and the spots one of which it leads to.
Option: TypeAlias = "tuple[tuple[int, frozenset[Spot]], ...]"
# The kind of container and the member, None for any.
Step: TypeAlias = "tuple[str, str | int | None]"


def costly_unions(state: State, root: Expr) -> set[Union_]:
    """Return the unions to give up, so that no value makes pydantic try too much.

    A union tries each member, so that two members with types for one property look
    at it twice, and at what is inside four times if the union stands there again.

    Args:
        state: The compiled schema.
        root: Its type.
    """
    graph = _Graph(state)
    options = graph.explore(graph.spot(root))
    tops = _tops(options, state)
    costly = {
        spot
        for spot, listed in options.items()
        if sum(count for _, count in spot) > _MOST
        or any(_is_costly(option, tops) for option in listed)
    }
    costly = {spot for spot in costly if _returns(spot, options)} or costly
    heads = {frozenset(head for head, _ in spot) for spot in costly}
    exact = {
        union
        for union, expr in state.unions.items()
        if frozenset(head for head, _ in graph.spot(expr)) in heads
    }
    return exact or (set(state.unions) if costly else set())


def _is_costly(option: Option, tops: dict[Spot, int]) -> bool:
    looks = sum(count * max(tops[spot] for spot in spots) for count, spots in option)
    return looks > _MOST and sum(count for count, _ in option) > 1


def _tops(options: dict[Spot, set[Option]], state: State) -> dict[Spot, int]:
    """Return how often, at most, anything inside each spot is looked at."""
    now = {spot: min(sum(n for _, n in spot), _MOST + 1) for spot in options}
    tops = dict(now)
    for _ in range(_DEEPEST):
        state.tick()
        before = now
        now = {
            spot: max((_looks(option, before) for option in listed), default=0)
            for spot, listed in options.items()
        }
        tops = {spot: max(top, now[spot]) for spot, top in tops.items()}
        if now == before:
            break
    return tops


def _looks(option: Option, inside: dict[Spot, int]) -> int:
    looks = sum(count * max(inside[spot] for spot in spots) for count, spots in option)
    return min(looks, _MOST + 1)


def _returns(start: Spot, options: dict[Spot, set[Option]]) -> bool:
    """Tell whether a spot stands inside itself."""
    pending, seen = [start], set[Spot]()
    while pending:
        for option in options[pending.pop()]:
            inner = {spot for _, spots in option for spot in spots} - seen
            pending += inner
            seen |= inner
    return start in seen


@dataclass(slots=True)
class _Graph:
    """The types of one schema as pydantic walks through them."""

    state: State
    aliases: dict[str, Spot] = field(default_factory=dict[str, "Spot"])

    def explore(self, root: Spot) -> dict[Spot, set[Option]]:
        """Return the options of a spot and of all inside it."""
        found: dict[Spot, set[Option]] = {}
        pending = [root]
        while pending:
            spot = pending.pop()
            if spot in found:
                continue
            self.state.tick()
            found[spot] = self._options(spot)
            pending += {
                inner
                for option in found[spot]
                for _, spots in option
                for inner in spots
            }
        return found

    def spot(self, expr: Expr) -> Spot:
        """Return what a type tries."""
        heads: Counter[Expr] = Counter()
        pending = [expr]
        while pending:
            found = pending.pop()
            if isinstance(found, Union):
                pending += found.members
            elif isinstance(found, Name) and found.code in self.state.same:
                pending.append(self.state.same[found.code])
            elif isinstance(found, Bracket) and _is_wrapper(found):
                pending.append(found.items[0].expr)
            else:
                heads.update(dict(self._alone(found)))
        return frozenset((head, min(n, _MOST + 1)) for head, n in heads.items())

    def _alone(self, expr: Expr) -> Spot:
        if isinstance(expr, Bracket):
            held = expr.head in {"list", "dict", "tuple", "Annotated"}
            return frozenset({(expr if held else _LEAF, 1)})
        draft = self.state.drafts.get(expr.code) if isinstance(expr, Name) else None
        if draft is None or draft.expr is None:
            return frozenset({(expr if draft else _LEAF, 1)})
        if draft.mark not in self.aliases:
            self.aliases[draft.mark] = frozenset()  # until it is known
            self.aliases[draft.mark] = self.spot(draft.expr)
        return self.aliases[draft.mark]

    def _options(self, spot: Spot) -> set[Option]:
        steps: dict[Step, list[tuple[int, frozenset[Spot]]]] = {}
        for head, count in spot:
            inner: dict[Step, set[Spot]] = {}
            for step, type_ in self._steps(head):
                inner.setdefault(step, set()).add(self.spot(type_))
            for step, spots in inner.items():
                steps.setdefault(step, []).append((count, frozenset(spots)))
        return {
            (*found, *(steps.get((step[0], None), []) if step[1] is not None else []))
            for step, found in steps.items()
        }

    def _steps(self, head: Expr) -> Iterator[tuple[Step, Expr]]:
        """Yield the types inside a container; those inside a tagged union, as well."""
        if isinstance(head, Name):
            draft = self.state.drafts.get(head.code)
            for wire, type_, *_ in draft.fields if draft else ():
                yield ("object", wire), type_
        elif isinstance(head, Bracket) and head.head == "tuple":
            for number, item in enumerate(head.items):
                yield ("array", number), item.expr
        elif isinstance(head, Bracket) and head.head == "Annotated":
            for member, _ in self.spot(head.items[0].expr):
                yield from self._steps(member)
        elif isinstance(head, Bracket):
            kind = "array" if head.head == "list" else "object"
            yield (kind, None), head.items[-1].expr


def _is_wrapper(expr: Bracket) -> bool:
    """Tell an annotated type from a union whose members a tag tells apart."""
    return expr.head == "Annotated" and not any(
        inner.prefix == "discriminator="
        for item in expr.items
        if isinstance(item.expr, Bracket)
        for inner in item.expr.items
    )
