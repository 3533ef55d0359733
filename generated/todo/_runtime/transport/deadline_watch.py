# Copied by mcp-bindgen. Do not edit.
"""Cuts connections whose call is over time: drips defeat a socket's own timeout."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .connections import Lane

__all__ = ["watch"]


class _Watch:
    """One thread for all connections, there as long as it has any."""

    def __init__(self) -> None:
        self._due: dict[Lane, float] = {}
        self._changed = threading.Condition()
        self._next = 0.0
        self._thread: threading.Thread | None = None

    def add(self, lane: Lane, left: float) -> None:
        """Cut a lane so many seconds from now."""
        with self._changed:
            due = self._due[lane] = time.monotonic() + left
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
            elif due < self._next:
                self._changed.notify()

    def remove(self, lane: Lane) -> None:
        """Leave a lane alone."""
        with self._changed:
            self._due.pop(lane, None)

    def _work(self) -> None:
        with self._changed:
            while self._due:
                now = time.monotonic()
                for lane in [lane for lane, due in self._due.items() if due <= now]:
                    del self._due[lane]
                    lane.cut()
                self._next = min(self._due.values(), default=now)
                self._changed.wait(self._next - now)
            self._thread = None


watch = _Watch()
