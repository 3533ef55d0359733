"""Processes that work for us: what they give back, and how they end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline import executors as engine

if TYPE_CHECKING:
    from collections.abc import Iterator


def die() -> None:
    os._exit(9)


def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(BindgenError, match="ended"), engine.processes(1) as spread:
        list(spread(die, [()]))


def interrupt() -> None:
    raise KeyboardInterrupt


def test_an_interrupt_waits_for_nobody() -> None:
    with pytest.raises(KeyboardInterrupt), engine.processes(2, interrupt) as spread:
        list(spread(time.sleep, [(600,), (600,)]))


@pytest.mark.skipif(sys.platform == "win32", reason="nothing else kills like this")
def test_workers_end_with_whoever_started_them() -> None:
    code = """
import os, signal, time
from mcp_bindgen.pipeline import executors as engine
with engine.processes(2) as spread:
    for _ in spread(time.sleep, [(0,), (600,), (600,)]):
        os.kill(os.getpid(), signal.SIGKILL)
"""
    # Its output ends when the last process has that holds it.
    command = [sys.executable, "-c", code]
    subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=False)


def fail() -> None:
    raise BindgenError(Problem("/a", "message", "hint"), Problem("", "other"))


def test_an_error_of_another_process_is_whole() -> None:
    with pytest.raises(BindgenError) as caught, engine.processes(1) as spread:
        list(spread(fail, [()]))
    assert caught.value.problems == (
        Problem("/a", "message", "hint"),
        Problem("", "other"),
    )


def double(number: int) -> int:
    return 2 * number


def test_arguments_are_made_as_they_are_needed() -> None:
    made: list[int] = []

    def numbers() -> Iterator[tuple[int]]:
        for number in range(100):
            made.append(number)
            yield (number,)

    with engine.processes(2) as spread:
        found = spread(double, numbers())
        assert next(found) == 0
        assert len(made) < 10
        assert [0, *found] == [2 * number for number in range(100)]
