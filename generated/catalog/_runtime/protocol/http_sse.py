# Copied by mcp-bindgen. Do not edit.
"""HTTP with server-sent events, the transport of MCP 2024-11-05.

A GET opens the one stream of a session. Its first event names the endpoint that takes
the POST of each message; all answers come on the stream.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from .. import limits
from ..errors import (
    SERVER_FAULT,
    ClosedError,
    DeadlineError,
    LimitError,
    TransportError,
    printable,
)
from .http_requests import HttpRequests, read_body, same_origin
from .inbox import LISTENER, Inbox
from .messages import (
    answered,
    encode,
    is_response,
    parse_message,
    parse_reply,
    refusal,
)
from .sse import Splitter
from .steps import Await, HttpStep, Open, Post, Read, Subscribe
from .wire import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .messages import Reply
    from .sse import Event
    from .steps import Flow
    from .wire import Envelope, Listener, Reading

    Listen: TypeAlias = Listener[HttpStep]

__all__ = ["EndpointError", "HttpSse", "subscribe"]

# A URL that is valid in a request; some readers take a backslash for "/".
_URL = re.compile(r"[\x21-\x5b\x5d-\x7e]+")
# The parts of a URL that may hold a secret.
_SECRET = re.compile(r"(?<=//)[^/?#]*@|[?#].*")


def subscribe(requests: HttpRequests) -> Flow[HttpStep, HttpSse | None]:
    """Open the stream of a session; None where the server has none.

    Args:
        requests: Sends requests to the URL that refused `initialize`.

    Raises:
        AuthError: The server refuses the credentials.
        TransportError: The stream begins with an endpoint that must not be used.
    """
    accept = {"accept": "text/event-stream"}
    try:
        get = Open("GET", requests.url, accept, b"", None, lasting=True)
        head = yield from requests.open(get)
        kind = head.headers.get("content-type", "").partition(";")[0].strip().lower()
        if head.status != 200 or kind != "text/event-stream":
            return None
        stream = EventStream(requests.url, (yield from requests.whole({})))
        first: list[Post] = []
        while not stream.endpoint:
            chunk = yield from Read(limits.PROBE_SECONDS)
            if not chunk:
                return None
            first += stream.feed(chunk)
    except (ClosedError, DeadlineError, EndpointError) as _:
        raise
    except TransportError:
        return None
    yield from Subscribe(stream)
    for post in first:
        yield from post
    return HttpSse(requests, stream)


class EndpointError(TransportError):
    """The endpoint that the stream names must not be used."""


class HttpSse:
    """One session: posts messages to its endpoint, and takes answers from the stream.

    Args:
        requests: Sends requests to the server.
        stream: The stream of the session.
    """

    http = True

    def __init__(self, requests: HttpRequests, stream: EventStream) -> None:
        self._requests = requests
        self._stream = stream

    def exchange(self, envelope: Envelope, listen: Listen, /) -> Flow[HttpStep, Reply]:
        """Post one request and wait for the answer.

        Raises:
            SessionLostError: The stream has ended. The call's own delivery says whether
                its POST came before that.
        """
        number, inbox = envelope.number, self._stream.inbox
        box = inbox.expect(number)
        if envelope.delivery is not None:
            envelope.delivery.ready = inbox.check
        try:
            yield from self._post(envelope)
            while True:
                message = yield from Await(box)
                if is_response(message):
                    return parse_reply(message, number)
                yield from listen(message)
        finally:
            inbox.drop(number)

    def notify(
        self, body: bytes, headers: Mapping[str, str], /
    ) -> Flow[HttpStep, None]:
        """Post one message that gets no answer."""
        yield from self._requests.post(self._stream.endpoint, headers, body)

    def listen(
        self,
        headers: Mapping[str, str],
        serve: Listen,
        lasts: Callable[[], bool],
        reading: Reading,
        /,
    ) -> Flow[HttpStep, None]:
        """Serve the messages that come while no call waits."""
        del headers
        box = self._stream.inbox.expect(LISTENER)
        reading.opened = True
        while lasts():
            yield from serve((yield from Await(box)))

    def hang_up(self, headers: Mapping[str, str], /) -> Flow[HttpStep, None]:
        """Do nothing: closing the stream ends the session."""
        del headers
        yield from ()

    def older(self) -> Flow[HttpStep, None]:
        """Return None: this is the oldest transport."""
        yield from ()

    def _post(self, envelope: Envelope) -> Flow[HttpStep, None]:
        url, headers = self._stream.endpoint, envelope.headers
        request = Open("POST", url, headers, envelope.body, envelope.delivery)
        head = yield from self._requests.open(request)
        data = yield from read_body(head, limits.ERROR_BODY)
        if head.status < 300:
            return
        error = self._requests.refusal(request, head, data)
        if head.status < 500:
            # Servers that no longer know the session say 404 or 400. The next call
            # opens another; this one is sent again after a 404 only, as in
            # Streamable HTTP.
            self._stream.refuse_calls()
        if head.status == 404:
            raise SessionLostError("the server ended the session", status=404)
        raise error


class EventStream:
    """The stream of one session: finds the call that each message is for.

    Args:
        url: Where the stream comes from.
        headers: The header fields of answers to the server's own requests.

    Attributes:
        endpoint: Takes the messages of the session; "" before the first event.
        inbox: The calls that wait for messages.
    """

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.endpoint = ""
        self.inbox = Inbox()
        self._url = url
        self._headers = headers
        self._splitter = Splitter(limits.BODY)
        self._events = 0

    def feed(self, chunk: bytes, /) -> Iterator[Post]:
        """Take bytes that arrived; yield the answers to send.

        Raises:
            TransportError: The first event is no endpoint that may be used, or the
                stream breaks a limit.
        """
        for event in self._splitter.feed(chunk):
            self._events += 1
            if self._events > limits.EVENTS:
                raise LimitError(f"more than {limits.EVENTS} events without an answer")
            if not event.data:
                continue
            if not self.endpoint:
                self.endpoint = self._checked(event)
            elif event.name in ("", "message"):
                yield from self._take(event.data)

    def end(self, error: TransportError, /) -> None:
        """Note that no further bytes come."""
        self.inbox.end(error)

    @property
    def idle(self) -> bool:
        """Whether no call waits for a message."""
        return not self.inbox.waiting

    def refuse_calls(self) -> None:
        """Make new calls open another session; those that wait continue to wait."""
        self.inbox.close()

    def _take(self, data: bytes) -> Iterator[Post]:
        try:
            message = parse_message(data)
        except TransportError as error:
            self.inbox.blame(answered(data), error)
            return
        if is_response(message):
            self._events = 0
            self.inbox.deliver(message)
        elif not self.inbox.deliver(message) and "id" in message:
            body = encode(refusal(message))
            yield Post("POST", self.endpoint, self._headers, body)

    def _checked(self, event: Event) -> str:
        """Return the URL that the first event names.

        Raises:
            TransportError: It names none; an `EndpointError` if it is not usable.
        """
        if event.name != "endpoint":
            raise TransportError(
                "the stream does not begin with an endpoint", hint=SERVER_FAULT
            )
        text = event.data[: limits.ENDPOINT + 1].decode("utf-8", "replace").strip()
        hint = "this may be an attack, or a wrong proxy; ask who runs the server"
        if len(text) > limits.ENDPOINT or not _URL.fullmatch(text):
            text = "the server names an endpoint that is no URL"
            raise EndpointError(text, hint=hint)
        if url := same_origin(self._url, text):
            return url
        where = printable(_SECRET.sub("", text), 100)
        raise EndpointError(
            f"the server names an endpoint of another origin: {where}", hint=hint
        )
