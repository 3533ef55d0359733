"""Holds signals back while files change that belong together."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["undisturbed"]

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no hang-up
_ENDING = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


@contextmanager
def undisturbed() -> Generator[None]:
    """Let signals that end us wait until the block is done; keep the block short."""
    # Only the main thread may change handlers; no other thread gets an interrupt.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    late: list[int] = []
    # None is a handler of another language, which Python cannot set again.
    handlers = ((number, signal.getsignal(number)) for number in _ENDING)
    before = [(number, handler) for number, handler in handlers if handler is not None]
    for number, _ in before:
        signal.signal(number, lambda number, _: late.append(number))
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        for first in late[:1]:
            signal.raise_signal(first)
