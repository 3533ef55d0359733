"""A server that asks its client, on the standalone stream, in the call, or modern."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, SimpleQueue
from typing import Any, Self

FORM: dict[str, Any] = {
    "message": "who?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "nobody"},
            "age": {"type": "integer", "minimum": 0},
        },
    },
}
PAGE = {
    "mode": "url",
    "elicitationId": "page-1",
    "url": "https://login.example/start?state=a-secret",
    "message": "log in, please",
}
QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "form": ("elicitation/create", FORM),
    "page": ("elicitation/create", PAGE),
    "sample": ("sampling/createMessage", {"messages": [], "maxTokens": 5}),
    "tools": ("sampling/createMessage", {"messages": [], "tools": [], "maxTokens": 5}),
    "roots": ("roots/list", {}),
}
_BEAT = 0.01
"""Seconds between two looks whether the client still reads the stream."""
TOOLS = [{"name": n, "inputSchema": {"type": "object"}} for n in (*QUESTIONS, "login")]


class AskingServer:
    """The server, and what it saw; as a context manager it runs.

    Attributes:
        modern: Whether it speaks 2026-07-28, and else 2025-11-25.
        inline: Whether it asks on the stream of the call.
        reports: Whether it reports that a person is done at a URL.
        page: What it wants a person to do at a URL.
        seen: The messages that came.
        offers: The capabilities of the server.
        names: The header `Mcp-Name` of each message.
        capabilities: What the client declared last.
        opened: How often the standalone stream was opened.
        conflicts: How often it is refused, as another one is open still.
        refusal: The status of that refusal.
        resumed: The header `Last-Event-ID` of each GET.
    """

    def __init__(self, *, modern: bool = False, inline: bool = False) -> None:
        self.modern, self.inline, self.reports = modern, inline, True
        self.page = dict(PAGE)
        self.tools: list[dict[str, Any]] = list(TOOLS)
        self.offers: dict[str, Any] = {"tools": {"listChanged": True}}
        self.names: list[str | None] = []
        self.messages: list[dict[str, Any]] = []
        self.capabilities: dict[str, Any] = {}
        self.opened = self.conflicts = 0
        self.refusal = 409
        self.resumed: list[str | None] = []
        self.done = False
        self.answers: dict[str, SimpleQueue[dict[str, Any]]] = {}
        self.streams: deque[SimpleQueue[dict[str, Any] | None]] = deque(maxlen=1)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        vars(self._server)["asking"] = self
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/mcp"

    def __enter__(self) -> Self:
        serve = partial(self._server.serve_forever, 0.01)
        threading.Thread(target=serve, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        for stream in self.streams:
            stream.put(None)
        self._server.shutdown()
        self._server.server_close()

    def methods(self) -> list[str]:
        """Return the methods of the messages that came."""
        return [str(message.get("method")) for message in self.messages]

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message on the stream that is open."""
        end = time.monotonic() + 10
        while not self.streams and time.monotonic() < end:
            time.sleep(0.01)
        self.streams[-1].put({"jsonrpc": "2.0", **message})

    def change(self) -> None:
        """Have one tool less, and tell so."""
        self.tools.pop()
        self.tell({"method": "notifications/tools/list_changed"})

    def result(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
        """Return what answers a request: its result or its error."""
        method, params = message["method"], message.get("params", {})
        meta = params.get("_meta", {})
        if method == "initialize":
            self.capabilities = params["capabilities"]
            facts: dict[str, Any] = {
                "capabilities": self.offers,
                "serverInfo": {"name": "asking"},
            }
            return {"result": {**facts, "protocolVersion": "2025-11-25"}}
        self.capabilities = meta.get(
            "io.modelcontextprotocol/clientCapabilities", self.capabilities
        )
        if method == "server/discover":
            return {
                "result": {
                    "supportedVersions": ["2026-07-28"],
                    "capabilities": self.offers,
                }
            }
        if method == "ping":
            return {"result": {}}
        if method == "tools/list":
            return {"result": {"tools": self.tools}}
        if params["name"] == "login":
            return self._login()
        question, content = QUESTIONS[params["name"]]
        content = self.page if content is PAGE else content
        if self.modern:
            if "inputResponses" in params:
                return text(params["inputResponses"]["q"])
            requests = {"q": {"method": question, "params": content}}
            kind = {"resultType": "input_required", "requestState": "s"}
            return {"result": {**kind, "inputRequests": requests}}
        number = f"q{len(self.messages)}"
        box = self.answers.setdefault(number, SimpleQueue())
        request = {"id": number, "method": question, "params": content}
        (send if self.inline else self.tell)({"jsonrpc": "2.0", **request})
        answer = box.get(timeout=10)
        return text(answer.get("result", answer.get("error")))

    def _login(self) -> dict[str, Any]:
        if self.done:
            return text("in")
        self.done = True
        if self.reports and not self.modern:
            params = {"elicitationId": "page-1"}
            notice = {"method": "notifications/elicitation/complete", "params": params}
            threading.Timer(0.2, self.tell, [notice]).start()
        error: dict[str, Any] = {"code": -32042, "message": "log in", "data": {}}
        return {"error": {**error, "data": {"elicitations": [self.page]}}}


class Handler(BaseHTTPRequestHandler):
    """One request; its server has the `asking` one."""

    protocol_version = "HTTP/1.1"

    @property
    def asking(self) -> AskingServer:
        """The server that is asked."""
        asking: AskingServer = vars(self.server)["asking"]
        return asking

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Be quiet."""

    def do_DELETE(self) -> None:
        self._head(200, "text/plain", 0)

    def do_GET(self) -> None:
        if self.asking.modern:
            return self._head(405, "text/plain", 0)
        self.asking.resumed.append(self.headers.get("last-event-id"))
        if self.asking.conflicts:
            self.asking.conflicts -= 1
            return self._head(self.asking.refusal, "text/plain", 0)
        return self._stream()

    def do_POST(self) -> None:
        size = int(self.headers["content-length"])
        body = self.rfile.read(size)
        if len(body) < size:
            return None  # the client has gone meanwhile
        message = json.loads(body)
        self.asking.messages.append(message)
        self.asking.names.append(self.headers.get("mcp-name"))
        if "method" not in message:
            self.asking.answers[message["id"]].put(message)
        method = str(message.get("method", "notifications/"))
        if method.startswith("notifications/"):
            return self._head(202, "text/plain", 0)
        if self.asking.modern and method == "initialize":
            return self._head(400, "text/plain", 0)
        if not self.asking.modern and method == "server/discover":
            return self._head(400, "text/plain", 0)
        if method == "subscriptions/listen":
            return self._stream()
        self._head(200, "text/event-stream")
        answer = self.asking.result(message, self._event)
        self._event({"jsonrpc": "2.0", "id": message["id"], **answer})
        return None

    def _stream(self) -> None:
        box: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        # Before the head: whoever has read it, or waits for it, may send at once.
        self.asking.streams.append(box)
        if self.command == "GET":
            self.asking.opened += 1
        self._head(200, "text/event-stream")
        try:
            while True:
                try:
                    message = box.get(timeout=_BEAT)
                except Empty:
                    self.wfile.write(b": ping\n\n")
                    continue
                if message is None:
                    return
                self.wfile.write(b"id: 7\n")
                self._event(message)
        except OSError:
            return

    def _event(self, message: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(message)}\n\n".encode())
        self.wfile.flush()

    def _head(self, status: int, kind: str, size: int | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        if size is None:
            self.send_header("connection", "close")
            self.close_connection = True
        else:
            self.send_header("content-length", str(size))
        self.send_header("mcp-session-id", "session")
        self.end_headers()


def text(value: object) -> dict[str, Any]:
    """Return the result of a tool that says a value."""
    return {"result": {"content": [{"type": "text", "text": json.dumps(value)}]}}
