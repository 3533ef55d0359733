"""What changes from request to request: sessions, streams, second tries, tokens."""

from __future__ import annotations

from typing import Any

from tests.runtime.hostile import (
    ACTS,
    DONE,
    Peer,
    act,
    bare,
    legacy,
)

# Sessions


@legacy
def forgets(peer: Peer) -> None:
    """The first session is forgotten at the first call."""
    if peer.headers.get("mcp-session-id") == "session-1":
        peer.fail(-32600, "Session not found", "404 Not Found")
    else:
        peer.answer()


@legacy
def forgets_always(peer: Peer) -> None:
    peer.fail(-32600, "Session not found", "404 Not Found")


@legacy
def forgets_400(peer: Peer) -> None:
    if peer.headers.get("mcp-session-id") == "session-1":
        peer.fail(-32000, "Bad Request: No valid session ID provided")
    else:
        peer.answer()


@bare
def session_newline(peer: Peer) -> None:
    session_hostile(peer, "a b")


@bare
def session_long(peer: Peer) -> None:
    session_hostile(peer, "s" * 5000)


@bare
def session_unicode(peer: Peer) -> None:
    session_hostile(peer, "s\xe9\xff")


def session_hostile(peer: Peer, value: str) -> None:
    if peer.method == "server/discover":
        peer.fail(-32601, "no")
    else:
        facts: dict[str, Any] = {"protocolVersion": "2025-11-25", "serverInfo": {}}
        peer.answer(facts, f"mcp-session-id: {value}")


@bare
def ancient(peer: Peer) -> None:
    if peer.method == "server/discover":
        peer.fail(-32601, "no")
    else:
        peer.answer({"protocolVersion": "1999-01-01", "serverInfo": {}})


# Resuming a stream (2025-11-25)


@legacy
def resumes(peer: Peer) -> None:
    if peer.verb == "GET":
        number = next(iter(peer.headers["last-event-id"].split("-")))
        whole: dict[str, Any] = {"jsonrpc": "2.0", "id": int(number), "result": DONE}
        peer.stream(peer.event(whole))
    else:
        peer.stream(f"id: {peer.id}-1\nretry: 10\ndata: \n\n")
    peer.sock.close()


@legacy
def resets(peer: Peer) -> None:
    if peer.verb == "GET":
        ACTS["resumes"](peer)
        return
    fields = ("content-type: text/event-stream", "transfer-encoding: chunked")
    peer.http("200 OK", b"", *fields, length=False)
    event = f"id: {peer.id}-1\nretry: 10\ndata: \n\n"
    peer.send(f"{len(event):x}\r\n{event}\r\n".encode())
    peer.sock.close()


@legacy
def resumes_never(peer: Peer) -> None:
    if peer.verb == "POST":
        peer.stream("id: 1\nretry: 10\ndata: \n\n")
    else:
        peer.stream(": nothing\n\n")
    peer.sock.close()


@legacy
def resume_refused(peer: Peer) -> None:
    if peer.verb == "POST":
        peer.stream("id: 1\nretry: 10\ndata: \n\n")
        peer.sock.close()
    else:
        peer.http("405 Method Not Allowed")


# Trying again


@act
def breaks_once(peer: Peer) -> None:
    if peer.times("tools/call") == 1:
        peer.sock.close()
    else:
        peer.answer()


@act
def stream_breaks(peer: Peer) -> None:
    peer.stream("id: 7\ndata: \n\n")
    peer.sock.close()


@act
def busy(peer: Peer) -> None:
    if peer.times("tools/call") == 1:
        peer.http("429 Too Many", b"", "retry-after: 0")
    else:
        peer.answer()


@act
def busy_always(peer: Peer) -> None:
    peer.http("503 Unavailable", b"", "retry-after: soon")


@act
def changed_headers(peer: Peer) -> None:
    schema = {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    if peer.method == "tools/list":
        peer.answer({"tools": [{"name": "tool", "inputSchema": schema}]})
    elif "mcp-param-a" in peer.headers:
        peer.answer()
    else:
        peer.fail(-32020, "HeaderMismatch")


@act
def unknown_tool(peer: Peer) -> None:
    peer.fail(-32602, "Unknown tool: tool", "200 OK")


# Auth


@bare
def wants_token(peer: Peer) -> None:
    if peer.headers.get("authorization") != "Bearer fresh":
        peer.http(
            "401 Unauthorized",
            '{"error": "invalid_token"}',
            'www-authenticate: Bearer error="invalid_token", '
            'error_description="say \\"please\\"", scope=read',
        )
    elif peer.method == "server/discover":
        ACTS["good"](peer)
    else:
        peer.answer()


@bare
def forbidden(peer: Peer) -> None:
    peer.http("403 Forbidden")
