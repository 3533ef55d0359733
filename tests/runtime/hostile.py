"""A raw-socket HTTP server that misbehaves: the path names the act and a log.

`/<act>/<key>` does the act for whatever is posted there; `/log/<key>` gives, as JSON,
the requests that came under that key. The acts themselves stand in `acts`.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOG: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
ACTS: dict[str, Callable[[Peer], None]] = {}
META = "io.modelcontextprotocol/"
DISCOVERED: dict[str, Any] = {
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "resultType": "complete",
    "_meta": {META + "serverInfo": {"name": "hostile", "version": "1"}},
}
DONE: dict[str, Any] = {
    "content": [{"type": "text", "text": "done"}],
    "resultType": "complete",
}


@dataclass
class Peer:
    """One request, and the means to answer it."""

    sock: socket.socket
    verb: str
    key: str
    headers: dict[str, str]
    body: bytes
    query: str = ""
    message: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def method(self) -> str:
        return str(self.message.get("method", self.verb))

    @property
    def id(self) -> Any:
        return self.message.get("id")

    def times(self, method: str) -> int:
        """How often a method came under this key, this one included."""
        return sum(entry["method"] == method for entry in LOG[self.key])

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def http(
        self, status: str, body: bytes | str = b"", *fields: str, length: bool = True
    ) -> None:
        data = body.encode() if isinstance(body, str) else body
        all_fields = [*fields, f"content-length: {len(data)}"] if length else fields
        head = "\r\n".join([f"HTTP/1.1 {status}", *all_fields])
        self.send(head.encode("latin-1") + b"\r\n\r\n" + data)

    def json(self, message: object, status: str = "200 OK", *fields: str) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        self.http(status, text, "content-type: application/json", *fields)

    def answer(self, result: object = None, *fields: str) -> None:
        whole = {"jsonrpc": "2.0", "id": self.id, "result": result or DONE}
        self.json(whole, "200 OK", *fields)

    def fail(
        self, code: int, text: str, status: str = "400 Bad", data: object = None
    ) -> None:
        error = {"code": code, "message": text, "data": data}
        self.json({"jsonrpc": "2.0", "id": self.id, "error": error}, status)

    def stream(self, *parts: bytes | str) -> None:
        """Begin an event stream whose end is the connection's end."""
        self.http("200 OK", b"", "content-type: text/event-stream", length=False)
        for part in parts:
            self.send(part.encode() if isinstance(part, str) else part)

    def event(self, message: object = None, **fields: object) -> str:
        """Return one event; without a message the answer to the request."""
        whole = message or {"jsonrpc": "2.0", "id": self.id, "result": DONE}
        lines = [f"{name}: {value}" for name, value in fields.items()]
        return "\n".join([*lines, f"data: {json.dumps(whole)}", "", ""])


def act(function: Callable[[Peer], None]) -> Callable[[Peer], None]:
    """Make an act of a function that answers tools/call; the rest is well behaved."""

    def whole(peer: Peer) -> None:
        if peer.method == "server/discover":
            peer.answer(DISCOVERED)
        else:
            function(peer)

    ACTS[function.__name__] = whole
    return function


def legacy(function: Callable[[Peer], None]) -> Callable[[Peer], None]:
    """The same for a server of the handshake era, with sessions."""

    def whole(peer: Peer) -> None:
        if peer.method == "server/discover":
            peer.fail(-32600, "Bad Request: Missing session ID")
        elif peer.method == "initialize":
            number = peer.times("initialize")
            facts: dict[str, Any] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
            }
            info = {"serverInfo": {"name": "old", "version": "1"}}
            peer.answer({**facts, **info}, f"mcp-session-id: session-{number}")
        elif peer.method == "notifications/initialized":
            peer.http("202 Accepted")
        else:
            function(peer)

    ACTS[function.__name__] = whole
    return function


def bare(function: Callable[[Peer], None]) -> Callable[[Peer], None]:
    """Make an act of a function that answers everything."""
    ACTS[function.__name__] = function
    return function


def requests(sock: socket.socket) -> Iterator[Peer]:
    """Yield the requests of one connection."""
    data = b""
    while True:
        while b"\r\n\r\n" not in data:
            chunk = sock.recv(65536)
            if not chunk:
                return
            data += chunk
        head, _, data = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        verb, path, _ = first.split(" ")
        fields = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in fields}
        length = int(headers.get("content-length", "0"))
        while len(data) < length:
            chunk = sock.recv(65536)
            if not chunk:
                return
            data += chunk
        body, data = data[:length], data[length:]
        key, _, query = path.partition("?")
        peer = Peer(sock, verb, key.strip("/"), headers, body, query)
        with suppress(ValueError):
            peer.message = json.loads(body)
        yield peer


def serve(sock: socket.socket, number: int) -> None:
    with sock, suppress(OSError):
        for peer in requests(sock):
            name, _, key = peer.key.partition("/")
            if name == "log":
                peer.json(LOG[key])
                continue
            entry = {"verb": peer.verb, "method": peer.method, "headers": peer.headers}
            peer.key = f"{name}/{key}"
            LOG[peer.key].append(
                {**entry, "message": peer.message, "connection": number}
            )
            ACTS[name](peer)


def listen() -> None:
    """Listen, and serve each connection in a thread."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    for number in count():
        sock, _ = listener.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(sock, number), daemon=True).start()


def drip(peer: Peer, data: bytes, pause: float = 0.05) -> None:
    """Send bytes one at a time, for ever if the client lets us."""
    for byte in data:
        peer.send(bytes([byte]))
        time.sleep(pause)
