"""Starts workers: some hundred cases in a process, each bomb in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.hostile.cases import bombs, cases

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["Result", "chosen", "run", "run_all"]

_BATCH = 200
_PATIENCE = 120
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one case.

    Attributes:
        code: The exit code; -1 where the case was ended.
        seconds: How long the command took, on the clock.
        memory: Bytes that the process had at most, with all cases before it.
        left_out: Tools left out.
        faults: What is wrong; nothing where all is as it must be.
    """

    name: str
    code: int
    seconds: float
    memory: int
    left_out: int
    faults: tuple[str, ...]


def chosen(names: list[str]) -> list[int]:
    """Return the numbers of the cases whose names have one of these texts in them."""
    known = [*cases(), *bombs()]
    return [
        number
        for number, case in enumerate(known)
        if not names or any(name in case.name for name in names)
    ]


def run_all(numbers: list[int], pool: Executor) -> list[Result]:
    """Run cases, in processes beside one another."""
    small = len(cases())
    batched = [number for number in numbers if number < small]
    batches = [batched[at : at + _BATCH] for at in range(0, len(batched), _BATCH)]
    alone = [[number] for number in numbers if number >= small]
    return [result for data in pool.map(run, [*batches, *alone]) for result in data]


def run(numbers: list[int]) -> list[Result]:
    """Run cases in one process, and in another one after each that ends it."""
    known = [*cases(), *bombs()]
    results: list[Result] = []
    while len(results) < len(numbers):
        left = numbers[len(results) :]
        data, why = _process(left)
        results += data
        if len(data) < len(left):
            ended = known[left[len(data)]].name
            results.append(Result(ended, -1, 0.0, 0, 0, (why,)))
    return results


def _process(numbers: list[int]) -> tuple[list[Result], str]:
    command = [sys.executable, "-m", "tests.hostile.worker", *map(str, numbers)]
    try:
        ran = subprocess.run(
            command,
            cwd=_ROOT,
            env={**os.environ, "PYTHONPATH": str(_ROOT / "generator")},
            capture_output=True,
            text=True,
            timeout=_PATIENCE + 2 * len(numbers),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        text, why = (error.stdout or b"").decode(), "it never ends"
    else:
        text, why = ran.stdout, f"killed: {ran.returncode} {ran.stderr[-300:]}"
    lines = [line for line in text.splitlines() if line.endswith("}")]
    return list(map(_result, lines)), why


def _result(line: str) -> Result:
    data: dict[str, Any] = json.loads(line)
    return Result(
        data["name"],
        data["code"],
        data["seconds"],
        data["memory"],
        data["left_out"],
        tuple(data["faults"]),
    )
