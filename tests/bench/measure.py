"""Times commands as whole processes, by the system's own accounts of them."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

WATCH = Path(__file__).with_name("stopwatch.py")
__all__ = ["Row", "Run", "as_it_is", "measure", "venv"]


@dataclass(frozen=True, slots=True)
class Row:
    """What one command took, run by run.

    Attributes:
        what: What was measured.
        tools: For how many tools.
        cpu: Processor seconds, user and system, with its processes.
        wall: Seconds.
        megabytes: Most memory of one process.
        failure: What it said if it failed.
    """

    what: str
    tools: int
    cpu: tuple[float, ...]
    wall: tuple[float, ...]
    megabytes: float
    failure: str = ""

    def line(self) -> str:
        """Return the row as a line of a table."""
        if self.failure:
            return f"{self.what:<44}{self.tools:>7}  failed: {self.failure}"
        times = "".join(
            f"{statistics.median(found):>9.3f} ({min(found):.3f} to {max(found):.3f})"
            for found in (self.cpu, self.wall)
        )
        return f"{self.what:<44}{self.tools:>7}{times}{self.megabytes:>7.0f} MB"


def as_it_is() -> None:
    """Leave everything as it is."""


@dataclass(frozen=True, slots=True)
class Run:
    """A command that is measured.

    Attributes:
        command: The command.
        before: Called before each run, which does not count.
        folder: Where it is run.
        codes: Exit codes that are no failure.
        environment: Variables that it has besides ours.
    """

    command: Sequence[str]
    before: Callable[[], None] = as_it_is
    folder: Path | None = None
    codes: Sequence[int] = (0,)
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


def measure(what: str, tools: int, run: Run, runs: int) -> Row:
    """Run a command several times.

    Args:
        what: What is measured.
        tools: For how many tools.
        run: The command.
        runs: How often.
    """
    cpu: list[float] = []
    wall: list[float] = []
    most = 0.0
    for _ in range(runs):
        run.before()
        code, taken, passed, memory, last = _one(run)
        if code not in run.codes:
            return Row(what, tools, (), (), 0, last[:80] or f"exit code {code}")
        cpu.append(taken)
        wall.append(passed)
        most = max(most, memory / (1e6 if sys.platform == "darwin" else 1e3))
    return Row(what, tools, tuple(cpu), tuple(wall), most)


def _one(run: Run) -> tuple[int, float, float, float, str]:
    """Return exit code, processor seconds, seconds, memory and last line of a run."""
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder, "words")
        watch = [sys.executable, "-I", "-S", str(WATCH), str(words), *run.command]
        ran = subprocess.run(
            watch,
            cwd=run.folder,
            env={**os.environ, **run.environment},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        code, cpu, wall, memory = map(float, ran.stdout.split())
        last = words.read_text("utf-8", "replace").strip().splitlines()[-1:]
    return int(code), cpu, wall, memory, "".join(last)


def venv(folder: Path, requirements: Sequence[str]) -> Path:
    """Return the folder of programs of a peer's own environment, made if missing."""
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    if not programs.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [str(programs / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*install, *requirements], check=True)
    return programs
