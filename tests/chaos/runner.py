"""Runs each case in a process of its own, bounded in time, and adds up the results."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
import warnings
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["Result", "run_all"]


@dataclass
class Result:
    """How the attempts of one case ended.

    Attributes:
        attempts: How many were begun.
        faults: For each that failed: its name and the reason.
        memory: The most that its processes held, in bytes.
    """

    case: Case
    attempts: int = 0
    passes: int = 0
    deliveries: int = 0
    lost: int = 0
    twice: int = 0
    memory: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list[str])
    faults: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def read(self, line: dict[str, Any]) -> None:
        """Take one line of a tally."""
        if "begin" in line:
            self.attempts += 1
            self._name = str(line["begin"])
        elif "fail" in line:
            self.faults.append((self._name, str(line["fail"])))
        elif "done" in line:
            self.passes += 1
        elif "note" in line:
            self.notes.append(str(line["note"]))
        else:
            self.deliveries += line["deliveries"]
            self.lost += line["lost"]
            self.twice += line["twice"]

    def end(self, why: str) -> None:
        """Count what was begun and did not end, or a case that did nothing."""
        if self.attempts == 0 or self.passes + len(self.faults) < self.attempts:
            self.attempts = max(self.attempts, 1)
            name = self._name if self.attempts and hasattr(self, "_name") else "case"
            self.faults.append((name, why or "it ended without a word"))
        elif why:
            self.attempts += 1
            self.faults.append(("the case", why))


@dataclass
class _Running:
    result: Result
    pid: int
    pipe: IO[str]
    end: float
    rest: str = ""


def run_all(
    cases: Sequence[Case], folder: Path, *, quick: bool, jobs: int
) -> Iterator[Result]:
    """Run cases, some at a time; yield each one's result when it ends."""
    waiting, running = list(enumerate(cases)), list[_Running]()
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                number, case = waiting.pop(0)
                running.append(_start(case, folder / f"case-{number}", quick=quick))
            _listen(running)
            for one in [r for r in running if _ended(r)]:
                running.remove(one)
                yield one.result
    finally:  # cases lead groups of their own: an interrupt does not reach them
        for one in running:
            _kill(one.pid)


def _start(case: Case, folder: Path, *, quick: bool) -> _Running:
    folder.mkdir()
    reading, writing = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.setsid()
        _work(case, os.fdopen(writing, "w"), folder, quick=quick)
    os.close(writing)
    os.set_blocking(reading, False)
    return _Running(
        Result(case), pid, os.fdopen(reading), time.monotonic() + case.seconds
    )


def _work(case: Case, pipe: IO[str], folder: Path, *, quick: bool) -> None:
    """Run a case in the child, and leave without any handlers of the parent."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        warnings.simplefilter("ignore")
        sys.stderr = (folder / "stderr").open("w")
        case.run(Tally(pipe, folder, quick=quick))
        memory = max(
            resource.getrusage(who).ru_maxrss
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        pipe.write(json.dumps({"memory": memory * 1024}) + "\n")
        pipe.flush()
        code = 0
    except BaseException as error:  # noqa: BLE001, the parent reports it
        pipe.write(
            json.dumps({"broken": f"{type(error).__name__}: {error}"[:300]}) + "\n"
        )
        pipe.flush()
    finally:
        os._exit(code)


def _listen(running: list[_Running]) -> None:
    ready, _, _ = select.select([r.pipe for r in running], [], [], 0.05)
    for one in running:
        if one.pipe in ready:
            while data := _read(one.pipe):
                one.rest += data
        *lines, one.rest = one.rest.split("\n")
        for line in map(json.loads, lines):
            if "memory" in line:
                one.result.memory = line["memory"]
            elif "broken" in line:
                one.result.end(line["broken"])
            else:
                one.result.read(line)
    if ready:
        time.sleep(0.01)


def _read(pipe: IO[str]) -> str:
    try:
        return os.read(pipe.fileno(), 65536).decode()
    except BlockingIOError:
        return ""


def _ended(one: _Running) -> bool:
    """Return whether a case is over; end one that is over its time."""
    pid, _, usage = os.wait4(one.pid, os.WNOHANG)
    late = time.monotonic() > one.end
    if not pid and not late:
        return False
    if not pid:
        os.killpg(one.pid, signal.SIGKILL)
        _, _, usage = os.wait4(one.pid, 0)
    else:
        _kill(one.pid)
    _listen([one])
    one.pipe.close()
    result = one.result
    result.memory = max(result.memory, usage.ru_maxrss * 1024)
    result.seconds = time.monotonic() - one.end + result.case.seconds
    result.end(f"killed after {result.case.seconds:g} seconds" if late else "")
    return True


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
