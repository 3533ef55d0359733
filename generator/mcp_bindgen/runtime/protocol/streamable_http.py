"""Streamable HTTP without the HTTP client: what to send, how to read what comes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import AuthError, ConfigError, LimitError, TransportError
from .call import SessionExpiredError
from .flow import do
from .messages import (
    TOKEN,
    Reply,
    check_session_id,
    is_response,
    parse_message,
    parse_reply,
)
from .sse import Splitter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .flow import Flow

BODY_LIMIT = 32 * 1024 * 1024
"""Most bytes of one answer, or of one event of a stream."""

_ERROR_LIMIT = 1024 * 1024
_EVENTS = 100_000
_RESUMES = 2
_FIXED = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "identity",
    "content-type": "application/json",
}
_VALUE = re.compile(r"[\x20-\x7e\t]*")
_OURS = {*_FIXED, "content-length", "transfer-encoding", "host", "connection"}
_FIELD = re.compile(r'([A-Za-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))')
_EVENT_ID = re.compile(r"[\x21-\x7e]([\x20-\x7e]{0,1022}[\x21-\x7e])?")
_BUSY = (429, 502, 503, 504)
_UNDECIDED = (408, 429)


@dataclass(frozen=True, slots=True)
class Head:
    """Status and header fields of a response; its body is still to be read."""

    status: int
    headers: Mapping[str, str]


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the caller's header fields, checked.

    Raises:
        ConfigError: If one cannot stand in a request, or is not the caller's to set.
    """
    for name, value in headers.items():
        if not TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise ConfigError("a header name or value holds a character it must not")
        if name.lower() in _OURS or name.lower().startswith("mcp-"):
            raise ConfigError(f"the header {name.lower()} is set by the client itself")
    return {name.lower(): value for name, value in headers.items()}


class StreamableHttp:
    """One MCP endpoint: posts messages, reads the answers, renews the token.

    Args:
        headers: The caller's own header fields.
        token: Bearer token, or a function that gives a fresh one.
    """

    http = True

    def __init__(
        self, headers: Mapping[str, str], token: str | Callable[[], Any] | None
    ) -> None:
        self._headers = {
            "user-agent": "mcp-bindgen",
            **check_headers(headers),
            **_FIXED,
        }
        self._source = token
        self._token: str | None = None
        if isinstance(token, str):
            self._token = _bearer(token)

    def exchange(
        self,
        number: int,
        body: bytes,
        headers: Mapping[str, str],
        listen: Callable[[dict[str, Any]], Flow[None]],
    ) -> Flow[Reply]:
        """Post one request and return the answer."""
        head = yield from self._open("POST", headers, body)
        if head.status >= 400:
            return (yield from self._refused(head, number, headers))
        if head.status != 200:
            raise TransportError(
                f"HTTP {head.status} instead of an answer", verdict=True
            )
        kind = head.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            reply = yield from self._stream(number, headers, listen)
        elif kind == "application/json":
            data = yield from _body(head, BODY_LIMIT)
            reply = parse_reply(parse_message(data), number)
        else:
            raise TransportError(
                "the server's answer is neither JSON nor an event stream",
                hint="is this the URL of an MCP endpoint? it often ends in /mcp",
                verdict=True,
            )
        session_id = head.headers.get("mcp-session-id")
        if session_id is None:
            return reply
        return Reply(reply.result, reply.error, check_session_id(session_id))

    def notify(self, body: bytes, headers: Mapping[str, str]) -> Flow[None]:
        """Post one message that gets no answer."""
        whole = yield from self._whole(headers)
        yield do("post", "POST", whole, body)

    def hang_up(self, headers: Mapping[str, str]) -> Flow[None]:
        """End the session, if there is one; the server may refuse."""
        if headers:
            whole = yield from self._whole(headers)
            yield do("post", "DELETE", whole, b"")

    def _whole(self, headers: Mapping[str, str]) -> Flow[dict[str, str]]:
        if self._token is None and callable(source := self._source):
            self._token = _bearer((yield do("ask", source)))
        token = {"authorization": self._token} if self._token else {}
        return {**self._headers, **token, **headers}

    def _open(self, method: str, headers: Mapping[str, str], body: bytes) -> Flow[Head]:
        """Send a request, with a fresh token if the first was refused."""
        whole = yield from self._whole(headers)
        head: Head = yield do("open", method, whole, body)
        if head.status == 401 and callable(self._source):
            if self._token == whole.get("authorization"):
                self._token = None
            whole = yield from self._whole(headers)
            head = yield do("open", method, whole, body)
        if head.status in (401, 403):
            raise AuthError(head.status, _challenge(head))
        if 300 <= head.status < 400:
            raise TransportError(
                f"the server redirects (HTTP {head.status}), which is not followed",
                outcome="refused",
                hint="give the URL of the MCP endpoint itself",
                status=head.status,
            )
        if head.headers.get("content-encoding", "identity").lower() != "identity":
            raise TransportError("the server sent a compressed answer, unasked")
        return head

    def _refused(
        self, head: Head, number: int, headers: Mapping[str, str]
    ) -> Flow[Reply]:
        data = yield from _body(head, _ERROR_LIMIT)
        if head.status == 404 and "mcp-session-id" in headers:
            raise SessionExpiredError(
                "the server ended the session", outcome="refused", status=404
            )
        try:
            return parse_reply(parse_message(data), number, head.status)
        except TransportError:
            status = head.status
        raise TransportError(
            f"HTTP {status}",
            outcome="refused" if status < 500 else "unknown",
            status=status,
            retry_after=_retry_after(head),
            transient=status in _BUSY,
            verdict=status < 500 and status not in _UNDECIDED,
        )

    def _stream(
        self,
        number: int,
        headers: Mapping[str, str],
        listen: Callable[[dict[str, Any]], Flow[None]],
    ) -> Flow[Reply]:
        """Read events up to the answer; resume a broken stream (legacy)."""
        place = _Place()
        while True:
            try:
                return (yield from _events(place, number, listen))
            except TransportError as error:
                if not error.transient:
                    raise
                broken = error
            lost = "mcp-method" in headers or not _EVENT_ID.fullmatch(place.id)
            if lost or place.resumes == _RESUMES:
                raise broken
            place.resumes += 1
            yield do("sleep", place.pause)
            resume = {**headers, "last-event-id": place.id}
            head = yield from self._open("GET", resume, b"")
            if head.status != 200:
                raise broken


@dataclass(slots=True)
class _Place:
    """How far a stream was read, and how to go on when it breaks."""

    id: str = ""
    pause: float = 1.0
    resumes: int = 0
    events: int = 0


def _events(
    place: _Place, number: int, listen: Callable[[dict[str, Any]], Flow[None]]
) -> Flow[Reply]:
    splitter = Splitter(BODY_LIMIT)
    while chunk := (yield do("read")):
        for event in splitter.feed(chunk):
            place.events += 1
            if place.events > _EVENTS:
                raise LimitError(f"more than {_EVENTS} events")
            if event.id is not None:
                place.id, place.resumes = event.id, 0
            if event.retry is not None:
                place.pause = event.retry
            if not event.data or event.name not in ("", "message"):
                continue
            message = parse_message(event.data)
            if is_response(message):
                reply = parse_reply(message, number)
                yield do("drain")
                return reply
            yield from listen(message)
    raise TransportError("the stream ended without an answer", transient=True)


def _bearer(token: object) -> str:
    if not isinstance(token, str) or not _VALUE.fullmatch(token) or not token:
        raise ConfigError("the token is no text that a header may hold")
    return f"Bearer {token}"


def _body(head: Head, limit: int) -> Flow[bytearray]:
    data = bytearray()
    length = head.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > limit):
        raise LimitError(f"an answer of more than {limit} bytes")
    while chunk := (yield do("read")):
        data += chunk
        if len(data) > limit:
            raise LimitError(f"an answer of more than {limit} bytes")
    return data


def _challenge(head: Head) -> dict[str, str]:
    text = head.headers.get("www-authenticate", "")[:8_000]
    return {
        name.lower(): bare or re.sub(r"\\(.)", r"\1", quoted)
        for name, quoted, bare in _FIELD.findall(text)
    }


def _retry_after(head: Head) -> float | None:
    text = head.headers.get("retry-after", "")
    return float(text) if text.isdecimal() and len(text) < 9 else None
