# Copied by mcp-bindgen. Do not edit.
"""Locks on files, between threads and between processes; the system ends them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["try_lock"]


def try_lock(path: Path) -> Callable[[], None] | None:
    """Take the lock of a file, and return the function that gives it back.

    A process that ends gives back all its locks. The file stays: another process may
    have opened it already.

    Args:
        path: The file, made where it is missing.

    Returns:
        None where another thread or process has the lock.

    Raises:
        OSError: The file cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        _lock(handle)
    except OSError:
        os.close(handle)
        return None
    return lambda: os.close(handle)


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
