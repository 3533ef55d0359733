# Copied by mcp-bindgen. Do not edit.
"""Streamable HTTP without the HTTP client: what to send, how to read what comes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urljoin, urlsplit

from .. import limits
from ..errors import AuthError, ConfigError, LimitError, TransportError, shown
from .http_errors import challenge, detail, refusal
from .messages import (
    TOKEN,
    Reply,
    check_session_id,
    is_response,
    parse_message,
    parse_reply,
)
from .request import SessionLostError
from .sse import Splitter
from .steps import Ask, Drain, Head, HttpStep, Lock, Open, Post, Read, Sleep, Unlock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from .delivery import Delivery
    from .request import Envelope, Listener
    from .steps import Flow

    Listen: TypeAlias = Listener[HttpStep]

_FIXED = {
    "accept": "application/json, text/event-stream",
    "accept-encoding": "identity",
    "content-type": "application/json",
}
_VALUE = re.compile(r"[\x20-\x7e\t]*")
_OURS = {*_FIXED, "content-length", "transfer-encoding", "host", "connection"}
_EVENT_ID = re.compile(r"[\x21-\x7e]([\x20-\x7e]{0,1022}[\x21-\x7e])?")


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
        self._url = url
        self._headers = {
            "user-agent": "mcp-bindgen",
            **check_headers(headers),
            **_FIXED,
        }
        self._source = None if isinstance(token, str) else token
        self._token = _bearer(token) if isinstance(token, str) else None

    def exchange(self, envelope: Envelope, listen: Listen, /) -> Flow[HttpStep, Reply]:
        """Post one request and return the answer."""
        headers, number = envelope.headers, envelope.number
        head = yield from self._open("POST", headers, envelope.body, envelope.delivery)
        if head.status >= 400:
            return (yield from self._refused(head, envelope))
        if head.status != 200:
            raise TransportError(
                f"HTTP {head.status} instead of an answer", is_legacy_server=True
            )
        kind = head.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            reply = yield from self._stream(number, headers, listen)
        elif kind == "application/json":
            data = yield from _body(head, limits.BODY)
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
        whole = yield from self._whole(headers)
        yield from Post("POST", self._url, whole, body)

    def hang_up(self, headers: Mapping[str, str], /) -> Flow[HttpStep, None]:
        """End the session, if there is one; the server may refuse."""
        if headers:
            whole = yield from self._whole(headers)
            yield from Post("DELETE", self._url, whole, b"")

    # Header fields, tokens, redirects

    def _whole(self, headers: Mapping[str, str]) -> Flow[HttpStep, dict[str, str]]:
        if self._token is None and self._source is not None:
            yield from self._renew()
        token = {"authorization": self._token} if self._token else {}
        return {**self._headers, **token, **headers}

    def _renew(self) -> Flow[HttpStep, None]:
        """Get a token, once for all calls that wait for one."""
        yield from Lock("token")
        if self._token is None and self._source is not None:
            self._token = _bearer((yield from Ask(self._source)))
        yield from Unlock("token")

    def _open(
        self,
        verb: str,
        headers: Mapping[str, str],
        body: bytes,
        delivery: Delivery | None = None,
    ) -> Flow[HttpStep, Head]:
        """Send a request; again with a fresh token, or to where the endpoint moved."""
        url, renewed = self._url, False
        while True:
            whole = yield from self._whole(headers)
            head = yield from Open(verb, url, whole, body, delivery)
            if head.status == 401 and self._source is not None and not renewed:
                renewed = True
                if self._token == whole.get("authorization"):
                    self._token = None
            elif url == self._url and (target := _moved(url, head)):
                url = target
            else:
                break
            if delivery is not None:  # the server did not read what it turned away
                delivery.refused()
                delivery.again()
        if head.status < 300:
            self._url = url
            if head.headers.get("content-encoding", "identity").lower() != "identity":
                raise TransportError("the server sent a compressed answer, unasked")
        elif head.status < 400 or head.status in (401, 403):
            if delivery is not None:
                delivery.refused()
            raise (yield from self._turned_away(head, url, whole))
        return head

    def _turned_away(
        self, head: Head, url: str, headers: Mapping[str, str]
    ) -> Flow[HttpStep, AuthError | TransportError]:
        """Return the error for a redirect, or for credentials that are refused."""
        if head.status < 400:
            return _redirect(url, head)
        data = yield from _body(head, limits.ERROR_BODY)
        text = detail(url, data, headers.values())
        return AuthError(head.status, challenge(head), text)

    # Answers

    def _refused(self, head: Head, envelope: Envelope) -> Flow[HttpStep, Reply]:
        headers, number, delivery = envelope.headers, envelope.number, envelope.delivery
        data = yield from _body(head, limits.ERROR_BODY)
        if head.status == 404 and "mcp-session-id" in headers:
            # MCP 2025-11-25, transports, "Session Management": the one sign of it.
            if delivery is not None:
                delivery.refused()
            raise SessionLostError("the server ended the session", status=404)
        try:
            return parse_reply(parse_message(data), number, head.status)
        except TransportError:
            if delivery is not None and head.status < 500:
                delivery.refused()
        secrets = {**self._headers, **headers, "authorization": self._token or ""}
        raise refusal(head, detail(self._url, data, secrets.values()))

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
                    head = yield from self._open("GET", resume, b"")
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
    raise TransportError("the stream ended without an answer", transient=True)


def _bearer(token: object) -> str:
    if not isinstance(token, str) or not _VALUE.fullmatch(token) or not token:
        raise ConfigError("the token is no text that a header may hold")
    return f"Bearer {token}"


def _body(head: Head, limit: int) -> Flow[HttpStep, bytearray]:
    data = bytearray()
    length = head.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > limit):
        raise LimitError(f"an answer of more than {limit} bytes")
    while chunk := (yield from Read()):
        data += chunk
        if len(data) > limit:
            raise LimitError(f"an answer of more than {limit} bytes")
    return data


def _redirect(url: str, head: Head) -> TransportError:
    """Return the error for a redirect that is not followed."""
    target = urlsplit(urljoin(url, head.headers.get("location", "")))
    where = shown(f"{target.scheme}://{target.netloc}{target.path}", 200)
    return TransportError(
        f"the server redirects to {where} (HTTP {head.status}), which is not followed",
        outcome="refused",
        hint="give the URL of the MCP endpoint itself",
        status=head.status,
    )


def _moved(url: str, head: Head) -> str:
    """Return where a redirect within the same origin leads, "" for any other."""
    location = head.headers.get("location", "")
    if head.status not in (307, 308) or not location:
        return ""
    try:
        here, there = urlsplit(url), urlsplit(urljoin(url, location))
    except ValueError:
        return ""
    target = there._replace(fragment="").geturl()
    same = (here.scheme, here.netloc) == (there.scheme, there.netloc)
    return target if same and target != url else ""
