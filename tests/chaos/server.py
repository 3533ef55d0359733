"""A raw-socket MCP server in a process of its own, that does what a script says.

A `Script` is plain functions, forked with the server: a case writes down beside its
checks what the server does. The log holds each delivery of a call, by its nonce.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
import uuid
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.chaos.exchange import META, Act, Exchange, answer, requests
from tests.chaos.package import TOOLS

if TYPE_CHECKING:
    import ssl
    from collections.abc import Generator, Mapping

__all__ = ["ERAS", "Script", "Server", "State", "serve"]

ERAS = ("legacy", "modern")
_INFO = {"name": "chaos", "version": "1"}
_DISCOVERED: dict[str, Any] = {
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "resultType": "complete",
    "ttlMs": 0,
    "cacheScope": "private",
    "_meta": {META + "serverInfo": _INFO},
}


@dataclass(frozen=True, slots=True)
class Script:
    """What a server does.

    Attributes:
        era: "legacy" has initialize and sessions, "modern" has neither.
        call: What comes of tools/call.
        on: What comes of other methods, of "reply", "GET" and "DELETE".
        before: Looks at each request; True if it dealt with it.
        tls: Where each connection is wrapped.
        pause: Seconds from the connection to the first read.
        logs: Whether requests are logged; the nonces of calls are counted anyway.
    """

    era: str = "modern"
    call: Act = answer
    on: Mapping[str, Act] = field(default_factory=dict[str, Act])
    before: Any = None
    tls: ssl.SSLContext | None = None
    pause: float = 0.0
    logs: bool = True


class State:
    """What the server knows while it runs; all of it is in the server's process."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.log: list[dict[str, Any]] = []
        self.counts: Counter[str] = Counter()
        self.sessions: dict[str, int] = {}
        self.memory: dict[str, Any] = {}
        self.guard = threading.Lock()
        self.open: set[socket.socket] = set()
        self.peak = 0
        # Holds the port while the server is down: nobody else gets it.
        self.holder = _bound(0)
        self.port = self.holder.getsockname()[1]
        self._listener: socket.socket | None = None

    def up(self) -> None:
        """Listen, and serve each connection in a thread."""
        with self.guard:
            if self._listener is not None:
                return
            self._listener = _bound(self.port)
            self._listener.listen(1024)
        threading.Thread(target=self._accept, args=(self._listener,)).start()

    def down(self, *, but: socket.socket | None = None) -> None:
        """Refuse new connections and end all that are open, but one."""
        with self.guard:
            listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for sock in list(self.open):
            if sock is not but:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

    def restart(self, pause: float) -> None:
        """Go down, and come back after some seconds."""
        self.down()
        self.sessions.clear()
        threading.Timer(pause, self.up).start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            for number in range(10**9):
                sock, _ = listener.accept()
                threading.Thread(target=self._serve, args=(sock, number)).start()

    def _serve(self, sock: socket.socket, number: int) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with self.guard:
            self.open.add(sock)
            self.peak = max(self.peak, len(self.open))
        try:
            time.sleep(self.script.pause)
            if self.script.tls is not None:
                sock = self.script.tls.wrap_socket(sock, server_side=True)
            for exchange in requests(self, sock):
                self._note(exchange, number)
                _dispatch(exchange)
                if exchange.last:
                    break
        except (OSError, ValueError):
            pass
        finally:
            with self.guard:
                self.open.discard(sock)
            sock.close()

    def _note(self, exchange: Exchange, number: int) -> None:
        exchange.record = {
            "verb": exchange.verb,
            "path": exchange.path,
            "method": exchange.method,
            "nonce": exchange.nonce if exchange.method == "tools/call" else "",
            "tool": exchange.params.get("name"),
            "id": exchange.message.get("id"),
            "session": exchange.headers.get("mcp-session-id"),
            "headers": exchange.headers,
            "connection": number,
            "time": time.time(),
            "accepted": exchange.method == "tools/call",
        }
        with self.guard:
            if exchange.record["nonce"]:
                self.counts[exchange.nonce] += 1
            if self.script.logs:
                self.log.append(exchange.record)


def _bound(port: int) -> socket.socket:
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", port))
    return sock


def _dispatch(exchange: Exchange) -> None:
    script, state = exchange.state.script, exchange.state
    if script.before is not None and script.before(exchange):
        return
    act = script.on.get(exchange.method)
    if act is not None:
        act(exchange)
    elif script.era == "legacy":
        _legacy(exchange, state)
    elif exchange.method == "server/discover":
        exchange.result(_DISCOVERED)
    elif exchange.method == "initialize":
        exchange.error(-32022, "Unsupported protocol version")
    else:
        _common(exchange)


def _legacy(exchange: Exchange, state: State) -> None:
    session = exchange.headers.get("mcp-session-id", "")
    if exchange.method == "server/discover":
        exchange.error(-32601, "Method not found")
    elif exchange.method == "initialize":
        name = uuid.uuid4().hex
        with state.guard:
            state.sessions[name] = 0
        facts: dict[str, Any] = {"capabilities": {"tools": {}}, "serverInfo": _INFO}
        version = {"protocolVersion": "2025-11-25"}
        exchange.result({**version, **facts}, f"mcp-session-id: {name}")
    elif session not in state.sessions:
        exchange.refuse()
        exchange.error(-32600, "Session not found", "404 Not Found")
    elif exchange.verb == "DELETE":
        state.sessions.pop(session, None)
        exchange.http("200 OK")
    else:
        _common(exchange)


def _common(exchange: Exchange) -> None:
    method = exchange.method
    if method == "tools/call":
        exchange.state.script.call(exchange)
    elif method == "tools/list":
        extra = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        exchange.result({"tools": TOOLS, **extra})
    elif method == "ping":
        exchange.result({})
    elif method == "reply" or method.startswith("notifications/"):
        exchange.http("202 Accepted")
    elif exchange.verb in {"GET", "DELETE"}:
        exchange.http("405 Method Not Allowed", "", "allow: POST")
    else:
        exchange.error(-32601, "Method not found", "404 Not Found")


class Server:
    """The server as a case sees it; `url` is its endpoint."""

    def __init__(self, port: int, control: socket.socket) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}/mcp"
        self._control = control.makefile("rw")

    def command(self, word: str) -> Any:
        """Send a word: log, up, down, open, peak, counts, sessions, set, calls."""
        self._control.write(word + "\n")
        self._control.flush()
        return json.loads(self._control.readline())

    def log(self, method: str | None = None) -> list[dict[str, Any]]:
        """Return the requests that came, all or those of a method."""
        entries: list[dict[str, Any]] = self.command("log")
        return [r for r in entries if method in (None, r["method"])]

    def deliveries(self, nonce: str) -> tuple[int, int]:
        """Return how often a call arrived, and how often it was accepted."""
        entries: tuple[int, int] = self.command(f"calls {nonce}")
        return entries


@contextmanager
def serve(script: Script) -> Generator[Server]:
    """Run a server in a process of its own."""
    state = State(script)
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        try:
            _obey(state, theirs)
        finally:
            os._exit(0)
    theirs.close()
    state.holder.close()
    try:
        server = Server(state.port, ours)
        server.command("up")
        yield server
    finally:
        ours.close()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _obey(state: State, control: socket.socket) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stream = control.makefile("rw")
    for line in stream:
        reply: object = None
        match line.strip():
            case "up":
                state.up()
            case "down":
                state.down()
            case "log":
                reply = list(state.log)
            case "open":
                reply = len(state.open)
            case "peak":
                reply = state.peak
            case "counts":
                twice = sum(times > 1 for times in state.counts.values())
                reply = [len(state.counts), twice]
            case "sessions":
                reply = list(state.sessions)
            case word if word.startswith("calls "):
                entries = [r["accepted"] for r in state.log if r["nonce"] == word[6:]]
                reply = [len(entries), sum(entries)]
            case word:
                _, name, value = word.split(" ", 2)
                state.memory[name] = json.loads(value)
        stream.write(json.dumps(reply) + "\n")
        stream.flush()
