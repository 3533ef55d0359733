"""What goes wrong, as values: a problem with a place, a reason and a hint."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BindgenError", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, where it is, and what to do.

    Attributes:
        pointer: JSON pointer into the recording (RFC 6901), or "" for all of it.
        message: What is wrong, one sentence without a full stop.
        hint: What the reader can do, or "" where nothing can be done.
    """

    pointer: str
    message: str
    hint: str = ""

    def describe(self, source: str) -> str:
        """Return the problem as the lines that a terminal shows.

        Args:
            source: Name of the file that the pointer leads into.
        """
        place = f"{source}#{self.pointer}" if self.pointer else source
        line = f"{place}: {self.message}"
        return f"{line}\n  hint: {self.hint}" if self.hint else line


class BindgenError(Exception):
    """Nothing can be done with this input; the problems say why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems

    def __reduce__(self) -> tuple[type[BindgenError], tuple[Problem, ...]]:
        """Tell how another process sends it."""
        return BindgenError, self.problems
