"""One request that came to the fault server, and the means to answer it."""

from __future__ import annotations

import json
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.chaos.server import State

__all__ = ["Act", "Exchange", "answer", "answer_sse", "requests"]

META = "io.modelcontextprotocol/"


@dataclass
class Exchange:
    """One request.

    Attributes:
        state: What the server knows.
        record: Its line in the log.
        last: Whether the connection ends after the answer.
    """

    state: State
    sock: socket.socket
    verb: str
    path: str
    headers: dict[str, str]
    body: bytes
    message: dict[str, Any] = field(default_factory=dict[str, Any])
    record: dict[str, Any] = field(default_factory=dict[str, Any])
    last: bool = False

    @property
    def method(self) -> str:
        """The method, "reply" for an answer of the client, or the HTTP verb."""
        if self.message and "method" not in self.message:
            return "reply"
        return str(self.message.get("method", self.verb))

    @property
    def params(self) -> dict[str, Any]:
        params: dict[str, Any] = self.message.get("params") or {}
        return params

    @property
    def nonce(self) -> str:
        arguments: dict[str, Any] = self.params.get("arguments") or {}
        return str(arguments.get("nonce", ""))

    @property
    def times(self) -> int:
        """How often a call with this nonce came, this one included."""
        return sum(request["nonce"] == self.nonce for request in self.state.log)

    def refuse(self) -> None:
        """Note that this delivery is turned down before anything runs."""
        self.record["accepted"] = False

    def send(self, data: bytes | str) -> None:
        self.sock.sendall(data.encode() if isinstance(data, str) else data)

    def http(self, status: str, body: bytes | str = b"", *fields: str) -> None:
        """Answer with a status, a body of known length and header fields."""
        data = body.encode() if isinstance(body, str) else body
        lines = [f"HTTP/1.1 {status}", *fields, f"content-length: {len(data)}"]
        self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data)

    def json(self, message: object, status: str = "200 OK", *fields: str) -> None:
        self.http(
            status, json.dumps(message), "content-type: application/json", *fields
        )

    def result(self, result: object, *fields: str) -> None:
        """Answer with a result, as JSON."""
        whole = {"jsonrpc": "2.0", "id": self.message.get("id"), "result": result}
        self.json(whole, "200 OK", *fields)

    def error(self, code: int, text: str, status: str = "400 Bad Request") -> None:
        """Answer with a JSON-RPC error, as JSON."""
        error = {"code": code, "message": text}
        whole = {"jsonrpc": "2.0", "id": self.message.get("id"), "error": error}
        self.json(whole, status)

    def stream(self, *fields: str) -> None:
        """Begin an event stream that ends with the connection."""
        self.last = True
        lines = ["HTTP/1.1 200 OK", "content-type: text/event-stream", *fields]
        self.send("\r\n".join([*lines, "connection: close", "", ""]))

    def event(self, message: object = None, number: str | None = None) -> None:
        """Send one event; without a message the answer to the request."""
        lines = [] if number is None else [f"id: {number}"]
        data = json.dumps(self.echo() if message is None else message)
        self.send("\n".join([*lines, f"data: {data}", "", ""]))

    def echo(self) -> dict[str, Any]:
        """Return the answer of a tool: its nonce, as text."""
        content = [{"type": "text", "text": self.nonce}]
        result = {"content": content, "resultType": "complete"}
        return {"jsonrpc": "2.0", "id": self.message.get("id"), "result": result}

    def priming(self, retry: int = 50) -> None:
        """Send the event that has an id and nothing else: the stream can resume."""
        self.send(f"id: {self.nonce}\nretry: {retry}\ndata: \n\n")

    def hang(self) -> None:
        """Say nothing until the client goes away."""
        with suppress(OSError):
            while self.sock.recv(65536):
                pass

    def cut(self) -> None:
        """End the connection with a reset."""
        self.sock.setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        self.sock.close()

    def drip(self, data: bytes, pause: float = 0.05) -> None:
        """Send bytes one at a time."""
        for byte in data:
            self.send(bytes([byte]))
            time.sleep(pause)


if TYPE_CHECKING:
    Act = Callable[[Exchange], None]
else:
    Act = Any


def answer(exchange: Exchange) -> None:
    """Answer a call with its nonce, as JSON."""
    exchange.json(exchange.echo())


def answer_sse(exchange: Exchange) -> None:
    """Answer a call with its nonce, as an event stream with progress before it."""
    chunks: list[object] = [exchange.echo()]
    meta: dict[str, Any] = exchange.params.get("_meta") or {}
    token = meta.get("progressToken")
    if token is not None:
        params = {"progressToken": token, "progress": 1, "message": "half"}
        note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
        chunks.insert(0, note)
    fields = ("content-type: text/event-stream", "transfer-encoding: chunked")
    exchange.send("\r\n".join(["HTTP/1.1 200 OK", *fields, "", ""]))
    for chunk in chunks:
        data = f"event: message\ndata: {json.dumps(chunk)}\n\n".encode()
        exchange.send(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    exchange.send(b"0\r\n\r\n")


def requests(state: State, sock: socket.socket) -> Iterator[Exchange]:
    """Yield the requests of one connection."""
    data = b""
    while True:
        while b"\r\n\r\n" not in data:
            chunk = sock.recv(65536)
            if not chunk:
                return
            data += chunk
            if data[:1] == b"\x16":  # TLS, to a port that has none
                sock.sendall(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
                return
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
        exchange = Exchange(state, sock, verb, path, headers, body)
        with suppress(ValueError):
            exchange.message = json.loads(body)
        yield exchange
