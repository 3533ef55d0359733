# Copied by mcp-bindgen. Do not edit.
"""Streamable HTTP without the HTTP client: requests to send, answers to read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from .. import limits
from ..errors import LimitError, TransportError
from .headers import check_session_id
from .http_requests import HttpRequests, read_body
from .messages import Reply, is_response, parse_message, parse_reply
from .sse import Splitter
from .steps import Drain, Head, HttpStep, Open, Read, Sleep
from .wire import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .http_sse import HttpSse
    from .steps import Flow
    from .wire import Envelope, Listener, Reading

    Listen: TypeAlias = Listener[HttpStep]

_EVENT_ID = re.compile(r"[\x21-\x7e]([\x20-\x7e]{0,1022}[\x21-\x7e])?")


class StreamableHttp:
    """One MCP endpoint: posts messages, reads the answers.

    Args:
        url: The endpoint.
        headers: The caller's own header fields.
        token: Bearer token, or a function that gives a fresh one.
    """

    http = True

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        token: str | Callable[[], Any] | None,
    ) -> None:
        self._requests = HttpRequests(url, headers, token)

    def exchange(self, envelope: Envelope, listen: Listen, /) -> Flow[HttpStep, Reply]:
        """Post one request and return the answer."""
        url, headers, number = self._requests.url, envelope.headers, envelope.number
        request = Open("POST", url, headers, envelope.body, envelope.delivery)
        head = yield from self._requests.open(request)
        if head.status >= 400:
            return (yield from self._refused(request, head, number))
        if head.status != 200:
            raise TransportError(
                f"HTTP {head.status} instead of an answer",
                is_legacy_server=True,
                hint="is this the URL of an MCP endpoint?",
            )
        kind = head.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            reply = yield from self._stream(number, headers, listen)
        elif kind == "application/json":
            data = yield from read_body(head, limits.BODY)
            reply = parse_reply(parse_message(data), number)
        else:
            raise TransportError(
                "the server's answer is neither JSON nor an event stream",
                hint="is this the URL of an MCP endpoint? it often ends in /mcp",
                is_legacy_server=True,
            )
        session_id = head.headers.get("mcp-session-id")
        if session_id is None:
            return reply
        return Reply(reply.result, reply.error, check_session_id(session_id))

    def notify(
        self, body: bytes, headers: Mapping[str, str], /
    ) -> Flow[HttpStep, None]:
        """Post one message that gets no answer."""
        yield from self._requests.post(self._requests.url, headers, body)

    def listen(
        self,
        headers: Mapping[str, str],
        serve: Listen,
        lasts: Callable[[], bool],
        reading: Reading,
        /,
    ) -> Flow[HttpStep, None]:
        """Read the standalone stream."""
        from .get_stream import GetStream

        stream = GetStream(self._requests, headers, serve, reading)
        yield from stream.read(lasts)

    def hang_up(self, headers: Mapping[str, str], /) -> Flow[HttpStep, None]:
        """End the session, if there is one; the server may refuse."""
        if headers:
            url = self._requests.url
            yield from self._requests.post(url, headers, b"", "DELETE")

    def older(self) -> Flow[HttpStep, HttpSse | None]:
        """Return the transport of 2024-11-05, where the server speaks that."""
        from .http_sse import subscribe

        return (yield from subscribe(self._requests))

    # Answers

    def _refused(self, request: Open, head: Head, number: int) -> Flow[HttpStep, Reply]:
        data = yield from read_body(head, limits.ERROR_BODY)
        if head.status == 404 and "mcp-session-id" in request.headers:
            # MCP 2025-11-25, transports, "Session Management": the one sign of it.
            raise SessionLostError("the server ended the session", status=404)
        try:
            return parse_reply(parse_message(data), number, head.status)
        except TransportError:
            refusal = self._requests.refusal(request, head, data)
        raise refusal

    def _stream(
        self, number: int, headers: Mapping[str, str], listen: Listen
    ) -> Flow[HttpStep, Reply]:
        """Read events up to the answer; resume a broken stream (legacy)."""
        position = _Position()
        broken: TransportError | None = None
        while True:
            try:
                if broken is not None:
                    resume = {**headers, "last-event-id": position.id}
                    again = Open("GET", self._requests.url, resume, b"", None)
                    head = yield from self._requests.open(again)
                    if head.status != 200:
                        broken.transient = False
                        raise broken
                return (yield from _events(position, number, listen))
            except TransportError as error:
                modern = "mcp-method" in headers
                resumable = not modern and _EVENT_ID.fullmatch(position.id)
                spent = position.resumes >= limits.RESUMES
                if not error.transient or not resumable or spent:
                    raise
                broken = error
            position.resumes += 1
            if not (yield from Sleep(position.pause)):
                raise broken


@dataclass(slots=True)
class _Position:
    """How far a stream was read, and how to go on when it breaks."""

    id: str = ""
    pause: float = limits.RESUME_PAUSE
    resumes: int = 0
    events: int = 0


def _events(position: _Position, number: int, listen: Listen) -> Flow[HttpStep, Reply]:
    splitter = Splitter(limits.BODY)
    while chunk := (yield from Read()):
        for event in splitter.feed(chunk):
            position.events += 1
            if position.events > limits.EVENTS:
                raise LimitError(f"more than {limits.EVENTS} events")
            if event.id is not None:
                position.id, position.resumes = event.id, 0
            if event.retry is not None:
                position.pause = event.retry
            if not event.data or event.name not in ("", "message"):
                continue
            message = parse_message(event.data)
            if is_response(message):
                reply = parse_reply(message, number)
                yield from Drain()
                return reply
            yield from listen(message)
    raise TransportError(
        "the stream ended without an answer",
        transient=True,
        hint="the server or a proxy ended it; read its log",
    )
