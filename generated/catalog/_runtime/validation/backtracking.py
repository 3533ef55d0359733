# Copied by mcp-bindgen. Do not edit.
r"""Runs patterns that pydantic's engine cannot: with look-around, back-references.

Python's own `re` has no bound on its steps, and reads `$`, `\d` and `\s` in another
way. So this is a small machine that counts each step. It remembers the choices that
failed: without back-references, the steps grow no faster than the text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from .. import limits
from .pattern_program import Accept, Instruction, Jump, Program, Split
from .pattern_steps import EDGES, Registers, Spend, State
from .pattern_tree import parse_pattern
from .patterns import compile_pattern, states

__all__ = ["Matcher", "pattern_matcher", "pattern_states"]

Matcher: TypeAlias = Callable[[str, Spend], bool]
"""Tells whether a text matches a pattern anywhere; counts its steps."""


@lru_cache(maxsize=limits.PATTERNS)
def pattern_matcher(pattern: str) -> Matcher:
    """Make the test whether a text matches a pattern of ECMA-262 anywhere.

    Raises:
        ValueError: No engine here reads the pattern.
    """
    try:
        is_match = compile_pattern(pattern)
    except ValueError:
        return _backtracking(pattern)

    def linear(text: str, spend: Spend) -> bool:
        spend(len(text) // limits.ELEMENTS_A_STEP)
        return is_match(text)

    return linear


@dataclass(slots=True)
class _Attempt:
    """One text that is searched.

    Attributes:
        code: The program of the pattern.
        text: The text.
        spend: Counts steps.
        ends: Split to the registers at the end of its match; None where it has none.
    """

    code: list[Instruction]
    text: str
    spend: Spend
    ends: dict[State, Registers | None] = field(
        default_factory=dict["State", "Registers | None"]
    )

    def run(self, start: State) -> Registers | None:
        """Return the registers at the end of the first match from a state on."""
        visited: set[State] = set()
        path: list[State] = []  # the splits between the start and here
        pending = [(start, 0)]
        while pending:
            state, length = pending.pop()
            del path[length:]
            while moved := self._next_split(*state):
                at, position, registers = state = moved
                split = self.code[at]
                if not isinstance(split, Split):
                    return self._match(path, registers)
                # A visited one led nowhere, or is a loop that made no progress.
                if state in visited:
                    break
                if state in self.ends:
                    end = self.ends[state]
                    if end is None:
                        break
                    return self._match(path, end)
                visited.add(state)
                path.append(state)
                pending.append(((split.second, position, registers), len(path)))
                state = (split.first, position, registers)
        self.ends.update(dict.fromkeys(visited))
        return None

    def _match(self, path: list[State], registers: Registers) -> Registers:
        """Note that each split on the path leads to this match.

        The others that were visited may lead to one too: some wait for a split of the
        path that comes after them in a loop.
        """
        self.ends.update(dict.fromkeys(path, registers))
        return registers

    def _next_split(self, at: int, position: int, registers: Registers) -> State | None:
        """Run to the next choice or match; up to there, there is only one way."""
        steps = 0
        while True:
            steps += 1
            step = self.code[at]
            if isinstance(step, (Split, Accept)):
                self.spend(limits.PATTERN_STEP_COST * steps)
                return at, position, registers
            if isinstance(step, Jump):
                at = step.to
            elif moved := step(self, position, registers):
                position, registers = moved
                at += 1
            else:
                self.spend(limits.PATTERN_STEP_COST * steps)
                return None


def pattern_states(pattern: str) -> int:
    """Return about how many states the engine makes of a pattern that runs it.

    Raises:
        ValueError: No engine here reads the pattern.
    """
    try:
        return states(pattern)
    except ValueError:
        return len(_program(pattern).code)


@lru_cache(maxsize=limits.PATTERNS)
def _program(pattern: str) -> Program:
    tree = parse_pattern(pattern)
    program = Program(tree)
    program.add(tree.part, backward=False)
    program.append(Accept())
    return program


def _backtracking(pattern: str) -> Matcher:
    program = _program(pattern)
    # A pattern that begins with `^` matches at the start of a text or nowhere.
    anchored = program.code[0] is EDGES["^"]
    registers = (-1,) * program.registers

    def is_match(text: str, spend: Spend) -> bool:
        attempt = _Attempt(program.code, text, spend)
        starts = range(1 if anchored else len(text) + 1)
        return any(attempt.run((0, start, registers)) is not None for start in starts)

    return is_match
