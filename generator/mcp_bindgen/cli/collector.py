"""Turns off the garbage collector for code that makes many objects and no cycles."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["without_collector"]


@contextmanager
def without_collector() -> Generator[None]:
    """Turn off the garbage collector: it is slow here, and there are no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
