"""A mistake as a value: its location, the reason and a hint."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

__all__ = ["BindgenError", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: its location, the reason, and a hint for the reader.

    Example: `Problem("/tools/0/name", "expected a string, got null", "name the tool")`.

    Attributes:
        pointer: JSON pointer into the recording (RFC 6901); "" for the whole file.
        message: The reason, as "expected a string, got null", without a full stop.
        hint: A step that the reader can take; "" for none.
    """

    pointer: str
    message: str
    hint: str = ""


class BindgenError(Exception):
    """The command cannot continue.

    Attributes:
        problems: The reasons.
        file: The recording that was read, "" where no file is meant or known.
    """

    def __init__(self, *problems: Problem, file: str = "") -> None:
        located = ((ascii(p.pointer)[1:-1], p.message) for p in problems)
        reasons = "; ".join(": ".join(filter(None, each)) for each in located)
        text = ": ".join(filter(None, (ascii(file)[1:-1], reasons)))
        hints = dict.fromkeys(problem.hint for problem in problems if problem.hint)
        super().__init__("\n  hint: ".join([text, *hints]))
        self.problems, self.file = problems, file

    def __reduce__(self) -> tuple[partial[BindgenError], tuple[Problem, ...]]:
        """Return the parts from which another process makes the same error."""
        return partial(BindgenError, file=self.file), self.problems
