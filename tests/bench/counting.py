"""Counts the work of generation, which no load of a machine changes.

From Python 3.12 on, the work is bytecode instructions; before, calls of functions.
"""

from __future__ import annotations

import cProfile
import json
import pstats
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.write.write import write

from tests.bench import sample

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["UNIT", "calls", "generated", "work"]

_HAS_INSTRUCTIONS = sys.version_info >= (3, 12)
UNIT = "instructions" if _HAS_INSTRUCTIONS else "calls"
_ROOT = Path(__file__).parents[2]
_TOOLS = 100


def work(action: Callable[[], object]) -> int:
    """Return the work of an action, in `UNIT`."""
    return _instructions(action) if _HAS_INSTRUCTIONS else calls(action)


def calls(action: Callable[[], object]) -> int:
    """Return how many calls of functions an action makes; this counts fast."""
    profile = cProfile.Profile()
    profile.runcall(action)
    total: int = vars(pstats.Stats(profile))["total_calls"]
    return total


def _instructions(action: Callable[[], object]) -> int:
    monitoring = vars(sys)["monitoring"]
    instructions = count()

    def step(_code: object, _offset: int) -> None:
        next(instructions)

    tool, event = monitoring.PROFILER_ID, monitoring.events.INSTRUCTION
    monitoring.use_tool_id(tool, "tests.bench")
    try:
        monitoring.register_callback(tool, event, step)
        monitoring.set_events(tool, event)
        action()
        monitoring.set_events(tool, 0)
    finally:
        monitoring.free_tool_id(tool)
    return next(instructions)


def generated(data: bytes, counter: Callable[[Callable[[], object]], int]) -> int:
    """Return the work of making and writing the package of a recording.

    Args:
        data: The recording.
        counter: `work` or `calls`.
    """
    few = {"tools": json.loads(data)["tools"][:1]}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def make(data: bytes, package: str) -> None:
            write(generate(data, package).files, folder / package)

        make(json.dumps(few).encode(), "few")  # what only the first package costs
        return counter(lambda: make(data, "bench_counted"))


def main() -> None:
    """Print the work for a hundred tools."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "bench_counted.json")
        sample.write(_ROOT / "generated", _TOOLS, file)
        number = generated(file.read_bytes(), work)
    sys.stdout.write(f"generate, {_TOOLS} tools: {number:,} {UNIT}\n")


if __name__ == "__main__":
    main()
