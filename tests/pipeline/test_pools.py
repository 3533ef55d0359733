"""Processes that work for us: what they give back, and how they end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.executor import HERE
from mcp_bindgen.pipeline.pools import processes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def die(_items: Sequence[int]) -> list[int]:
    os._exit(9)


def test_a_process_that_dies_is_reported() -> None:
    with pytest.raises(BindgenError, match="ended"), processes(1) as executor:
        list(executor.map(die, [1], 1))


def interrupt() -> None:
    raise KeyboardInterrupt


def sleep(seconds: Sequence[int]) -> list[int]:
    time.sleep(sum(seconds))
    return [*seconds]


def test_an_interrupt_waits_for_nobody() -> None:
    with pytest.raises(KeyboardInterrupt), processes(2, interrupt) as executor:
        list(executor.map(sleep, [600, 600], 1))


@pytest.mark.skipif(sys.platform == "win32", reason="nothing else kills like this")
def test_workers_end_with_whoever_started_them() -> None:
    code = """
import os, signal
from tests.pipeline.test_pools import processes, sleep
with processes(2) as executor:
    for seconds in executor.map(sleep, [0, 600, 600], 1):
        print("working", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""
    # Its output ends when the last process that holds it has ended.
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=False)
    assert ran.stdout == b"working\n"


def fail(_items: Sequence[int]) -> list[int]:
    raise BindgenError(Problem("/a", "message", "hint"), Problem("", "other"))


def test_an_error_of_another_process_is_whole() -> None:
    with pytest.raises(BindgenError) as caught, processes(1) as executor:
        list(executor.map(fail, [1], 1))
    assert caught.value.problems == (
        Problem("/a", "message", "hint"),
        Problem("", "other"),
    )


def double(numbers: Sequence[int]) -> list[int]:
    return [2 * number for number in numbers]


@pytest.mark.parametrize("batch", [1, 7])
def test_items_are_taken_as_they_are_needed(batch: int) -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    expected = [2 * number for number in range(100)]
    with processes(2) as executor:
        results = executor.map(double, numbers(), batch)
        assert next(results) == 0
        assert len(taken) < 10 * batch
        assert [0, *results] == expected
    assert list(HERE.map(double, numbers(), batch)) == expected
