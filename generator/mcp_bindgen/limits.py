"""How much a recording may hold: every limit, with what it is by default."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEFAULT", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a recording may hold, and how much work may be done on it.

    The largest of 66 real recordings needs a fifth of the bytes, half of the nodes.
    What is over a limit of one tool costs that tool; over one of the file, all of it.

    Attributes:
        bytes: Bytes of the whole file.
        nodes: JSON values in the whole file.
        tools: Tools, resources, prompts or calls in one list of the file.
        seconds: Processor time for the whole file.
        pages: Pages of one list that a recorder follows.
        faults: Places that are reported before the whole file is given up.
        depth: Levels of nesting, and of schemas with their references followed.
        digits: Characters of one number.
        text: Characters of one string.
        name: Characters of a tool's name and of a key.
        tool_nodes: JSON values in one tool.
        properties: Properties of one object.
        branches: Branches of a union, members of an `allOf`, elements of a tuple;
            above, no type says them and residual validation checks them.
        enum: Values of one enum; above, the same.
        states: States of all patterns of one schema together.
        tool_made: Characters that one tool adds to a package.
        made: Characters that all tools add together.
    """

    bytes: int = 10_000_000
    nodes: int = 120_000
    tools: int = 2_000
    seconds: int = 8
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
