"""Ends a run that takes too long, in processor time so that no other program counts."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, TypeAlias

from .errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Tick", "TimeUpError", "deadline", "never"]

Tick: TypeAlias = "Callable[..., float]"
"""Called now and then, also with the seconds that other processes took; returns how
many are left."""


class TimeUpError(BindgenError):
    """It takes too long."""


def never(_elsewhere: float = 0.0) -> float:
    """Let the work go on."""
    return math.inf


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
            hint = f"--limit seconds={seconds * 2:g}; generate knows --include, too"
            message = f"it takes more than {seconds:g} seconds"
            raise TimeUpError(Problem("", message, hint))
        return left

    return tick
