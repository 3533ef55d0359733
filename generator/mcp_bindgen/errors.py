"""Problems as values: a place, a reason and a hint."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BindgenError", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake, its place, and what the reader can do.

    Example: `Problem("/tools/0/name", "expected a string, got null", "name the tool")`.

    Attributes:
        pointer: JSON pointer into the recording (RFC 6901); "" for the whole file.
        message: What was expected and what was found, without a full stop.
        hint: What the reader can do; "" where nothing helps.
    """

    pointer: str
    message: str
    hint: str = ""

    def describe(self, source: str) -> str:
        """Return the problem as one or two lines of text.

        Args:
            source: Name of the file that the pointer leads into.
        """
        place = f"{source}#{self.pointer}" if self.pointer else source
        line = f"{place}: {self.message}"
        return f"{line}\n  hint: {self.hint}" if self.hint else line


class BindgenError(Exception):
    """The command cannot continue; `problems` has the reasons."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems

    def __reduce__(self) -> tuple[type[BindgenError], tuple[Problem, ...]]:
        """Return what another process needs to make the same error."""
        return BindgenError, self.problems
