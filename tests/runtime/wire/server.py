"""A server that writes each answer byte by byte, and logs each call that it gets."""

from __future__ import annotations

import itertools
import json
import socket
import struct
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Self

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Exchange", "HungUpError", "WireServer"]


class HungUpError(Exception):
    """The connection is to be closed, or is."""


class Exchange:
    """One request, and the way to answer it.

    Attributes:
        verb: GET, POST or DELETE.
        path: Where it goes.
        headers: Lower-case name to value.
        message: The JSON-RPC message, {} where there is none.
        server: Who got it.
    """

    def __init__(self, server: WireServer, peer: socket.socket, head: str) -> None:
        first, *lines = head.split("\r\n")
        self.verb, self.path, _ = first.split(" ", 2)
        pairs = (line.split(":", 1) for line in lines)
        self.headers = {name.lower(): value.strip() for name, value in pairs}
        self.message: dict[str, Any] = {}
        self.server = server
        self._peer = peer

    @property
    def method(self) -> str | None:
        """The JSON-RPC method."""
        return self.message.get("method")

    @property
    def nonce(self) -> str | None:
        """What names the call."""
        params: dict[str, Any] = self.message.get("params") or {}
        nonce: str | None = params.get("arguments", {}).get("nonce")
        return nonce

    def result(self, text: str | None = None) -> dict[str, Any]:
        """Return the result of the call."""
        content = [{"type": "text", "text": text or f"done {self.nonce}"}]
        return self.response({"content": content})

    def response(self, result: object) -> dict[str, Any]:
        """Return a response to the request."""
        return {"jsonrpc": "2.0", "id": self.message.get("id"), "result": result}

    def error(self, code: int, text: str, data: object = None) -> dict[str, Any]:
        """Return an error for the request."""
        fault = {"code": code, "message": text, "data": data}
        return {"jsonrpc": "2.0", "id": self.message.get("id"), "error": fault}

    def note(self) -> None:
        """Note that the call runs."""
        self.server.ran.append(str(self.nonce))

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        try:
            self._peer.sendall(data)
        except OSError:
            raise HungUpError from None

    def head(self, status: int = 200, **fields: object) -> None:
        """Write the head of an answer."""
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        self.send("\r\n".join([f"HTTP/1.1 {status} X", *lines, "", ""]).encode())

    def answer(self, message: object, status: int = 200, **fields: object) -> None:
        """Write a whole answer of JSON, or of bytes."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        named = {"Content_Type": "application/json", **fields}
        self.head(status, **named, Content_Length=len(body))
        self.send(body)

    def events(self, *messages: object, last: bool = True) -> None:
        """Write a stream with an event for each message.

        Args:
            messages: JSON, or the bytes of an event.
            last: Whether the stream ends as it should.
        """
        self.head(Content_Type="text/event-stream", Transfer_Encoding="chunked")
        for one in messages:
            if isinstance(one, bytes):
                self.chunk(one)
            else:
                self.chunk(b"data: %s\n\n" % json.dumps(one).encode())
        if last:
            self.send(b"0\r\n\r\n")

    def chunk(self, data: bytes) -> None:
        """Write one chunk of a body."""
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def hang_up(self, *, reset: bool = False) -> None:
        """Close the connection."""
        if reset:
            now = struct.pack("ii", 1, 0)
            self._peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
        else:
            self._peer.shutdown(socket.SHUT_RDWR)  # now, not when all have let it go
        raise HungUpError


class WireServer:
    """The server; as a context manager it runs.

    Args:
        act: Answers a request, and returns whether it did.
        modern: Whether it speaks 2026-07-28, and else 2025-11-25.

    Attributes:
        got: The calls that came, by nonce.
        ran: The calls that may have run.
        sessions: The sessions that it knows.
    """

    def __init__(self, act: Callable[[Exchange], bool], *, modern: bool) -> None:
        self.got: list[str] = []
        self.ran: list[str] = []
        self.sessions: set[str] = set()
        self._act = act
        self._modern = modern
        self._names = itertools.count(1)
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=100)
        self._peers: list[socket.socket] = []

    @property
    def url(self) -> str:
        """The endpoint."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/mcp"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._socket, *self._peers):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                peer, _ = self._socket.accept()
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._peers.append(peer)
                threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        with suppress(OSError, HungUpError), peer, peer.makefile("rb") as lines:
            while head := _head_of(lines):
                exchange = Exchange(self, peer, head)
                body = lines.read(int(exchange.headers.get("content-length", 0)))
                exchange.message = json.loads(body or b"{}")
                if exchange.method == "tools/call":
                    self.got.append(str(exchange.nonce))
                if not self._act(exchange):
                    self.serve_well(exchange)

    def serve_well(self, exchange: Exchange) -> None:
        """Answer as a server does that has no faults."""
        session = exchange.headers.get("mcp-session-id")
        fields: dict[str, Any] = {}
        method = exchange.method
        if exchange.verb != "POST":
            return exchange.answer(b"", 405 if exchange.verb == "GET" else 200)
        if method == ("initialize" if self._modern else "server/discover"):
            return exchange.answer(exchange.error(-32601, "unknown"), 400)
        if method == "initialize":
            fields["Mcp_Session_Id"] = f"session-{next(self._names)}"
            self.sessions.add(fields["Mcp_Session_Id"])
        elif not self._modern and session not in self.sessions:
            return exchange.answer(exchange.error(-32600, "unknown session"), 404)
        if "id" not in exchange.message:
            return exchange.answer(b"", 202)
        if method == "tools/call":
            exchange.note()
            return exchange.answer(exchange.result())
        return exchange.answer(exchange.response(_FACTS), **fields)


def _head_of(lines: BinaryIO) -> str:
    """Return the lines of the next head; "" at the end."""
    head = b""
    while (line := lines.readline()) not in (b"", b"\r\n"):
        head += line
    return head.decode("latin-1").rstrip()


_FACTS: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "wire", "version": "1"},
}
