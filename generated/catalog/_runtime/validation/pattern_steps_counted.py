# Copied by mcp-bindgen. Do not edit.
"""The steps of a loop that counts its iterations.

A loop has two registers: the number of iterations, and the position where the current
one began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pattern_steps import Attempt, Registers, Step

__all__ = ["begin", "count", "iterate", "leave"]


def begin(counter: int) -> Step:
    """Make the step before a loop: no iterations yet."""
    return lambda _attempt, position, registers: (
        position,
        _replaced(registers, counter, (0, -1)),
    )


def iterate(counter: int, most: int | None) -> Step:
    """Make the step that begins an iteration; it fails after the last one."""

    def step(
        _attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        done = registers[counter]
        if done == most:
            return None
        return position, _replaced(registers, counter, (done, position))

    return step


def count(counter: int, least: int, *, bounded: bool) -> Step:
    """Make the step that ends an iteration."""

    def step(
        _attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        done, began = registers[counter] + 1, registers[counter + 1]
        if position == began and done > least:
            return None  # ECMA-262: an optional iteration matches something
        if not bounded:
            done = min(done, least)
        return position, _replaced(registers, counter, (done, -1))

    return step


def leave(counter: int, least: int) -> Step:
    """Make the step behind a loop; it fails before the required iterations."""

    def step(
        _attempt: Attempt, position: int, registers: Registers
    ) -> tuple[int, Registers] | None:
        if registers[counter] < least:
            return None
        return position, _replaced(registers, counter, (-1, -1))

    return step


def _replaced(registers: Registers, first: int, two: tuple[int, int]) -> Registers:
    return (*registers[:first], *two, *registers[first + 2 :])
