# Copied by mcp-bindgen. Do not edit.
"""The standalone stream of a session over Streamable HTTP (legacy).

MCP 2025-11-25, transports, "Listening for Messages from the Server": the server may
send requests and notifications on it that belong to no request of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import limits
from ..errors import LimitError, TransportError
from .messages import parse_message
from .sse import Splitter
from .steps import HttpStep, Open, Read, Sleep
from .wire import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .http_requests import HttpRequests
    from .steps import Flow
    from .wire import Reading

    Serve: TypeAlias = Callable[[dict[str, Any]], Flow[HttpStep, None]]

__all__ = ["GetStream"]

_NOT_FOUND, _CONFLICT = 404, 409


@dataclass(slots=True)
class GetStream:
    """Reads the stream of one session, again and again.

    Attributes:
        requests: Sends requests to the server.
        headers: The header fields of the session.
        serve: Serves one message.
        reading: How far it is read.
    """

    requests: HttpRequests
    headers: Mapping[str, str]
    serve: Serve
    reading: Reading
    _pause: float = limits.RESUME_PAUSE

    def read(self, lasts: Callable[[], bool]) -> Flow[HttpStep, None]:
        """Read the stream for as long as the session lasts."""
        pause = 0.0
        while lasts():
            self._pause = limits.RESUME_PAUSE
            try:
                events = yield from self._once()
            except TransportError as error:
                if not error.transient or isinstance(error, LimitError):
                    raise
                events = 0
                self.reading.failures += error.status != _CONFLICT
            finally:
                self.reading.opened = True
            # A stream that ends without an event is opened again after longer and
            # longer pauses.
            least = self._pause
            pause = least if events else min(max(pause * 2, least), limits.STREAM_PAUSE)
            if not (yield from Sleep(pause)):
                return

    def _once(self) -> Flow[HttpStep, int]:
        """Read the stream to its end; return the number of its events.

        Raises:
            McpError: The server has no such stream, or it breaks off or a limit.
        """
        headers = {**self.headers, "accept": "text/event-stream"}
        if self.reading.last_id:
            headers["last-event-id"] = self.reading.last_id
        get = Open("GET", self.requests.url, headers, b"", None, lasting=True)
        head = yield from self.requests.open(get)
        kind = head.headers.get("content-type", "").partition(";")[0].strip().lower()
        if head.status != 200 or kind != "text/event-stream":
            # 409: the server has not noticed yet that a stream of ours has ended.
            again = head.status == _CONFLICT
            lost = head.status == _NOT_FOUND and "mcp-session-id" in headers
            kind_of = SessionLostError if lost else TransportError
            reason = "the server has no stream"
            raise kind_of(reason, transient=again, status=head.status)
        self.reading.opened, self.reading.failures = True, 0
        splitter, events = Splitter(limits.BODY), 0
        while chunk := (yield from Read()):
            for event in splitter.feed(chunk):
                events += 1
                if events > limits.EVENTS:
                    raise LimitError(f"more than {limits.EVENTS} events")
                if event.id is not None:
                    usable = event.id.isprintable()
                    self.reading.last_id = event.id if usable else ""
                if event.retry is not None:
                    self._pause = event.retry
                if event.data and event.name in ("", "message"):
                    yield from self.serve(parse_message(event.data))
        return events
