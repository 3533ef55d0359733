"""What hostile servers write: event streams, JSON, requests of their own."""

from __future__ import annotations

import json
from typing import Any

from tests.runtime.hostile import (
    ACTS,
    DONE,
    Peer,
    act,
    bare,
    legacy,
)

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
    for index in range(len(data)):
        peer.send(data[index : index + 1])


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
        question = {"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage"}
        ping = {"jsonrpc": "2.0", "id": "s2", "method": "ping"}
        form = {
            "jsonrpc": "2.0",
            "id": "s3",
            "method": "elicitation/create",
            "params": {"message": "who?"},
        }
        peer.stream(*(peer.event(m) for m in (question, ping, form)), peer.event())
        peer.sock.close()
    else:
        peer.http("202 Accepted")


@act
def asks_modern(peer: Peer) -> None:
    question = {"jsonrpc": "2.0", "id": 1, "method": "roots/list"}
    peer.stream(peer.event(question), peer.event())
    peer.sock.close()


@act
def input_required(peer: Peer) -> None:
    params = peer.message["params"]
    if "inputResponses" in params:
        answers = json.dumps([params["inputResponses"], params["requestState"]])
        peer.answer({"content": [{"type": "text", "text": answers}]})
        return
    ask: dict[str, Any] = {
        "method": "elicitation/create",
        "params": {"message": "who?"},
    }
    question = {"inputRequests": {"who": ask}, "requestState": "opaque"}
    peer.answer({"resultType": "input_required", **question})


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
    params = {"progressToken": token, "progress": 1, "total": 2, "message": "half"}
    other = {**params, "progressToken": "another"}
    notes = [
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/progress", "params": other},
        {
            "jsonrpc": "2.0",
            "method": "notifications/message",
            "params": {"level": "info", "logger": "x", "data": "hello"},
        },
    ]
    peer.stream(*(peer.event(note) for note in notes), peer.event())
    peer.sock.close()
