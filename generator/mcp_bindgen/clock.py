"""Ends a run that takes too long, in processor time so that no other program counts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeAlias

from .errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Tick", "deadline", "never"]

Tick: TypeAlias = "Callable[[], None]"


def never() -> None:
    """Let the work go on."""


def deadline(seconds: float) -> Tick:
    """Return what has to be called now and then, from now on.

    Args:
        seconds: Processor time of this process until it raises BindgenError.
    """
    end = time.process_time() + seconds

    def tick() -> None:
        if time.process_time() > end:
            hint = f"choose tools with --include, or --limit seconds={seconds * 2:g}"
            message = f"it takes more than {seconds:g} seconds"
            raise BindgenError(Problem("", message, hint))

    return tick
