# Copied by mcp-bindgen. Do not edit.
r"""Tells of two patterns that no text matches both: `^[a-z]+$` and `^[0-9]`."""

from __future__ import annotations

from functools import lru_cache

from .. import limits
from .pattern_reach import UNREAD, share_character
from .pattern_tree import (
    Character,
    Edge,
    Either,
    Group,
    Look,
    Part,
    Repeat,
    Same,
    Series,
    parse_pattern,
)

__all__ = ["never_meet"]

_ANY = r"[\u{0}-\u{10ffff}]"


def never_meet(pattern: str, other: str) -> bool:
    """Return whether it is certain that no text matches two patterns.

    Example: `never_meet("^[a-z]+$", "[0-9]")`, but not "^[a-z]+" and "[0-9]".

    Args:
        pattern: The one pattern, of ECMA-262.
        other: The other one.
    """
    try:
        return not _meet(_Automaton(pattern), _Automaton(other))
    except UNREAD:
        return False


class _Automaton:
    """A pattern as states, and characters that lead from one to the next.

    It accepts too much where a part is an edge inside, or between words.

    Args:
        pattern: The pattern.

    Raises:
        ValueError: It is malformed, too large, or refers to what it has matched.
    """

    def __init__(self, pattern: str) -> None:
        bare = pattern.removeprefix("(?i)")
        self._flags = "(?i)" if bare != pattern else ""
        self.free: list[set[int]] = []
        """States that each state leads to without a character."""
        self.steps: list[list[tuple[str, int]]] = []
        self.end = self._state()
        self.begin = self._whole(parse_pattern(bare).part)

    def _state(self) -> int:
        if len(self.free) > limits.PATTERN_PAIRS // 10:
            raise ValueError("the pattern is too large")
        self.free.append(set())
        self.steps.append([])
        return len(self.free) - 1

    def _step(self, rust: str, to: int) -> int:
        state = self._state()
        self.steps[state].append((f"{self._flags}{rust}", to))
        return state

    def _loop(self, part: Part, to: int) -> int:
        """Add a part that matches any number of times."""
        state = self._state()
        self.free[state] = {to, self._add(part, state)}
        return state

    def _whole(self, part: Part) -> int:
        """Add a pattern and all that may be before and behind its match."""
        match part:
            case Group(inner, _):
                return self._whole(inner)
            case Either(branches):
                state = self._state()
                self.free[state] = {*map(self._whole, branches)}
                return state
            case _:
                parts = part.parts if isinstance(part, Series) else (part,)
        to = self.end
        if parts[-1:] != (Edge("$"),):
            to = self._loop(Character(_ANY), to)
        to = self._add(Series(parts), to)
        return to if parts[:1] == (Edge("^"),) else self._loop(Character(_ANY), to)

    def _add(self, part: Part, to: int) -> int:
        """Add a part that leads to a state; return the state that it begins in."""
        match part:
            case Character(rust):
                return self._step(rust, to)
            case Edge():
                return to
            case Series(parts):
                for inner in reversed(parts):
                    to = self._add(inner, to)
                return to
            case Either(branches):
                state = self._state()
                self.free[state] = {self._add(one, to) for one in branches}
                return state
            case Group(inner, _):
                return self._add(inner, to)
            case Repeat():
                return self._add_repeat(part, to)
            case Same() | Look():
                raise ValueError("nothing is known of what it matches")

    def _add_repeat(self, repeat: Repeat, to: int) -> int:
        end = to
        if repeat.most is None:
            to = self._loop(repeat.part, to)
        for _ in range((repeat.most or repeat.least) - repeat.least):
            state = self._state()
            self.free[state] = {end, self._add(repeat.part, to)}
            to = state
        for _ in range(repeat.least):
            to = self._add(repeat.part, to)
        return to


def _meet(one: _Automaton, other: _Automaton) -> bool:
    """Return whether some text leads both to their ends.

    Raises:
        ValueError: The patterns are too large.
    """
    pending = [(one.begin, other.begin)]
    visited = {*pending}
    while pending:
        first, second = pending.pop()
        if (first, second) == (one.end, other.end):
            return True
        pairs = [(state, second) for state in one.free[first]]
        pairs += [(first, state) for state in other.free[second]]
        pairs += [
            (after, other_after)
            for rust, after in one.steps[first]
            for other_rust, other_after in other.steps[second]
            if _share(rust, other_rust)
        ]
        pending += {*pairs} - visited
        visited |= {*pairs}
        if len(visited) > limits.PATTERN_PAIRS:
            raise ValueError("the patterns are too large")
    return False


@lru_cache(maxsize=2_000)
def _share(rust: str, other: str) -> bool:
    """Return whether a character is in two sets, written for the Rust engine."""
    if rust == other or _ANY in (rust, other):
        return True
    any_case = "(?i)" in (rust[:4], other[:4])
    one, two = (text.removeprefix("(?i)") for text in (rust, other))
    return share_character(one, two, any_case=any_case)
