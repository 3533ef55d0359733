"""What hostile servers list, and which versions they claim to speak."""

from __future__ import annotations

import time
from typing import Any

from tests.runtime.hostile import (
    ACTS,
    DISCOVERED,
    Peer,
    act,
    bare,
    legacy,
)

# Lists


@act
def pages(peer: Peer) -> None:
    cursor = peer.message["params"].get("cursor")
    after = {None: "", "": "2", "2": None}[cursor]
    page: dict[str, Any] = {"tools": [{"name": f"t{cursor}", "inputSchema": {}}]}
    peer.answer(page if after is None else {**page, "nextCursor": after})


@act
def same_page(peer: Peer) -> None:
    peer.answer({"tools": [], "nextCursor": "again"})


@act
def fresh_pages(peer: Peer) -> None:
    peer.answer({"tools": [], "nextCursor": str(peer.id)})


@act
def long_cursor(peer: Peer) -> None:
    peer.answer({"tools": [], "nextCursor": "x" * 1_000_000})


@act
def bad_page(peer: Peer) -> None:
    peer.answer({"tools": [1], "nextCursor": None})


@act
def bad_cursor(peer: Peer) -> None:
    peer.answer({"tools": [], "nextCursor": 1})


@act
def header_tools(peer: Peer) -> None:
    good_one = {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    bad_one = {"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}
    tools = [
        {"name": "good", "inputSchema": good_one},
        {"name": "bad\x1b[31m", "inputSchema": bad_one},
    ]
    peer.answer({"tools": tools} if peer.method == "tools/list" else None)


# Versions


@bare
def modern_only(peer: Peer) -> None:
    data = {"supported": ["2099-01-01"]}
    peer.fail(-32022, "UnsupportedProtocolVersion", data=data)


@bare
def refuses_all(peer: Peer) -> None:
    peer.fail(-32601, "Method not found")


@bare
def breaks_at_once(peer: Peer) -> None:
    peer.sock.close()


@bare
def modern_never(peer: Peer) -> None:
    if peer.method == "initialize":
        peer.fail(-32022, "Unsupported", data={"supported": ["2026-07-28"]})
    else:
        peer.http("404 Not Found")


@bare
def names_version(peer: Peer) -> None:
    """The first probe is refused, and the version to speak is named."""
    if peer.method == "server/discover" and peer.times("server/discover") == 1:
        peer.fail(-32022, "Unsupported", data={"supported": ["2026-07-28"]})
    elif peer.method == "server/discover":
        notice = {"jsonrpc": "2.0", "method": "notifications/x"}
        whole = {"jsonrpc": "2.0", "id": peer.id, "result": DISCOVERED}
        peer.stream(peer.event(notice), peer.event(whole))
        peer.sock.close()
    else:
        ACTS["good"](peer)


@legacy
def deaf_to_cancel(peer: Peer) -> None:
    if peer.method == "tools/call":
        time.sleep(30)
    else:
        peer.sock.close()


@act
def talks_on(peer: Peer) -> None:
    peer.stream(peer.event())
    while True:
        time.sleep(0.01)
        peer.send(b": and another thing\n\n")


@bare
def modern_late(peer: Peer) -> None:
    """A probe that got lost, and a server that is modern all the same."""
    if peer.method == "initialize":
        peer.fail(-32022, "Unsupported", data={"supported": ["2026-07-28"]})
    elif peer.method == "server/discover" and peer.times("server/discover") == 1:
        peer.http("404 Not Found")
    else:
        ACTS["good"](peer)


@bare
def changes_mind(peer: Peer) -> None:
    """Another version of the server is put in place between two calls."""
    if peer.method != "tools/call" or peer.times("server/discover") > 1:
        ACTS["good"](peer)
    else:
        peer.fail(-32022, "Unsupported", data={"supported": ["2026-07-28"]})


@bare
def offers_nothing(peer: Peer) -> None:
    if peer.method == "server/discover":
        peer.answer({"supportedVersions": ["2025-06-18"]})
    else:
        ACTS["old"](peer)
