"""Shows progress on a terminal, for work that takes more than a second."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from mcp_bindgen.cli import screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mcp_bindgen.pipeline.executor import Executor

__all__ = ["Meter"]

_PATIENCE = 1.0
_BETWEEN = 0.1
_ERASE = "\r\x1b[K"


T = TypeVar("T")
R = TypeVar("R")


class Meter:
    """One line on stderr that changes, and that is erased at the end.

    Example:
        meter = Meter()
        for number, file in enumerate(files):
            meter.show(f"{number} of {len(files)} files")
        meter.clear()
    """

    def __init__(self) -> None:
        self._due = time.monotonic() + _PATIENCE
        self._text = ""
        self._is_on_screen = False
        self._on = (
            not screen.is_quiet()
            and sys.stderr.isatty()
            and os.environ.get("TERM") != "dumb"
        )

    def show(self, text: str) -> None:
        """Show a text from now on; the terminal changes ten times a second at most."""
        self._text = text
        self.remind()

    def remind(self) -> None:
        """Show the last text, once the first second is over."""
        now = time.monotonic()
        if self._on and self._text and now >= self._due:
            self._due = now + _BETWEEN
            self._is_on_screen = True
            sys.stderr.write(_ERASE + _fitting(screen.line(self._text)))
            sys.stderr.flush()

    def clear(self) -> None:
        """Erase the line, so that something else can be shown."""
        if self._is_on_screen:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._is_on_screen = False

    def watch(self, executor: Executor, name: str) -> Executor:
        """Return an executor that shows here how many tools of a package are done."""
        return _Watched(executor, self, name)


@dataclass(frozen=True, slots=True)
class _Watched:
    executor: Executor
    meter: Meter
    name: str

    def map(
        self, function: Callable[[Sequence[T]], list[R]], items: Iterable[T], batch: int
    ) -> Iterator[R]:
        listed = list(items)
        results = self.executor.map(function, listed, batch)
        for done, result in enumerate(results, 1):
            self.meter.show(f"{self.name}: {done:,} of {len(listed):,} tools")
            yield result


def _fitting(text: str) -> str:
    """Return the end of a text that is too wide: a wrapped line cannot be erased."""
    columns = os.get_terminal_size(sys.stderr.fileno()).columns
    return text[1 - columns :] if 1 < columns <= len(text) else text
