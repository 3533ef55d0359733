"""Every limit on a recording with its default, and the count of the work on it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp_bindgen.deadline import Deadline
from mcp_bindgen.errors import BindgenError, Problem

__all__ = ["DEFAULT", "HIGHEST", "Budget", "Limits", "StepsError"]

# Above these, Python or pydantic itself gives up.
HIGHEST = {"depth": 100, "digits": 4_300}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits on a recording, and on the work to generate a package from it.

    The largest of 66 real recordings needs a fifth of the bytes, a seventh of the nodes
    and three fifths of the steps. A tool over a limit of one tool is left out; a file
    over a limit of the file is refused.

    Attributes:
        bytes: Bytes of the whole file.
        nodes: JSON values in the whole file: 200 for each of as many tools as it may
            have; real tools have 75 on average.
        tools: Tools, resources, prompts or calls in one list of the file.
        steps: Steps of work on all tools together, the same on every machine. A step
            is a schema that is compiled, a state of a pattern, 16 types of a union that
            are weighed, or 100 characters that are written; a tool is 20 more.
        seconds: Processor time; only a backstop for our own mistakes.
        pages: Pages of one list that a recorder follows.
        faults: Problems that are reported; a file with more is refused.
        depth: Levels of nesting, and of schemas with their references followed.
        digits: Characters of one number.
        text: Characters of one string.
        name: Characters of a tool's name and of a key.
        tool_nodes: JSON values in one tool.
        properties: Properties of one object.
        branches: Branches of a union, members of an `allOf`, elements of a tuple;
            above, no type expresses them and residual validation checks them.
        enum: Values of one enum; above, the same.
        states: States of all patterns of one schema together.
        tool_made: Characters that one tool adds to a package.
        made: Characters that all tools add together.
    """

    bytes: int = 10_000_000
    nodes: int = 400_000
    tools: int = 2_000
    steps: int = 500_000
    seconds: int = 120
    pages: int = 1_000
    faults: int = 10_000
    depth: int = 64
    digits: int = 400
    text: int = 100_000
    name: int = 1_000
    tool_nodes: int = 20_000
    properties: int = 1_000
    branches: int = 200
    enum: int = 2_000
    states: int = 8_000
    tool_made: int = 4_000_000
    made: int = 100_000_000


DEFAULT = Limits()


class StepsError(BindgenError):
    """The work takes more steps than the limit."""

    def __init__(self, limits: Limits) -> None:
        message = f"it takes more than {limits.steps:,} steps to generate the tools"
        hint = "choose tools with --include, or raise the limit: --limit steps=NUMBER"
        super().__init__(Problem("", message, hint))


@dataclass(slots=True)
class Budget:
    """Counts the steps of work on one tool.

    Attributes:
        limits: How much of everything is allowed.
        deadline: The backstop, in processor time.
        steps: Steps that were spent.
        bare: Whether the tool is only compared, by its names and types, so that no
            docs and no notes are made.
    """

    limits: Limits = DEFAULT
    deadline: Deadline = field(default_factory=lambda: Deadline(DEFAULT.seconds))
    steps: int = 0
    bare: bool = False

    def spend(self, steps: int = 1) -> None:
        """Count steps before they are taken.

        Args:
            steps: How many.

        Raises:
            StepsError: There are more than the limit.
            TimeUpError: The backstop: it takes too much processor time.
        """
        self.steps += steps
        if self.steps > self.limits.steps:
            raise StepsError(self.limits)
        self.deadline.check()
