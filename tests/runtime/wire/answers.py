"""Ways to answer one call wrongly, or oddly; each notes whether the call ran."""

from __future__ import annotations

import gzip
import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.runtime.wire.server import Exchange

__all__ = ["FAULTS", "RIGHT"]

_JSON = "application/json"
_MOMENT = 0.05


def _body(exchange: Exchange) -> bytes:
    return json.dumps(exchange.result()).encode()


def _raw(exchange: Exchange, data: bytes) -> None:
    """Write bytes in place of an answer, and close the connection."""
    exchange.send(data)
    exchange.hang_up()


def _cut(exchange: Exchange, *, reset: bool = False) -> None:
    body = _body(exchange)
    exchange.head(Content_Type=_JSON, Content_Length=len(body))
    exchange.send(body[: len(body) // 2])
    time.sleep(_MOMENT)
    exchange.hang_up(reset=reset)


def _chunked(exchange: Exchange, data: bytes) -> None:
    exchange.head(Content_Type=_JSON, Transfer_Encoding="chunked")
    _raw(exchange, data)


def _until_closed(exchange: Exchange, kind: str, *, whole: bool) -> None:
    """Answer as HTTP/1.0 does: the end of the connection ends the body."""
    body = _body(exchange)
    text = b"data: %s\n\n" % body if "event" in kind else body
    head = f"HTTP/1.0 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode()
    _raw(exchange, head + (text if whole else text[:-5]))


def _informed(exchange: Exchange, status: str) -> None:
    """Send answers before the answer."""
    exchange.send(f"HTTP/1.1 {status}\r\nLink: </a>\r\n\r\n".encode() * 20)
    exchange.answer(exchange.result())


def _too_short(exchange: Exchange) -> None:
    """Count characters in place of bytes, so that the body is longer than said."""
    body = _body(exchange)
    exchange.head(Content_Type=_JSON, Content_Length=len(body) - 3)
    exchange.send(body)


def _twice(exchange: Exchange, number: Callable[[int], int]) -> None:
    """Send another answer behind the answer, on the same connection."""
    body = _body(exchange)
    other = exchange.result("another call's answer")
    other["id"] = number(other["id"])
    head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
    texts = (body, json.dumps(other).encode())
    exchange.send(b"".join(head.format(len(t)).encode() + b"\r\n" + t for t in texts))


def _then_closed(exchange: Exchange) -> None:
    exchange.answer(exchange.result())
    exchange.hang_up()


def _zipped(exchange: Exchange, end: int | None) -> None:
    body = gzip.compress(_body(exchange))[:end]
    exchange.answer(body, Content_Encoding="gzip")


def _head(exchange: Exchange, line: bytes) -> None:
    """Answer with one more line in the head."""
    body = _body(exchange)
    kind = b"Content-Type: application/json\r\nContent-Length: %d" % len(body)
    exchange.send(b"\r\n".join([b"HTTP/1.1 200 OK", line, kind, b"", body]))


def _changed(exchange: Exchange, **members: object) -> None:
    exchange.answer({**exchange.result(), **members})


def _text(exchange: Exchange, change: Callable[[bytes], bytes]) -> None:
    exchange.answer(change(_body(exchange)))


def _number(exchange: Exchange, kind: Callable[[int], object]) -> None:
    _changed(exchange, id=kind(exchange.message["id"]))


def _stream(exchange: Exchange, *events: object, last: bool = True) -> None:
    """Send events, and in place of ... the answer."""
    answers = [exchange.result() if one is ... else one for one in events]
    exchange.events(*answers, last=last)
    if not last:
        exchange.hang_up()


def _pings(exchange: Exchange) -> None:
    ping = {"jsonrpc": "2.0", "method": "ping"}
    exchange.events(*({**ping, "id": f"p{n}"} for n in range(100)), exchange.result())


def _events(*events: object, last: bool = True) -> Callable[[Exchange], None]:
    return lambda exchange: _stream(exchange, *events, last=last)


def _numbers() -> dict[str, Callable[[int], object]]:
    """Return what a server may make of the number of a request."""
    return {
        "another": lambda number: number + 1_000,
        "a string": str,
        "a float": float,
        "null": lambda _: None,
        "true": lambda _: True,
        "an array": lambda number: [number],
        "huge": lambda _: 10**400,
    }


_NOTE = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
_LATE = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"

FAULTS: dict[str, Callable[[Exchange], Any]] = {
    "no answer": lambda e: e.hang_up(),
    "a reset": lambda e: e.hang_up(reset=True),
    "half a head": partial(_raw, data=b"HTTP/1.1 200 OK\r\nContent-Ty"),
    "no head": lambda e: _raw(e, _body(e)),
    "no HTTP": partial(_raw, data=b"\0\0\x12\x04\0\0\0\0\0"),
    "another protocol": partial(_raw, data=_LATE),
    "half a body": _cut,
    "half a body, a reset": partial(_cut, reset=True),
    "half a chunk": partial(_chunked, data=b'ff\r\n{"jsonrpc":'),
    "chunks without an end": lambda e: _chunked(e, b"%x\r\n%s" % (9999, _body(e))),
    "a chunk of no size": partial(_chunked, data=b"zz\r\n{}\r\n0\r\n\r\n"),
    "a huge chunk": partial(_chunked, data=b"f" * 18 + b"\r\n{}"),
    "half a body of 1.0": partial(_until_closed, kind="application/json", whole=False),
    "half a stream of 1.0": partial(
        _until_closed, kind="text/event-stream", whole=False
    ),
    "half of gzip": partial(_zipped, end=-9),
    "gzip, unasked": partial(_zipped, end=None),
    "a length too short": _too_short,
    "a negative length": partial(_head, line=b"Content-Length: -5"),
    "a head too large": partial(_head, line=b"X-Large: " + b"x" * 200_000),
    "no JSON": partial(_text, change=lambda _: b"\0\1\2 no JSON"),
    "nothing": partial(_text, change=lambda _: b""),
    "two values": partial(_text, change=lambda text: text + b"{}"),
    "UTF-16": partial(_text, change=lambda text: text.decode().encode("utf-16")),
    "no UTF-8": partial(_text, change=lambda text: text.replace(b"done", b"\xff")),
    "NaN": partial(_text, change=lambda text: text[:-1] + b', "more": NaN}'),
    "deep": partial(_text, change=lambda _: b"[" * 9_999 + b"]" * 9_999),
    "digits": partial(_text, change=lambda t: t[:-1] + b',"n":' + b"9" * 9_999 + b"}"),
    "an array": lambda e: e.answer([e.result()]),
    "the request": lambda e: e.answer(e.message),
    "a notification": lambda e: e.answer(_NOTE),
    "both": partial(_changed, error={"code": 1, "message": "x"}),
    "no result": partial(_changed, result=None),
    "an array as result": partial(_changed, result=[1]),
    "JSON-RPC 1.0": partial(_changed, jsonrpc="1.0"),
    "no status": partial(_raw, data=b"HTTP/1.1 000 X\r\n\r\n"),
    "202": lambda e: e.answer(b"", 202),
    "204": lambda e: e.head(204),
    "HTML": lambda e: e.answer(b"<html>", Content_Type="text/html"),
    "500": lambda e: e.answer(b"session not found", 500),
    "502": lambda e: e.answer(e.error(-32603, "session not found"), 502),
    "no events": _events(),
    "no events, no end": _events(last=False),
    "half an event": lambda e: _stream(e, b"data: " + _body(e)),
    "no JSON in an event": _events(b"data: {no}\n\n"),
    "an array in an event": lambda e: _stream(e, [e.result()]),
    "an event for another call": lambda e: _stream(e, {**e.result(), "id": 99_999}),
    **{
        f"a number that is {name}": partial(_number, kind=kind)
        for name, kind in _numbers().items()
    },
}
"""The call may have run, and no answer to it can be read."""

RIGHT: dict[str, Callable[[Exchange], Any]] = {
    "JSON": lambda e: e.answer(e.result()),
    "informed": partial(_informed, status="103 Early Hints"),
    "continued": partial(_informed, status="100 Continue"),
    "HTTP/1.0": partial(_until_closed, kind="application/json", whole=True),
    "a stream of 1.0": partial(_until_closed, kind="text/event-stream", whole=True),
    "the same answer twice": partial(_twice, number=lambda number: number),
    "the next answer, too": partial(_twice, number=lambda number: number + 1),
    "closed at once": _then_closed,
    "a stream": _events(...),
    "a stream without an end": _events(..., last=False),
    "two answers in a stream": lambda e: _stream(e, ..., e.result("the second")),
    "notifications": _events(*[_NOTE] * 200, ...),
    "pings": _pings,
    "CR": lambda e: _stream(e, b"data: " + _body(e) + b"\r\r"),
    "an unknown event": _events(b"event: endpoint\ndata: /x\n\n", ...),
    "a cookie that is no ASCII": partial(_head, line=b"Set-Cookie: a=\xff; Path=/"),
    "a cookie with a control": partial(_head, line=b"Set-Cookie: a=\x01; Path=/"),
    "a large cookie": partial(_head, line=b"Set-Cookie: a=" + b"x" * 50_000),
    "many cookies": partial(
        _head, line=b"\r\n".join(b"Set-Cookie: c%d=1" % n for n in range(200))
    ),
}
"""The call runs, and the client reads the answer."""
