"""Ends a run that takes too long, in processor time so that no other program counts."""

from __future__ import annotations

import math
import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["Tick", "TimeUpError", "deadline", "never", "stopped_after"]

Tick: TypeAlias = "Callable[..., float]"
"""Called now and then, also with the seconds that other processes took; returns how
many are left."""


class TimeUpError(BindgenError):
    """It takes too long."""


def never(_elsewhere: float = 0.0) -> float:
    """Let the work go on."""
    return math.inf


@contextmanager
def stopped_after(seconds: float) -> Generator[None]:
    """Stop what waits for others, where no tick would come, if the system can.

    Args:
        seconds: Processor time of this process until TimeUpError is raised here.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_signal: int, _frame: object) -> None:
        raise _time_up(seconds)

    before = signal.signal(signal.SIGPROF, stop)
    # Once more each second, since it may come where an exception is not heeded.
    signal.setitimer(signal.ITIMER_PROF, max(seconds, 1e-3), 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _time_up(seconds: float) -> TimeUpError:
    hint = f"--limit seconds={seconds * 2:g}; generate knows --include, too"
    message = f"it takes more than {seconds:g} seconds"
    return TimeUpError(Problem("", message, hint))


def deadline(seconds: float) -> Tick:
    """Return what has to be called now and then, from now on.

    Args:
        seconds: Processor time of this process, and of others that it is told of,
            until it raises TimeUpError.
    """
    end = time.process_time() + seconds

    def tick(elsewhere: float = 0.0) -> float:
        nonlocal end
        end -= elsewhere
        left = end - time.process_time()
        if left < 0:
            raise _time_up(seconds)
        return left

    return tick
