# Copied by mcp-bindgen. Do not edit.
"""What a program prints that is not MCP: text, and malformed answers."""

from __future__ import annotations

import json
import time

from .. import limits
from ..errors import shown
from ..protocol.messages import is_response
from ..strict_json import elements, members

__all__ = ["PrintedText", "answered"]


class PrintedText:
    """The lines that a program prints and that are not MCP; some are tolerated.

    Attributes:
        spoke: Whether any line was MCP.
        since: When the first of them came, where one did.
    """

    def __init__(self) -> None:
        self.spoke = False
        self.since: float | None = None
        self._allowed = float(limits.TEXT_LINES)
        self._last = time.monotonic()
        self._lines: list[bytes] = []

    def add(self, line: bytes) -> bool:
        """Take a line; False if there are too many in too little time."""
        now = time.monotonic()
        self.since = self.since or now
        more = (now - self._last) * limits.TEXT_RATE
        self._allowed = min(self._allowed + more, limits.TEXT_LINES) - 1
        self._last = now
        self._lines = [*self._lines, line[:200]][-limits.TEXT_SHOWN :]
        return self._allowed >= 0

    def shown(self) -> str:
        """Return the last lines, safe to print."""
        lines = (line.decode("utf-8", "replace").rstrip() for line in self._lines)
        return "".join(f"\n  {shown(line)}" for line in lines)


def answered(line: bytes) -> set[int] | None:
    """Return the requests that a malformed line answers, None where nobody knows.

    Logs and notifications are nobody's answer, also where they look like one.
    """
    try:
        # Part of a longer line is no JSON.
        value = json.loads(line[: limits.LOOKED_AT])
    except (RecursionError, ValueError):
        ids, is_answer = set[int](), line.lstrip()[:1] in (b"{", b"[")
    else:
        messages = map(members, elements(value) or [value])
        answers = [message for message in messages if is_response(message)]
        ids = {a["id"] for a in answers if type(a.get("id")) is int}
        is_answer = bool(answers)
    return None if is_answer and not ids and b'"jsonrpc"' in line else ids
