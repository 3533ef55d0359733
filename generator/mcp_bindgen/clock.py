"""Ends a run that takes too long, in processor time so that no other program counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeAlias

from .errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Tick", "deadline", "never"]

Tick: TypeAlias = "Callable[..., None]"
"""Called now and then, also with the seconds that other processes took."""


def never(_elsewhere: float = 0.0) -> None:
    """Let the work go on."""


def deadline(seconds: float) -> Tick:
    """Return what has to be called now and then, from now on.

    Args:
        seconds: Processor time of this process, and of others that it is told of,
            until it raises BindgenError.
    """
    end = time.process_time() + seconds

    def tick(elsewhere: float = 0.0) -> None:
        nonlocal end
        end -= elsewhere
        if time.process_time() > end:
            hint = f"--limit seconds={seconds * 2:g}; generate knows --include, too"
            message = f"it takes more than {seconds:g} seconds"
            raise BindgenError(Problem("", message, hint))

    return tick
