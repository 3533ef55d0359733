# Copied by mcp-bindgen. Do not edit.
"""Bars for calls that report progress: `client.with_options(progress=True)`.

With rich, each call that reports progress has a bar, also in a notebook; without it, a
line on a terminal. Both are gone when the call ends. Texts of the server are escaped.
"""

from __future__ import annotations

import math
import sys
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import printable

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager

__all__ = ["ProgressBars"]


class ProgressBars:
    """Shows the progress of calls; it is `on_progress` of their client."""

    def __init__(self) -> None:
        self._call: ContextVar[_Call | None] = ContextVar("call", default=None)
        self._screen = _rich() or _Line()

    def __call__(self, done: float, total: float | None, text: str | None) -> None:
        """Show one message; only calls in `around` have a bar."""
        if call := self._call.get():
            call.show(_part(done, total), text)

    @contextmanager
    def around(
        self, watched: AbstractContextManager[None], name: str
    ) -> Generator[None]:
        """Watch a call, whose bar comes with its first message, and ends with it.

        Args:
            watched: What else is around the call.
            name: The wire name of the tool.
        """
        outer, call = self._call.get(), _Call(self._screen, name)
        self._call.set(call)
        try:
            with watched:
                yield
        finally:
            self._call.set(outer)
            call.end()


class _Call:
    """The bar of one call."""

    def __init__(self, screen: _Rich | _Line, name: str) -> None:
        self._screen = screen
        self._name = printable(name, limits.PROGRESS_TEXT)
        self._bar: Any = None

    def show(self, part: float | None, text: str | None) -> None:
        plain = printable(text or "", limits.PROGRESS_TEXT)
        if self._bar is None:
            self._bar = self._screen.begin(self._name, part, plain)
        else:
            self._screen.update(self._bar, part, plain)

    def end(self) -> None:
        if self._bar is not None:
            self._screen.end(self._bar)


class _Rich:
    """Bars of rich, below each other; they leave with the last of them."""

    def __init__(self, rich: Any, console: Any) -> None:
        name, text = (
            rich.TextColumn(f"{{task.fields[{field}]}}", markup=False)
            for field in ("name", "text")
        )
        columns = (name, rich.BarColumn(), rich.TaskProgressColumn(), text)
        self._display = rich.Progress(
            *columns, console=console.Console(stderr=True), transient=True
        )
        self._lock = Lock()
        self._bars = 0

    def begin(self, name: str, part: float | None, text: str) -> Any:
        with self._lock:
            if not self._bars:
                self._display.start()
            self._bars += 1
            return self._display.add_task("", name=name, **_fields(part, text))

    def update(self, bar: Any, part: float | None, text: str) -> None:
        self._display.update(bar, **_fields(part, text))

    def end(self, bar: Any) -> None:
        with self._lock:
            self._display.remove_task(bar)
            self._bars -= 1
            if not self._bars:
                self._display.stop()


class _Line:
    """One line of a terminal, which shows the last message of all calls."""

    def begin(self, name: str, part: float | None, text: str) -> str:
        self.update(name, part, text)
        return name

    def update(self, bar: str, part: float | None, text: str) -> None:
        number = "" if part is None else f"{part:.0%}"
        self._write(" ".join(filter(None, (bar, number, text))))

    def end(self, _bar: str) -> None:
        self._write("")

    def _write(self, text: str) -> None:
        if getattr(sys.stderr, "isatty", bool)():
            sys.stderr.write(f"\r\x1b[K{text[: limits.PROGRESS_LINE]}")
            sys.stderr.flush()


def _fields(part: float | None, text: str) -> dict[str, Any]:
    return {
        "completed": part or 0.0,
        "total": None if part is None else 1.0,
        "text": text,
    }


def _rich() -> _Rich | None:
    try:
        return _Rich(import_module("rich.progress"), import_module("rich.console"))
    except ImportError:
        return None


def _part(done: float, total: float | None) -> float | None:
    """Return how much is done, from 0 to 1; None where that is not known."""
    if not total:
        return None
    try:
        part = done / total
    except OverflowError:
        return None
    return min(max(part, 0.0), 1.0) if math.isfinite(part) else None
