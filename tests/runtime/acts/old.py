"""Servers of MCP 2024-11-05: a GET opens the stream in which all answers come."""

from __future__ import annotations

import socket
from collections import defaultdict
from contextlib import suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.runtime.hostile import ACTS, LOG, Peer, bare

if TYPE_CHECKING:
    from collections.abc import Callable

STREAMS: dict[str, Peer] = {}
HELD: defaultdict[str, list[Peer]] = defaultdict(list)
NUMBERS = count(1)


def say(peer: Peer, message: object = None) -> None:
    """Send a message on the stream of the session; else the answer to a request."""
    STREAMS[peer.query].send(f"event: message\n{peer.event(message)}".encode())


def result(peer: Peer, value: object) -> None:
    say(peer, {"jsonrpc": "2.0", "id": peer.id, "result": value})


def hold(peer: Peer) -> None:
    """Wait until the client closes the stream, and note that in the log."""
    with suppress(OSError):
        while peer.sock.recv(65536):
            pass
    LOG[peer.key].append({"method": "stream closed"})


def open_stream(peer: Peer, endpoint: str = "/{key}?{session}") -> None:
    session = f"s={next(NUMBERS)}"
    STREAMS[session] = peer
    text = endpoint.format(key=peer.key, session=session)
    parts = [f": hello\n\nid: 1\n\nevent: endpoint\ndata: {text}\n\n"]
    if peer.key.startswith("old_early"):
        ping = {"jsonrpc": "2.0", "id": "p1", "method": "ping"}
        parts = ["".join([*parts, peer.event(ping)])]
    if peer.key.startswith("old_cut_short"):
        fields = ("content-type: text/event-stream", "content-length: 100000")
        peer.http("200 OK", parts[0], *fields, length=False)
    else:
        peer.stream(*parts)
    hold(peer)


def old(function: Callable[[Peer], None]) -> Callable[[Peer], None]:
    """Make an act of a function that answers tools/call; the rest is well behaved."""

    def whole(peer: Peer) -> None:
        if peer.verb == "GET":
            open_stream(peer)
        elif not peer.query:
            peer.http("405 Method Not Allowed", "", "allow: GET")
        elif peer.method == "initialize":
            peer.http("202 Accepted")
            info = {"serverInfo": {"name": "old", "version": "1"}}
            facts: dict[str, Any] = {"capabilities": {"tools": {}}, **info}
            result(peer, {"protocolVersion": "2024-11-05", **facts})
        elif peer.method == "tools/call":
            function(peer)
        else:
            peer.http("202 Accepted")

    ACTS[function.__name__] = whole
    return function


@old
def old_good(peer: Peer) -> None:
    peer.http("202 Accepted")
    say(peer)


@old
def old_out_of_order(peer: Peer) -> None:
    """Answer two calls at once, the last one first, each with its own number."""
    peer.http("202 Accepted")
    HELD[peer.key].append(peer)
    if len(HELD[peer.key]) == 2:
        for one in reversed(HELD[peer.key]):
            number = one.message["params"]["arguments"]["n"]
            result(one, {"content": [{"type": "text", "text": str(number)}]})


@old
def old_breaks_once(peer: Peer) -> None:
    """Take the first call, and end the stream."""
    break_once(peer)


def break_once(peer: Peer) -> None:
    peer.http("202 Accepted")
    if peer.times("tools/call") > 1:
        say(peer)
    else:
        STREAMS[peer.query].sock.shutdown(socket.SHUT_RDWR)


@old
def old_cut_short(peer: Peer) -> None:
    """Do the same to a stream of a length that it does not reach."""
    break_once(peer)


@old
def old_early(peer: Peer) -> None:
    """Send a ping right behind the endpoint."""
    peer.http("202 Accepted")
    say(peer)


@old
def old_two_sessions(peer: Peer) -> None:
    """Forget the session for the second call, while the first still waits in it."""
    if peer.message["params"]["arguments"]["n"] == 1:
        peer.http("202 Accepted")
        HELD[peer.key].append(peer)
        return
    if peer.times("tools/call") == 2:
        peer.http("404 Not Found")
        return
    peer.http("202 Accepted")
    say(peer)
    say(HELD[peer.key][0])


@old
def old_breaks_after(peer: Peer) -> None:
    """Answer each call, and end the stream."""
    peer.http("202 Accepted")
    say(peer)
    STREAMS[peer.query].sock.shutdown(socket.SHUT_RDWR)


def forgets(peer: Peer, status: str) -> None:
    if peer.times("tools/call") > 1:
        old_good(peer)
    else:
        peer.http(status, "no such session")


@old
def old_forgets(peer: Peer) -> None:
    forgets(peer, "404 Not Found")


@old
def old_forgets_400(peer: Peer) -> None:
    forgets(peer, "400 Bad Request")


@old
def old_fails(peer: Peer) -> None:
    peer.http("503 Busy", "later")


@old
def old_silent_once(peer: Peer) -> None:
    peer.http("202 Accepted")
    if peer.times("tools/call") > 1:
        say(peer)


@old
def old_pings(peer: Peer) -> None:
    """Send a ping while no call waits."""
    old_good(peer)
    say(peer, {"jsonrpc": "2.0", "id": "p1", "method": "ping"})


@old
def old_asks(peer: Peer) -> None:
    """Report progress, and ask the user, before the answer."""
    peer.http("202 Accepted")
    token = peer.message["params"]["_meta"]["progressToken"]
    note = {"progressToken": token, "progress": 1, "total": 2, "message": "half"}
    say(peer, {"jsonrpc": "2.0", "method": "notifications/progress", "params": note})
    params = {"message": "who?", "requestedSchema": {"type": "object"}}
    ask = {"jsonrpc": "2.0", "id": "q1", "method": "elicitation/create"}
    say(peer, {**ask, "params": params})
    say(peer)


@old
def old_malformed(peer: Peer) -> None:
    peer.http("202 Accepted")
    data = f'{{"jsonrpc": "2.0", "id": {peer.id}, "result": {{"a": NaN}}}}'
    STREAMS[peer.query].send(f"data: {data}\n\n".encode())


@old
def old_floods(peer: Peer) -> None:
    """Send events without end, and no answer."""
    peer.http("202 Accepted")
    with suppress(OSError):
        while True:
            STREAMS[peer.query].send(b"event: noise\ndata: 1\n\n" * 50)


@bare
def old_refuses(peer: Peer) -> None:
    """Open the stream, and refuse to initialize."""
    if peer.verb == "GET":
        open_stream(peer)
    elif not peer.query:
        peer.http("404 Not Found")
    else:
        peer.http("202 Accepted")
        error = {"code": -32603, "message": "out of order"}
        say(peer, {"jsonrpc": "2.0", "id": peer.id, "error": error})


# Streams that do not begin as they should


def begins(name: str, answer: Callable[[Peer], None]) -> None:
    """Make an act of a GET; every POST is refused."""

    def whole(peer: Peer) -> None:
        if peer.verb == "GET":
            answer(peer)
        else:
            peer.http("405 Method Not Allowed", "", "allow: GET")

    ACTS[name] = whole


def names(endpoint: str, peer: Peer) -> None:
    open_stream(peer, endpoint)


ENDPOINTS = {
    "elsewhere": "http://127.0.0.1:9/mcp",
    "double_slash": "//example.com/mcp",
    "other_scheme": "https://127.0.0.1/mcp",
    "script": "javascript:alert(1)",
    "credentials": "http://user:pass@127.0.0.1/mcp",
    "bad_port": "http://127.0.0.1:port/mcp",
    "huge": "/" + "a" * 5000,
    "backslash": "/\\example.com/mcp",
    "space": "/a b",
    "control": "/a\x1b[31m",
}
for _name, _text in ENDPOINTS.items():
    begins(f"endpoint_{_name}", partial(names, _text))


def html(peer: Peer) -> None:
    peer.http("200 OK", "<html>", "content-type: text/html")


def other_first(peer: Peer) -> None:
    peer.stream("event: message\ndata: {}\n\n")
    hold(peer)


def mute(peer: Peer) -> None:
    peer.stream(": nothing\n\n")
    hold(peer)


def ends_at_once(peer: Peer) -> None:
    peer.http("200 OK", "", "content-type: text/event-stream")


def wants_token(peer: Peer) -> None:
    peer.http("401 Unauthorized", "", 'www-authenticate: Bearer error="x"')


begins("get_405", lambda peer: peer.http("405 Method Not Allowed"))
begins("get_html", html)
begins("get_other_first", other_first)
begins("get_mute", mute)
begins("get_ends", ends_at_once)
begins("get_breaks", lambda peer: peer.sock.close())
begins("get_401", wants_token)
