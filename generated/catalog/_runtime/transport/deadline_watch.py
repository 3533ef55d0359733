# Copied by mcp-bindgen. Do not edit.
"""Runs actions later, on one thread: cuts connections whose call is over time.

Drips defeat a socket's own timeout, so that another thread has to end the wait.
"""

from __future__ import annotations

import os
import threading
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    _TimedAction = tuple[float, Callable[[], None]]

__all__ = ["watch"]


class _Watch:
    """One thread for all connections; it runs while any action is due.

    The table changes in single steps, and no lock is held over them: an exception out
    of a signal handler leaves nothing locked.
    """

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self.begin()

    def begin(self) -> None:
        """Begin without actions and without a thread."""
        self._due: dict[object, _TimedAction] = {}
        self._changed: SimpleQueue[None] = SimpleQueue()
        self._next = 0.0
        self._thread: threading.Thread | None = None

    def at(self, key: object, seconds: float, action: Callable[[], None]) -> None:
        """Run an action after so many seconds, unless `forget` comes first.

        Args:
            key: Names the action; a later one of the same key replaces it.
            seconds: When.
            action: Must not block.
        """
        due = time.monotonic() + seconds
        self._due[key] = due, action
        if self._thread is None or not self._thread.is_alive():
            with self._starting:
                if self._thread is None or not self._thread.is_alive():
                    thread = threading.Thread(target=self._work, daemon=True)
                    thread.start()
                    self._thread = thread
        elif due < self._next:
            self._changed.put(None)

    def forget(self, key: object) -> None:
        """Cancel the action of a key."""
        self._due.pop(key, None)

    def _work(self) -> None:
        while True:
            now = time.monotonic()
            for key, (due, action) in list(self._due.items()):
                if due <= now and self._due.pop(key, None) is not None:
                    action()
            self._next = min((due for due, _ in list(self._due.values())), default=0.0)
            if not self._next:
                self._thread = None
                # An action that was added between the two lines above relies on this
                # thread.
                if not self._due:
                    return
                self._thread = threading.current_thread()
                continue
            try:
                self._changed.get(timeout=max(self._next - now, 0.001))
            except Empty:
                continue


watch = _Watch()


if hasattr(os, "register_at_fork"):
    # The thread stays with the parent, and so does all its work.
    os.register_at_fork(after_in_child=watch.begin)
