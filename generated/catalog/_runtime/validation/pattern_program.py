# Copied by mcp-bindgen. Do not edit.
"""Writes the program of a pattern: steps, and the choices between them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from .. import limits
from .pattern_steps import EDGES, Step, character, forget, look, progressed, same, save
from .pattern_steps_counted import begin, count, iterate, leave
from .pattern_tree import (
    Character,
    Edge,
    Either,
    Group,
    Look,
    Part,
    Pattern,
    Repeat,
    Same,
    Series,
)

__all__ = ["Accept", "Instruction", "Jump", "Program", "Split"]


class Split(NamedTuple):
    """Continues at one instruction and, if that fails, at another."""

    first: int
    second: int


class Jump(NamedTuple):
    """Continues at another instruction."""

    to: int


class Accept(NamedTuple):
    """Ends a match."""


Instruction: TypeAlias = "Split | Jump | Accept | Step"


class Program:
    """The instructions of a pattern, while they are written."""

    def __init__(self, pattern: Pattern) -> None:
        self.code: list[Instruction] = []
        self.registers = 2 * (pattern.groups + 1) if pattern.refers else 0
        self._reserved = self.registers
        self._names = pattern.names
        self._refers = pattern.refers

    def append(self, instruction: Instruction) -> int:
        """Add an instruction, and return its number.

        Raises:
            ValueError: The program is too large.
        """
        if len(self.code) >= limits.PATTERN_STATES:
            raise ValueError("the pattern is too large")
        self.code.append(instruction)
        return len(self.code) - 1

    def add(self, part: Part, *, backward: bool) -> None:
        """Add a part; one that looks behind is read from its end to its start."""
        match part:
            case Character(rust):
                self.append(character(rust, backward=backward))
            case Edge(sign):
                self.append(EDGES[sign])
            case Same(group):
                number = self._names[group] if isinstance(group, str) else group
                self.append(same(number, backward=backward))
            case Series(parts):
                for inner in reversed(parts) if backward else parts:
                    self.add(inner, backward=backward)
            case Either(branches):
                self._add_either(branches, backward=backward)
            case Group(inner, number):
                self._save(2 * number + backward)
                self.add(inner, backward=backward)
                self._save(2 * number + (not backward))
            case Look():
                self._add_look(part)
            case Repeat():
                self._add_repeat(part, backward=backward)

    def _save(self, register: int) -> None:
        if self._refers:
            self.append(save(register))

    def _add_either(self, branches: tuple[Part, ...], *, backward: bool) -> None:
        ends: list[int] = []
        for branch in branches[:-1]:
            split = self.append(Jump(0))
            self.add(branch, backward=backward)
            ends.append(self.append(Jump(0)))
            self.code[split] = Split(split + 1, len(self.code))
        self.add(branches[-1], backward=backward)
        for end in ends:
            self.code[end] = Jump(len(self.code))

    def _add_look(self, part: Look) -> None:
        """Add a program of its own, and the step that runs it."""
        over = self.append(Jump(0))
        self.add(part.part, backward=part.behind)
        self.append(Accept())
        self.code[over] = Jump(len(self.code))
        self.append(look(over + 1, negative=part.negative))

    def _add_repeat(self, repeat: Repeat, *, backward: bool) -> None:
        if repeat.least > 1 or (repeat.most or 0) > 1:
            self._add_counted(repeat, backward=backward)
            return
        if repeat.least:
            self._add_iteration(repeat, backward=backward)
        if repeat.least == repeat.most:
            return
        split = self.append(Jump(0))
        began = self._reserve(1) if self._refers else None
        if began is not None:
            self.append(save(began))
        self._add_iteration(repeat, backward=backward)
        if began is not None:
            self.append(progressed(began))
            self._reserved -= 1
        if repeat.most is None:
            self.append(Jump(split))
        self._set_split(split, repeat)

    def _add_counted(self, repeat: Repeat, *, backward: bool) -> None:
        """Add a loop that counts its iterations: `.{16,2044}` would be 2,044 copies.

        Raises:
            ValueError: No check has as many steps.
        """
        if repeat.least > limits.CHECK_STEPS // limits.PATTERN_STEP_COST:
            raise ValueError("the pattern repeats too often")
        counter = self._reserve(2)
        self.append(begin(counter))
        split = self.append(Jump(0))
        self.append(iterate(counter, repeat.most))
        self._add_iteration(repeat, backward=backward)
        self.append(count(counter, repeat.least, bounded=repeat.most is not None))
        self.append(Jump(split))
        self._set_split(split, repeat)
        self.append(leave(counter, repeat.least))
        self._reserved -= 2

    def _reserve(self, number: int) -> int:
        """Return the first of new registers; parts that follow use them again."""
        first = self._reserved
        self._reserved += number
        self.registers = max(self.registers, self._reserved)
        return first

    def _set_split(self, split: int, repeat: Repeat) -> None:
        ways = (split + 1, len(self.code))
        self.code[split] = Split(*(reversed(ways) if repeat.lazy else ways))

    def _add_iteration(self, repeat: Repeat, *, backward: bool) -> None:
        if self._refers and repeat.groups:
            self.append(forget(repeat.groups))
        self.add(repeat.part, backward=backward)
