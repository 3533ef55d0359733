# Copied by mcp-bindgen. Do not edit.
"""Splits a stream of bytes into server-sent events, without any input or output."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import limits
from ..errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Event", "Splitter"]

# Only these three end a line (WHATWG HTML, 9.2.5); U+2028 and U+0085 are text.
_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream.

    Attributes:
        name: Its kind, "" for a message.
        data: Its lines of data.
        id: The position in the stream; a broken stream resumes after it.
        retry: Seconds to wait before that.
    """

    name: str
    data: bytes
    id: str | None = None
    retry: float | None = None


class Splitter:
    """Takes chunks as they arrive and gives the events that are complete.

    Args:
        limit: Most bytes of one event, and of one line.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._line = bytearray()
        self._scanned = 0
        self._first = True
        self._after_cr = False
        self._clear()

    def _clear(self) -> None:
        self._name = ""
        self._data: list[bytes] = []
        self._size = 0
        self._id: str | None = None
        self._retry: float | None = None

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Yield the events that this chunk completes.

        Raises:
            LimitError: If a line or an event is too large.
        """
        if self._after_cr and chunk:
            chunk = chunk.removeprefix(b"\n")
            self._after_cr = False
        self._line += chunk
        start = 0
        while end := _LINE_END.search(self._line, max(start, self._scanned)):
            line = bytes(self._line[start : end.start()])
            start = end.end()
            if start == len(self._line) and end[0] == b"\r":
                self._after_cr = True
            if event := self._take(line):
                yield event
        del self._line[:start]
        self._scanned = len(self._line)
        if self._scanned > self._limit:
            raise LimitError(f"an event line of more than {self._limit} bytes")

    def _take(self, line: bytes) -> Event | None:
        if self._first:
            self._first = False
            line = line.removeprefix(_BOM)
        if not line:
            event = Event(
                self._name, b"\n".join(self._data), id=self._id, retry=self._retry
            )
            # An id or a retry alone is no message, and still counts (WHATWG, 9.2.6).
            empty = not (self._data or event.id is not None or event.retry is not None)
            self._clear()
            return None if empty else event
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._size += len(value) + 1
            if self._size > self._limit:
                raise LimitError(f"an event of more than {self._limit} bytes")
            self._data.append(value)
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        elif field == b"id" and b"\0" not in value:
            self._id = value.decode("utf-8", "replace")
        elif (
            field == b"retry" and value.isdigit() and len(value) <= limits.RETRY_DIGITS
        ):
            self._retry = int(value) / 1000
        return None
