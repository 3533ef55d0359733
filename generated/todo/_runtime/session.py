# Copied by mcp-bindgen. Do not edit.
"""The conversation with one server, without input or output: both eras of MCP."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Protocol

from . import rpc
from .errors import (
    DeadlineError,
    InputRequiredError,
    LimitError,
    ProtocolError,
    TransportError,
    shown,
)
from .flow import do
from .strict_json import elements, members

if TYPE_CHECKING:
    from .flow import Flow

_ROUNDS = 10
_PAGES = 1_000
_ITEMS = 100_000
_CURSOR = 65_536
_PROBE = 10.0
_EXPIRED = re.compile("session", re.IGNORECASE)

_log = logging.getLogger(__name__.partition("._runtime")[0])
_random = SystemRandom()

Handler = Callable[..., Any]


class SessionExpiredError(TransportError):
    """The server has forgotten the session; the request was not processed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for all calls of a client.

    Attributes:
        client: Name and version that the server is told.
        version: The protocol version to speak, or None to find out.
        retries: How often a call that may safely be sent again is.
        on_elicit: Answers the server's questions to the user.
    """

    client: Mapping[str, str]
    version: str | None = None
    retries: int = 2
    on_elicit: Handler | None = None

    @property
    def capabilities(self) -> dict[str, Any]:
        """What the server may ask of us."""
        return {"elicitation": {"form": {}}} if self.on_elicit else {}


@dataclass(frozen=True, slots=True)
class Call:
    """One request to make.

    Attributes:
        retryable: Whether running twice does no more than running once.
        header_params: Header token to the path of the argument it repeats.
        on_progress: Told (progress, total, message) while the call runs.
        on_log: Told (level, logger, data) what the server logs meanwhile.
    """

    method: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    retryable: bool = False
    header_params: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    on_progress: Handler | None = None
    on_log: Handler | None = None


class Wire(Protocol):
    """How messages get to the server: HTTP or stdio."""

    http: bool

    def exchange(
        self,
        number: int,
        body: bytes,
        headers: Mapping[str, str],
        listen: Callable[[dict[str, Any]], Flow[None]],
        /,
    ) -> Flow[rpc.Reply]:
        """Send one request and return the answer."""
        ...

    def notify(self, body: bytes, headers: Mapping[str, str], /) -> Flow[None]:
        """Send one message that gets no answer."""
        ...

    def hang_up(self, headers: Mapping[str, str], /) -> Flow[None]:
        """End the session."""
        ...


class Session:
    """Agrees on a version with the server, holds the session, sends requests."""

    def __init__(self, wire: Wire, settings: Settings) -> None:
        self.link: rpc.Link | None = None
        self._wire = wire
        self._settings = settings
        self._ids = count(1)
        self._tool_headers: dict[str, Mapping[str, tuple[str, ...]]] = {}

    # Requests

    def request(self, call: Call) -> Flow[dict[str, Any]]:
        """Send a request and return its result, again where that is safe."""
        tries, mended = 0, False
        while True:
            pause = 0.0
            try:
                return (yield from self._rounds(call))
            except ProtocolError as error:
                # The server's headers are not those of the recording: list, try again.
                stale = error.code == rpc.HEADER_MISMATCH
                if not stale or mended or call.method != "tools/call":
                    raise
                mended = True
                yield from self.list_tools()
            except SessionExpiredError:
                if mended:
                    raise
                mended = True
            except TransportError as error:
                safe = call.retryable or error.outcome == "not sent"
                if not (error.transient and safe) or tries >= self._settings.retries:
                    raise
                tries += 1
                pause = _pause(tries, error.retry_after)
            if pause:
                yield do("sleep", pause)

    def _rounds(self, call: Call) -> Flow[dict[str, Any]]:
        """Send a request, and again with what the server asks for (MRTR)."""
        params, pause = call.params, 0.05
        for _ in range(_ROUNDS):
            link = yield from self.connect()
            result = yield from self._send(link, call, params)
            kind = result.get("resultType", "complete") if link.modern else "complete"
            if kind == "complete":
                return result
            if kind != "input_required":
                raise TransportError(
                    f"a result of unknown type {shown(kind, 50)}", outcome="unknown"
                )
            asked, answers = members(result.get("inputRequests")), {}
            if asked:
                for key, request in asked.items():
                    answers[key] = yield from self._answer(request, asked)
            else:
                yield do("sleep", pause)
                pause = min(pause * 2, 0.25)
            params = {**call.params}
            if answers:
                params["inputResponses"] = answers
            if "requestState" in result:
                params["requestState"] = result["requestState"]
        raise LimitError(f"the server asks for input more than {_ROUNDS} times")

    def _answer(self, request: Any, asked: dict[str, Any]) -> Flow[Any]:
        handler, method = self._settings.on_elicit, members(request).get("method")
        if handler is None or method != "elicitation/create":
            raise InputRequiredError(asked)
        return (yield do("ask", handler, members(members(request).get("params"))))

    def _send(
        self, link: rpc.Link, call: Call, params: Mapping[str, Any]
    ) -> Flow[dict[str, Any]]:
        number = next(self._ids)
        message = self._envelope(link, number, call, params)
        body = rpc.encode(message)
        declared = self._tool_headers.get(
            str(params.get("name")) if call.method == "tools/call" else "",
            call.header_params,
        )
        headers = (
            rpc.request_headers(link, message, declared) if self._wire.http else {}
        )
        listen = self._listener(link, number, call)
        yield do("begin")
        try:
            reply = yield from self._wire.exchange(number, body, headers, listen)
        except SessionExpiredError:
            self._forget(link)
            raise
        except GeneratorExit:
            raise
        except BaseException as error:
            broken = isinstance(error, TransportError) and not self._wire.http
            if broken and not isinstance(error, DeadlineError):
                self._forget(link)  # its program has ended
            given_up = isinstance(error, DeadlineError) or not isinstance(
                error, Exception
            )
            if given_up and not (link.modern and self._wire.http):
                yield from self._cancel(link, number)
            raise
        if reply.error is not None and self._gone(link, reply):
            self._forget(link)
            raise SessionExpiredError(
                f"the server lost the session: {reply.error.message}",
                outcome="refused",
                status=reply.status,
            )
        return reply.unwrap()

    def _gone(self, link: rpc.Link, reply: rpc.Reply) -> bool:
        """Tell whether the server restarted, or changed, and knows us no more."""
        error = reply.error
        if error is None or reply.status != 400:
            return False
        if error.code == rpc.UNSUPPORTED_VERSION:
            return True
        held = link.session_id is not None or link.modern
        return held and _EXPIRED.search(error.text) is not None

    def _forget(self, link: rpc.Link) -> None:
        if self.link is link:
            self.link = None

    def _cancel(self, link: rpc.Link, number: int) -> Flow[None]:
        message = {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": number, "reason": "given up"},
        }
        try:
            headers = rpc.request_headers(link, message, {})
            yield from self._wire.notify(rpc.encode(message), headers)
        except TransportError:
            _log.debug("the server could not be told that a call was given up")

    def _envelope(
        self, link: rpc.Link, number: int, call: Call, params: Mapping[str, Any]
    ) -> dict[str, Any]:
        meta = dict(members(params.get("_meta")))
        if call.on_progress:
            meta["progressToken"] = number
        if link.modern:
            meta[rpc.META + "protocolVersion"] = link.version
            meta[rpc.META + "clientInfo"] = dict(self._settings.client)
            meta[rpc.META + "clientCapabilities"] = self._settings.capabilities
            if call.on_log:
                meta[rpc.META + "logLevel"] = "debug"
        whole = {**params, "_meta": meta} if meta else dict(params)
        return {
            "jsonrpc": "2.0",
            "id": number,
            "method": call.method,
            "params": whole,
        }

    # What comes while we wait

    def _listener(
        self, link: rpc.Link, number: int, call: Call
    ) -> Callable[[dict[str, Any]], Flow[None]]:
        def listen(message: dict[str, Any]) -> Flow[None]:
            params = members(message.get("params"))
            if "id" in message:
                yield from self._serve(link, message, params)
                return
            method = message.get("method")
            progress, log = call.on_progress, call.on_log
            if method == "notifications/progress" and progress:
                if params.get("progressToken") == number:
                    told = [params.get(k) for k in ("progress", "total", "message")]
                    yield do("ask", progress, *told)
            elif method == "notifications/message" and log:
                said = [params.get(k) for k in ("level", "logger", "data")]
                yield do("ask", log, *said)

        return listen

    def _serve(
        self, link: rpc.Link, message: dict[str, Any], params: dict[str, Any]
    ) -> Flow[None]:
        handler = self._settings.on_elicit
        answer = rpc.refusal(message)
        if link.modern:
            return  # servers send no requests there, and there is no way to answer
        if handler and message.get("method") == "elicitation/create":
            result = yield do("ask", handler, params)
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        headers = rpc.request_headers(link, answer, {})
        yield from self._wire.notify(rpc.encode(answer), headers)

    # Agreeing

    def connect(self) -> Flow[rpc.Link]:
        """Return what is agreed with the server; agree first if nothing is."""
        if self.link is not None:
            return self.link
        yield do("lock")
        try:
            link = self.link or (yield from self._negotiate())
        except TransportError as error:
            error.outcome = "not sent"  # the call itself, that is
            raise
        else:
            self.link = link
            return link
        finally:
            yield do("unlock")

    def _negotiate(self) -> Flow[rpc.Link]:
        pinned = self._settings.version
        if pinned in rpc.LEGACY:
            return (yield from self._initialize(pinned))
        link, refused = yield from self._discover(pinned or rpc.MODERN[0])
        if link is not None:
            return link
        if pinned is not None:
            raise refused or ProtocolError(
                rpc.UNSUPPORTED_VERSION, f"the server does not speak {pinned}"
            )
        try:
            return (yield from self._initialize(rpc.LEGACY[0]))
        except ProtocolError as error:
            # A slow server may have taken the probe after all, and be modern now.
            mutual = _mutual(error, rpc.MODERN)
            if not mutual:
                raise
        link, refused = yield from self._discover(mutual[0])
        if link is None:
            raise refused or TransportError("the server agrees to no version")
        return link

    def _discover(
        self, version: str
    ) -> Flow[tuple[rpc.Link | None, ProtocolError | None]]:
        """Ask a server for the modern versions that it speaks.

        Any answer but a usable one means that it speaks none.
        """
        reply = yield from self._probe(version)
        if reply.error is not None:
            mutual = _mutual(reply.error, rpc.MODERN)
            if mutual:
                reply = yield from self._probe(mutual[0])
        if reply.error is not None:
            if _mutual(reply.error, None) and not _mutual(reply.error, rpc.LEGACY):
                raise reply.error
            return None, reply.error
        facts = reply.unwrap()
        offered = elements(facts.get("supportedVersions"))
        known = [version for version in rpc.MODERN if version in offered]
        if not known:
            return None, None
        return rpc.Link(known[0], rpc.describe_server(facts, known[0]), facts), None

    def _probe(self, version: str) -> Flow[rpc.Reply]:
        link = rpc.Link(version, {}, {})
        number = next(self._ids)
        message = self._envelope(link, number, Call("server/discover"), {})
        headers = rpc.request_headers(link, message, {})
        body = rpc.encode(message)
        try:
            return (yield from self._wire.exchange(number, body, headers, _ignore))
        except TransportError as error:
            if not error.verdict:
                raise
            return rpc.Reply(None, ProtocolError(0, error.message))

    def _initialize(self, version: str) -> Flow[rpc.Link]:
        params = {
            "protocolVersion": version,
            "capabilities": self._settings.capabilities,
            "clientInfo": dict(self._settings.client),
        }
        number = next(self._ids)
        message = {
            "jsonrpc": "2.0",
            "id": number,
            "method": "initialize",
            "params": params,
        }
        body = rpc.encode(message)
        reply = yield from self._wire.exchange(number, body, {}, _ignore)
        facts = reply.unwrap()
        agreed = facts.get("protocolVersion")
        if agreed not in rpc.LEGACY:
            raise TransportError(
                f"the server speaks MCP {shown(agreed, 50)}, which we do not"
            )
        link = rpc.Link(
            agreed, rpc.describe_server(facts, agreed), facts, reply.session_id
        )
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        headers = rpc.request_headers(link, ready, {})
        yield from self._wire.notify(rpc.encode(ready), headers)
        return link

    # Lists, and the end

    def pages(self, method: str, key: str) -> Flow[list[dict[str, Any]]]:
        """Return the items of all pages of a list.

        Raises:
            LimitError: If the pages go in a circle or do not end.
        """
        items: list[dict[str, Any]] = []
        cursors: set[str] = set()
        params: dict[str, Any] = {}
        for _ in range(_PAGES):
            result = yield from self.request(Call(method, params, retryable=True))
            more, cursor = rpc.page_items(result, key)
            items += more
            if cursor is None:
                return items
            if cursor in cursors or len(cursor) > _CURSOR or len(items) > _ITEMS:
                break
            cursors.add(cursor)
            params = {"cursor": cursor}
        raise LimitError(f"the pages of {method} do not end", outcome="ran")

    def list_tools(self) -> Flow[list[dict[str, Any]]]:
        """Return all tools, but those that must not be called over HTTP."""
        tools = yield from self.pages("tools/list", "tools")
        if not (self._wire.http and self.link and self.link.modern):
            return tools
        usable: list[dict[str, Any]] = []
        for tool in tools:
            name = str(tool.get("name"))
            try:
                self._tool_headers[name] = rpc.header_params(tool.get("inputSchema"))
                usable.append(tool)
            except ValueError as error:
                _log.warning("tool %s left out: %s", shown(name, 200), error)
        return usable

    def hang_up(self) -> Flow[None]:
        """End the session."""
        link, self.link = self.link, None
        if link is None:
            return
        headers = rpc.request_headers(link, {}, {}) if link.session_id else {}
        try:
            yield from self._wire.hang_up(headers)
        except TransportError:
            _log.debug("the server could not be told that the session ends")


def _ignore(_: dict[str, Any]) -> Flow[None]:
    yield from ()


def _mutual(error: ProtocolError, known: tuple[str, ...] | None) -> list[str]:
    """Return the versions that the server named in an error and that we know."""
    named = elements(members(error.data).get("supported"))
    if error.code != rpc.UNSUPPORTED_VERSION:
        return []
    return named if known is None else [v for v in known if v in named]


def _pause(tries: int, asked: float | None) -> float:
    """Return the seconds to wait: what was asked up to 30, or 0.25, 0.5, 1 ... 8."""
    if asked is not None:
        return min(asked, 30.0)
    longest: float = min(0.125 * 2**tries, 8.0)
    return longest * _random.uniform(0.5, 1.0)
