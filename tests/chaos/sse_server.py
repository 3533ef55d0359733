"""The fault server as one of MCP 2024-11-05: HTTP with server-sent events."""

from __future__ import annotations

import json
import socket
import threading
import time
import uuid
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from tests.chaos.package import TOOLS
from tests.chaos.server import Script

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.chaos.exchange import Act, Exchange

__all__ = ["Stream", "answered", "sse_script", "stream_of"]


class Stream:
    """The one stream of a session; any thread may send on it."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self.sock = exchange.sock
        self._guard = threading.Lock()

    def send(self, message: object, *, pieces: int = 1) -> None:
        """Send one event, in one piece or byte by byte."""
        text = f"event: message\ndata: {json.dumps(message)}\n\n".encode()
        size = -(-len(text) // pieces)
        with self._guard, suppress(OSError):
            for start in range(0, len(text), size):
                self._exchange.send(text[start : start + size])
                time.sleep(0.002 if pieces > 1 else 0)

    def part(self, message: object) -> None:
        """Send the half of an event."""
        text = f"event: message\ndata: {json.dumps(message)}"
        with self._guard, suppress(OSError):
            self._exchange.send(text[: len(text) // 2])

    def end(self) -> None:
        """End the stream, and with it the session."""
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)


def sse_script(
    call: Act | None = None,
    on: Mapping[str, Act] | None = None,
    endpoint: str = "/messages/?session_id={session}",
) -> Script:
    """Return the script of such a server.

    Args:
        call: What comes of tools/call; an answer on the stream without it.
        on: What comes of other methods.
        endpoint: The URL that takes the messages of a `{session}`.
    """
    acts = {"tools/call": call or answered, **(on or {})}
    return Script(before=partial(_serve, acts=acts, endpoint=endpoint))


def stream_of(exchange: Exchange) -> Stream:
    """Return the stream of the session that a message belongs to."""
    stream: Stream = exchange.state.memory["streams"][exchange.record["session"]]
    return stream


def answered(exchange: Exchange) -> None:
    """Accept a call, and answer it on the stream."""
    exchange.http("202 Accepted", "Accepted")
    stream_of(exchange).send(exchange.echo())


def _serve(exchange: Exchange, acts: Mapping[str, Act], endpoint: str) -> bool:
    url = urlsplit(exchange.path)
    if exchange.verb == "GET" and url.path == "/mcp":
        _hold(exchange, endpoint)
    elif url.path == "/mcp":
        exchange.refuse()
        exchange.http("405 Method Not Allowed", "", "allow: GET")
    else:
        session = parse_qs(url.query).get("session_id", [""])[0]
        exchange.record["session"] = session
        if session not in exchange.state.sessions:
            exchange.refuse()
            exchange.http("404 Not Found", "Could not find session")
        else:
            acts.get(exchange.method, _other)(exchange)
    return True


def _hold(exchange: Exchange, endpoint: str) -> None:
    """Open the stream of a session, and hold it until the client goes."""
    session = uuid.uuid4().hex
    streams: dict[str, Stream] = exchange.state.memory.setdefault("streams", {})
    exchange.stream()
    with exchange.state.guard:
        streams[session] = Stream(exchange)
        exchange.state.sessions[session] = 0
    url = endpoint.replace("{session}", session)
    exchange.send(f"event: endpoint\ndata: {url}\n\n")
    try:
        exchange.hang()
    finally:
        exchange.state.sessions.pop(session, None)


def _other(exchange: Exchange) -> None:
    exchange.http("202 Accepted", "Accepted")
    result: dict[str, Any]
    match exchange.method:
        case "initialize":
            facts: dict[str, Any] = {
                "protocolVersion": "2024-11-05",
                "capabilities": {"tools": {}},
            }
            result = {"result": {**facts, "serverInfo": {"name": "o", "version": "1"}}}
        case "tools/list":
            result = {"result": {"tools": TOOLS}}
        case "ping":
            result = {"result": {}}
        case _:
            result = {"error": {"code": -32601, "message": "Method not found"}}
    if "id" in exchange.message and exchange.method != "reply":
        message = {"jsonrpc": "2.0", "id": exchange.message["id"], **result}
        stream_of(exchange).send(message)
