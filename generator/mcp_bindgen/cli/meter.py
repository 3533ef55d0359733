"""Shows on a terminal how far work has come, if it takes more than a second."""

from __future__ import annotations

import os
import sys
import time

from mcp_bindgen.cli import screen

__all__ = ["Meter"]

_PATIENCE = 1.0
_BETWEEN = 0.1
_ERASE = "\r\x1b[K"


class Meter:
    """One line on stderr, written over again and erased in the end."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _PATIENCE
        self._text = ""
        self._shown = False
        self._on = (
            not screen.is_quiet()
            and sys.stderr.isatty()
            and os.environ.get("TERM") != "dumb"
        )

    def tell(self, text: str) -> None:
        """Show how far the work has come, unless it was just shown."""
        self._text = text
        self.remind()

    def remind(self) -> None:
        """Show what was told last, if it is time."""
        now = time.monotonic()
        if self._on and self._text and now >= self._due:
            self._due = now + _BETWEEN
            self._shown = True
            sys.stderr.write(_ERASE + _fitting(screen.line(self._text)))
            sys.stderr.flush()

    def clear(self) -> None:
        """Erase the line, so that something else can be told."""
        if self._shown:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()
            self._shown = False


def _fitting(text: str) -> str:
    """Return the end of a text that is too wide: no wrapped line can be erased."""
    columns = os.get_terminal_size(sys.stderr.fileno()).columns
    return text[1 - columns :] if 1 < columns <= len(text) else text
