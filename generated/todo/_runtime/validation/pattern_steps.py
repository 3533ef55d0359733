# Copied by mcp-bindgen. Do not edit.
"""Steps of a pattern that leave no choice: each moves on in the text, or it fails.

A step takes an attempt, a position in its text and the registers; it returns the next
position and registers, or None where the text does not match.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol, TypeAlias

from .. import limits
from .patterns import searcher

__all__ = [
    "EDGES",
    "Attempt",
    "Registers",
    "Spend",
    "State",
    "Step",
    "character",
    "forget",
    "look",
    "progressed",
    "same",
    "save",
]

Spend: TypeAlias = Callable[[int], None]
"""Takes a number of steps, and raises where they are too many."""

# The positions where groups begin and end, and iterations begin; -1 for none. A pattern
# without back-references needs none of it, so that more states are equal.
Registers: TypeAlias = tuple[int, ...]
State: TypeAlias = tuple[int, int, Registers]
"""Number of an instruction, position in the text, registers."""


class Attempt(Protocol):
    """A search in one text."""

    @property
    def text(self) -> str:
        """The text."""
        ...

    @property
    def spend(self) -> Spend:
        """Counts steps."""
        ...

    def run(self, start: State, /) -> Registers | None:
        """Return the registers at the end of the first match from a state on."""
        ...


Step: TypeAlias = Callable[[Attempt, int, Registers], tuple[int, Registers] | None]


def character(rust: str, *, backward: bool) -> Step:
    """Make the step over one character of a set, which is written for Rust."""
    fits = _one_of(rust)

    def ahead(
        attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        text = attempt.text
        if position < len(text) and fits(text[position]):
            return position + 1, registers
        return None

    def behind(
        attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        if position and fits(attempt.text[position - 1]):
            return position - 1, registers
        return None

    return behind if backward else ahead


@lru_cache(maxsize=limits.PATTERN_SETS)
def _one_of(rust: str) -> Callable[[str], bool]:
    return searcher(f"^{rust}$")


def same(group: int, *, backward: bool) -> Step:
    """Make the step over the text of a group."""

    def step(
        attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        start, end = registers[2 * group : 2 * group + 2]
        if start < 0 or end < 0:  # a group that took no part is the empty text
            return position, registers
        length = end - start
        attempt.spend(length // limits.CHARACTERS_A_STEP)
        begin = position - length if backward else position
        if begin < 0 or not attempt.text.startswith(attempt.text[start:end], begin):
            return None
        return position + (-length if backward else length), registers

    return step


def save(register: int) -> Step:
    """Make the step that notes the position in a register."""
    return lambda _attempt, position, registers: (
        position,
        (*registers[:register], position, *registers[register + 1 :]),
    )


def progressed(register: int) -> Step:
    """Make the step that ends a match where an iteration has matched nothing."""

    def step(
        attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        del attempt
        return None if registers[register] == position else (position, registers)

    return step


def forget(groups: range) -> Step:
    """Make the step that empties groups: each iteration begins without them."""
    first, end = 2 * groups.start, 2 * groups.stop
    return lambda _attempt, position, registers: (
        position,
        (*registers[:first], *(-1,) * (end - first), *registers[end:]),
    )


def look(start: int, *, negative: bool) -> Step:
    """Make the step that runs the instructions from `start` on, and does not move."""

    def step(
        attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        end = attempt.run((start, position, registers))
        if negative:
            return (position, registers) if end is None else None
        return None if end is None else (position, end)

    return step


def _edge(sign: str) -> Step:
    def step(
        attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        text = attempt.text
        if sign == "^":
            fits = position == 0
        elif sign == "$":
            fits = position == len(text)
        else:
            before = position > 0 and text[position - 1] in _WORD
            after = position < len(text) and text[position] in _WORD
            fits = (before is not after) is (sign == r"\b")
        return (position, registers) if fits else None

    return step


_WORD = frozenset(string.ascii_letters + string.digits + "_")
EDGES = {sign: _edge(sign) for sign in ("^", "$", r"\b", r"\B")}
