"""What a hostile or broken server does; run as a program, this is that server."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from typing import Any

from tests.runtime.hostile import (
    ACTS,
    DISCOVERED,
    DONE,
    Peer,
    act,
    bare,
    drip,
    legacy,
    listen,
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
        asked = {"jsonrpc": "2.0", "id": "s1", "method": "ping"}
        peer.stream(peer.event(asked), peer.event())
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


def redirect(status: str, location: str) -> None:
    def answer(peer: Peer) -> None:
        peer.http(f"{status} Moved", b"", f"location: {location}")

    bare(answer)
    ACTS[f"redirect-{status}-{len(ACTS)}"] = ACTS.pop("answer")


for code in ("301", "302", "303", "307", "308"):
    for place in (
        "/good/moved",
        "http://localhost:9/x",
        "file:///etc/passwd",
        "//",
        "",
    ):
        redirect(code, place)


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


# Event streams


@act
def sse_cr(peer: Peer) -> None:
    peer.stream(peer.event().replace("\n", "\r"))


@act
def sse_crlf(peer: Peer) -> None:
    peer.stream(peer.event().replace("\n", "\r\n"))


@act
def sse_bom(peer: Peer) -> None:
    peer.stream(b"\xef\xbb\xbf", peer.event())


@act
def sse_split(peer: Peer) -> None:
    text = "caf\u00e9 \u2028 \u0085 \U0001f600"
    whole: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": peer.id,
        "result": {"content": [], "x": text},
    }
    data = f"data: {json.dumps(whole, ensure_ascii=False)}\r\n\r\n".encode()
    peer.stream()
    for place in range(len(data)):
        peer.send(data[place : place + 1])


@act
def sse_many_lines(peer: Peer) -> None:
    text = json.dumps({"jsonrpc": "2.0", "id": peer.id, "result": DONE}, indent=1)
    peer.stream("".join(f"data: {line}\n" for line in text.splitlines()), "\n")


@act
def sse_noise(peer: Peer) -> None:
    notice: dict[str, Any] = {
        "jsonrpc": "2.0",
        "method": "notifications/message",
        "params": [],
    }
    peer.stream(
        ": comment\nfoo: bar\nretry: 1e99\nid: a\0b\ndata\n\n",
        peer.event(notice),
        "event: other\ndata: not JSON\n\n",
        peer.event(),
    )


@act
def sse_unfinished(peer: Peer) -> None:
    peer.stream(peer.event().rstrip("\n"))
    peer.sock.close()


@act
def sse_two(peer: Peer) -> None:
    peer.stream(peer.event(), peer.event(), "garbage\0" * 10)


@act
def html(peer: Peer) -> None:
    peer.http("200 OK", "<!doctype html><h1>Hi</h1>", "content-type: text/html")


@bare
def website(peer: Peer) -> None:
    peer.http("200 OK", "<!doctype html><h1>Hi</h1>", "content-type: text/html")


@bare
def not_found(peer: Peer) -> None:
    peer.http("404 Not Found", "nothing here", "content-type: text/plain")


# JSON and JSON-RPC: `{id}` stands for the request's own

BODIES = {
    "wrong_id": '{"jsonrpc":"2.0","id":99999,"result":{}}',
    "string_id": '{"jsonrpc":"2.0","id":"{id}","result":{}}',
    "null_id": '{"jsonrpc":"2.0","id":null,"result":{}}',
    "no_id": '{"jsonrpc":"2.0","result":{}}',
    "true_id": '{"jsonrpc":"2.0","id":true,"result":{}}',
    "batch": '[{"jsonrpc":"2.0","id":{id},"result":{}}]',
    "both": '{"jsonrpc":"2.0","id":{id},"result":{},"error":{"code":1,"message":"m"}}',
    "neither": '{"jsonrpc":"2.0","id":{id}}',
    "error_text": '{"jsonrpc":"2.0","id":{id},"error":"bad"}',
    "error_types": '{"jsonrpc":"2.0","id":{id},"error":{"code":"x","message":[]}}',
    "no_version": '{"id":{id},"result":{}}',
    "result_text": '{"jsonrpc":"2.0","id":{id},"result":"done"}',
    "nan": '{"jsonrpc":"2.0","id":{id},"result":{"x":NaN}}',
    "infinite": '{"jsonrpc":"2.0","id":{id},"result":{"x":1e400}}',
    "twice": '{"jsonrpc":"2.0","id":{id},"result":{},"result":{}}',
    "digits": '{"jsonrpc":"2.0","id":{id},"result":{"x":' + "9" * 5000 + "}}",
    "deep": '{"jsonrpc":"2.0","id":{id},"result":' + "[" * 100_000 + "}",
    "nested": '{"jsonrpc":"2.0","id":{id},"result":{"x":'
    + "[" * 300
    + "]" * 300
    + "}}",
    "surrogate": '{"jsonrpc":"2.0","id":{id},"result":{"x":"\\ud800"}}',
    "no_json": "{",
    "empty": "",
    "unknown_type": '{"jsonrpc":"2.0","id":{id},"result":{"resultType":"task"}}',
    "content_text": '{"jsonrpc":"2.0","id":{id},"result":{"content":"x"}}',
    "content_list": '{"jsonrpc":"2.0","id":{id},"result":{"content":[1]}}',
    "error_flag": '{"jsonrpc":"2.0","id":{id},"result":{"isError":"no"}}',
}


def body(name: str, text: str) -> None:
    def answer(peer: Peer) -> None:
        peer.json(text.replace("{id}", str(peer.id)))

    act(answer)
    ACTS[name] = ACTS.pop("answer")


for title, template in BODIES.items():
    body(title, template)


@act
def bad_utf8(peer: Peer) -> None:
    peer.http("200 OK", b'{"jsonrpc": "\xff"}', "content-type: application/json")


@act
def accepted(peer: Peer) -> None:
    peer.http("202 Accepted")


# Server requests, which a tools client refuses


@legacy
def asks_first(peer: Peer) -> None:
    if peer.method == "tools/call":
        asked = {"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage"}
        ping = {"jsonrpc": "2.0", "id": "s2", "method": "ping"}
        form = {
            "jsonrpc": "2.0",
            "id": "s3",
            "method": "elicitation/create",
            "params": {"message": "who?"},
        }
        peer.stream(*(peer.event(m) for m in (asked, ping, form)), peer.event())
        peer.sock.close()
    else:
        peer.http("202 Accepted")


@act
def asks_modern(peer: Peer) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    peer.stream(peer.event(asked), peer.event())
    peer.sock.close()


@act
def input_required(peer: Peer) -> None:
    params = peer.message["params"]
    if "inputResponses" in params:
        told = json.dumps([params["inputResponses"], params["requestState"]])
        peer.answer({"content": [{"type": "text", "text": told}]})
        return
    ask: dict[str, Any] = {
        "method": "elicitation/create",
        "params": {"message": "who?"},
    }
    asked = {"inputRequests": {"who": ask}, "requestState": "opaque"}
    peer.answer({"resultType": "input_required", **asked})


@act
def input_stateless(peer: Peer) -> None:
    if "inputResponses" in peer.message["params"]:
        peer.answer({"structuredContent": sorted(peer.message["params"])})
        return
    ask: dict[str, Any] = {"method": "elicitation/create", "params": {}}
    peer.answer({"resultType": "input_required", "inputRequests": {"who": ask}})


@act
def input_forever(peer: Peer) -> None:
    peer.answer({"resultType": "input_required", "requestState": "again"})


@act
def input_sampling(peer: Peer) -> None:
    ask: dict[str, Any] = {"method": "sampling/createMessage", "params": {}}
    peer.answer({"resultType": "input_required", "inputRequests": {"x": ask}})


@act
def progress(peer: Peer) -> None:
    token = peer.message["params"]["_meta"].get("progressToken", "none")
    told = {"progressToken": token, "progress": 1, "total": 2, "message": "half"}
    other = {**told, "progressToken": "another"}
    notes = [
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": told},
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": other},
        {
            "jsonrpc": "2.0",
            "method": "notifications/message",
            "params": {"level": "info", "logger": "x", "data": "hello"},
        },
    ]
    peer.stream(*(peer.event(note) for note in notes), peer.event())
    peer.sock.close()


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


if __name__ == "__main__":
    listen()
