"""The text that a program prints and that is not MCP."""

from __future__ import annotations

import time

from .. import limits
from ..errors import printable

__all__ = ["PrintedText"]


class PrintedText:
    """The lines that a program prints and that are not MCP; some are tolerated.

    The rule: a program may print a log as long as it also speaks MCP.

    Attributes:
        spoke: Whether any line was MCP.
        since: The time of the first line of text, if there is one.
    """

    def __init__(self) -> None:
        self.spoke = False
        self.since: float | None = None
        self._allowed = float(limits.TEXT_LINES)
        self._last = time.monotonic()
        self._lines: list[bytes] = []

    def note_message(self) -> None:
        """Note a line that was MCP: the program may print as much text as before."""
        self.spoke = True
        self._allowed = float(limits.TEXT_LINES)

    def add(self, line: bytes) -> bool:
        """Take a line; False if there are too many in too little time."""
        now = time.monotonic()
        self.since = self.since or now
        more = (now - self._last) * limits.TEXT_RATE
        self._allowed = min(self._allowed + more, limits.TEXT_LINES) - 1
        self._last = now
        self._lines = [*self._lines, line[:200]][-limits.PRINTED_LINES :]
        return self._allowed >= 0

    def last_lines(self) -> str:
        """Return the last lines, safe to print."""
        lines = (line.decode("utf-8", "replace").rstrip() for line in self._lines)
        return "".join(f"\n  {printable(line)}" for line in lines)
