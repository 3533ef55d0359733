"""What well-behaved servers do, redirects, sizes and time."""

from __future__ import annotations

import gzip
import time
import zlib
from typing import Any

from tests.runtime.hostile import (
    ACTS,
    DONE,
    Peer,
    act,
    bare,
    drip,
    legacy,
)

MEGABYTE = b"x" * 1_000_000


# Well behaved, for comparison


@act
def good(peer: Peer) -> None:
    peer.answer()


@act
def cookie(peer: Peer) -> None:
    peer.answer(None, "set-cookie: node=a; Path=/")


@bare
def crash(peer: Peer) -> None:
    """A stream without end after its answer: the connection is given up."""
    if peer.method == "tools/call":
        peer.stream(peer.event())
        time.sleep(5)
    else:
        ACTS["good"](peer)


@legacy
def notices_much(peer: Peer) -> None:
    """Notifications are answered with a body that does not end."""
    if peer.method == "tools/call":
        ping = {"jsonrpc": "2.0", "id": "s1", "method": "ping"}
        peer.stream(peer.event(ping), peer.event())
        peer.sock.close()
    else:
        peer.http("200 OK", MEGABYTE)


@act
def echo(peer: Peer) -> None:
    arguments = peer.message["params"]["arguments"]
    time.sleep(arguments["nonce"] % 7 / 1000)
    peer.answer({**DONE, "structuredContent": arguments})


@legacy
def old(peer: Peer) -> None:
    if peer.verb == "DELETE":
        peer.http("200 OK")
    elif peer.method.startswith("notifications/"):
        peer.http("202 Accepted")
    else:
        peer.answer()


# Redirects


def redirect(status: str, number: int, location: str) -> None:
    def answer(peer: Peer) -> None:
        peer.http(f"{status} Moved", b"", f"location: {location}")

    bare(answer)
    ACTS[f"redirect-{status}-{number}"] = ACTS.pop("answer")


MOVED = "/good/moved"
PLACES = (MOVED, "http://localhost:9/x", "file:///etc/passwd", "//", "")
for code in ("301", "302", "303", "307", "308"):
    for number, part in enumerate(PLACES):
        redirect(code, number, part)

REDIRECTS = sorted(name for name in ACTS if name.startswith("redirect-"))
# To the same server, by a status that keeps method and body.
FOLLOWED = [f"redirect-{code}-{PLACES.index(MOVED)}" for code in ("307", "308")]


# Sizes and encodings


@act
def gzip_bomb(peer: Peer) -> None:
    peer.http("200 OK", gzip.compress(MEGABYTE * 100, 1), "content-encoding: gzip")


@act
def deflate_bomb(peer: Peer) -> None:
    peer.http("200 OK", zlib.compress(MEGABYTE, 1), "content-encoding: deflate")


@act
def big_promise(peer: Peer) -> None:
    fields = ("content-type: application/json", "content-length: 99999999999999999999")
    peer.http("200 OK", b"", *fields, length=False)
    time.sleep(30)


@act
def big_body(peer: Peer) -> None:
    peer.http("200 OK", b"", "content-type: application/json", length=False)
    while True:
        peer.send(MEGABYTE)


@act
def big_line(peer: Peer) -> None:
    peer.stream("data: ")
    while True:
        peer.send(MEGABYTE)


@act
def big_event(peer: Peer) -> None:
    peer.stream()
    while True:
        peer.send(b"data: " + MEGABYTE + b"\n")


@act
def big_header(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\nx: ")
    while True:
        peer.send(MEGABYTE)


@act
def chunk_extensions(peer: Peer) -> None:
    fields = ("content-type: application/json", "transfer-encoding: chunked")
    peer.http("200 OK", b"", *fields, length=False)
    peer.send(b"1;")
    while True:
        peer.send(MEGABYTE)


@act
def many_events(peer: Peer) -> None:
    notice: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/x"}
    peer.stream()
    while True:
        peer.send(peer.event(notice).encode() * 1000)


# Time


@act
def silence(_: Peer) -> None:
    time.sleep(30)


@bare
def mute(_: Peer) -> None:
    time.sleep(30)


@act
def drip_head(peer: Peer) -> None:
    drip(peer, b"HTTP/1.1 200 OK\r\nx-slow: " + b"x" * 10_000)


@act
def drip_body(peer: Peer) -> None:
    peer.http("200 OK", b"", "content-type: application/json", length=False)
    drip(peer, b" " * 10_000)


@act
def comments(peer: Peer) -> None:
    peer.stream()
    while True:
        peer.send(b": ping\n\n")
        time.sleep(0.05)


@legacy
def old_silence(peer: Peer) -> None:
    if peer.method == "tools/call":
        peer.stream(": wait\n\n")
        time.sleep(30)
    else:
        peer.http("202 Accepted")
