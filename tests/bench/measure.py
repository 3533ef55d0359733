"""Times commands as whole processes, by the system's own accounts of them.

Peers are compiled when they are installed, so what is ours may be too: runs may keep
bytecode, whatever the environment says, and the median is that of later runs.
"""

from __future__ import annotations

import os
import shutil
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
HEADER = f"{'':<42}{'tools':>6}{'processor s':>12}{'s':>28}{'memory':>29}"
CALLS_HEADER = f"{'':<42}{'processor us':>18}{'us':>28}{'per second':>31}"
__all__ = ["CALLS_HEADER", "HEADER", "Row", "Run", "as_it_is", "measure", "venv"]


@dataclass(frozen=True, slots=True)
class Row:
    """What one command took, run by run; or one call, round by round.

    Attributes:
        what: What was measured.
        tools: For how many tools.
        cpu: Processor seconds, user and system, with its processes.
        wall: Seconds.
        megabytes: Most memory of one process.
        work: What was counted instead of timed.
        unit: The unit of the work.
        failure: What it said if it failed.
    """

    what: str
    tools: int = 0
    cpu: tuple[float, ...] = ()
    wall: tuple[float, ...] = ()
    megabytes: float = 0
    failure: str = ""
    work: int = 0
    unit: str = ""

    def line(self) -> str:
        """Return a command as a line of a table."""
        head = f"{self.what:<42}{self.tools or '':>6}"
        if self.failure:
            return f"{head}  failed: {self.failure}"
        if self.work:
            return f"{head}{self.work:>14,} {self.unit}"
        return f"{head}{self._times(1, 3)}{self.megabytes:>6.0f} MB"

    def call(self) -> str:
        """Return a call as a line of a table."""
        if self.failure:
            return f"{self.what:<48}  failed: {self.failure}"
        rate = 1 / statistics.median(self.wall)
        return f"{self.what:<48}{self._times(1e6, 1)}{rate:>9,.0f}"

    def _times(self, factor: float, digits: int) -> str:
        """Return medians with the least and the most, for each kind of time."""
        columns: list[str] = []
        for times in (self.cpu, self.wall):
            least, middle, most = (
                f"{each(times) * factor:.{digits}f}"
                for each in (min, statistics.median, max)
            )
            spread = f"({least} to {most})"
            columns.append(f"{middle:>9} {spread:<19}")
        return "".join(columns)


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
            return Row(what, tools, failure=last[:80] or f"exit code {code:.0f}")
        cpu.append(taken)
        wall.append(passed)
        most = max(most, memory / (1e6 if sys.platform == "darwin" else 1e3))
    return Row(what, tools, tuple(cpu), tuple(wall), most)


def _one(run: Run) -> tuple[int, float, float, float, str]:
    """Return exit code, processor seconds, seconds, memory and last line of a run."""
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder, "words")
        watch = [sys.executable, "-I", "-S", str(WATCH), str(words), *run.command]
        environment = {**os.environ, **run.environment}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        ran = subprocess.run(
            watch,
            cwd=run.folder,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        code, cpu, wall, memory = map(float, ran.stdout.split())
        last = words.read_text("utf-8", "replace").strip().splitlines()[-1:]
    return int(code), cpu, wall, memory, "".join(last)


def venv(folder: Path, requirements: Sequence[str]) -> Path:
    """Return the folder of programs of a peer's own environment, made if missing.

    Raises:
        CalledProcessError: It cannot be installed; nothing of it stays.
    """
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    if programs.exists():
        return programs
    install = [str(programs / "python"), "-m", "pip", "install", "--quiet"]
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([*install, *requirements], check=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return programs
