# Copied by mcp-bindgen. Do not edit.
"""The conversation with one server, without input or output: calls, and their ends."""

from __future__ import annotations

import logging
import re
from functools import partial
from itertools import count
from random import SystemRandom
from typing import TYPE_CHECKING, Any

from ..errors import (
    DeadlineError,
    InputRequiredError,
    LimitError,
    ProtocolError,
    TransportError,
    shown,
)
from ..strict_json import members
from . import messages as rpc
from .call import Call, SessionExpiredError, Settings, Wire, envelope
from .flow import do
from .negotiation import Agreeing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .flow import Flow

_ROUNDS = 10
_PAGES = 1_000
_ITEMS = 100_000
_CURSOR = 65_536
_EXPIRED = re.compile("session", re.IGNORECASE)

_log = logging.getLogger(__name__.partition("._runtime")[0])
_random = SystemRandom()


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
                raise TransportError(f"a result of unknown type {shown(kind, 50)}")
            asked, answers = members(result.get("inputRequests")), {}
            for key, request in asked.items():
                answers[key] = yield from self._answer(request, asked)
            if not asked:
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
        message = envelope(self._settings, link, number, call, params)
        body = rpc.encode(message)
        declared = self._tool_headers.get(
            str(params.get("name")) if call.method == "tools/call" else "",
            call.header_params,
        )
        headers = rpc.request_headers(link, message, declared)
        listen = partial(self._listen, link, number, call)
        yield do("begin")
        try:
            reply = yield from self._wire.exchange(number, body, headers, listen)
        except SessionExpiredError:
            self._forget(link)
            raise
        except GeneratorExit:
            raise
        except BaseException as error:
            if isinstance(error, DeadlineError) or not isinstance(error, Exception):
                if not (link.modern and self._wire.http):
                    yield from self._cancel(link, number)
            elif isinstance(error, TransportError) and not self._wire.http:
                self._forget(link)  # its program has ended
            raise
        if reply.error is not None and _gone(link, reply.error, reply.status):
            self._forget(link)
            lost = f"the server lost the session: {reply.error.message}"
            raise SessionExpiredError(lost, outcome="refused", status=reply.status)
        return reply.unwrap()

    def _forget(self, link: rpc.Link) -> None:
        # Another call may have agreed on a new one meanwhile.
        self.link = None if self.link is link else self.link

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

    # What comes while we wait

    def _listen(
        self, link: rpc.Link, number: int, call: Call, message: dict[str, Any]
    ) -> Flow[None]:
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

    def _serve(
        self, link: rpc.Link, message: dict[str, Any], params: dict[str, Any]
    ) -> Flow[None]:
        if link.modern:
            return  # servers send no requests there, and there is no way to answer
        handler, answer = self._settings.on_elicit, rpc.refusal(message)
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
            trying = Agreeing(self._wire, self._settings, self._ids)
            link = self.link or (yield from trying.negotiate())
        except TransportError as error:
            error.outcome = "not sent"  # the call itself, that is
            raise
        else:
            self.link = link
            return link
        finally:
            yield do("unlock")

    # Lists, and the end

    def list_tools(self) -> Flow[list[dict[str, Any]]]:
        """Return all tools, but those that must not be called over HTTP.

        Raises:
            LimitError: If the pages go in a circle or do not end.
        """
        tools: list[dict[str, Any]] = []
        cursors: set[str] = set()
        params: dict[str, Any] = {}
        for _ in range(_PAGES):
            call = Call("tools/list", params, retryable=True)
            more, cursor = rpc.page_items((yield from self.request(call)), "tools")
            tools += more
            if cursor is None:
                return self._usable(tools)
            if cursor in cursors or len(cursor) > _CURSOR or len(tools) > _ITEMS:
                break
            cursors.add(cursor)
            params = {"cursor": cursor}
        raise LimitError("the pages of tools/list do not end", outcome="ran")

    def _usable(self, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Leave out tools with wrong header annotations; remember those of others."""
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


def _gone(link: rpc.Link, error: ProtocolError, status: int) -> bool:
    """Tell whether the server restarted, or changed, and knows us no more."""
    held = link.session_id is not None or link.modern
    expired = held and _EXPIRED.search(error.text) is not None
    return status == 400 and (expired or error.code == rpc.UNSUPPORTED_VERSION)


def _pause(tries: int, asked: float | None) -> float:
    """Return the seconds to wait: what was asked up to 30, or 0.25, 0.5, 1 ... 8."""
    if asked is not None:
        return min(asked, 30.0)
    longest: float = min(0.125 * 2**tries, 8.0)
    return longest * _random.uniform(0.5, 1.0)
