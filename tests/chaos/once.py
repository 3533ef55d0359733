"""Rows 8 to 13: a call that may change something is delivered once at most."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally, judge
from tests.chaos.drive import (
    KINDS,
    attempt_call,
    caught,
    client_class,
    nonces,
    pause,
    run,
)
from tests.chaos.exchange import Act, Exchange, answer, answer_sse
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CASES"]

_DEAD = "http://127.0.0.1:9/mcp"


def call_once(
    tally: Tally,
    name: str,
    script: Script,
    *,
    calls: Any = None,
    **options: Callable[[], Any],
) -> None:
    """Call the plain tool with each kind of client; compare the error with the log.

    Args:
        calls: What the client's `with_options` takes.
        options: What `Client.http` takes; a function makes each value anew.
    """
    for kind in KINDS:
        with tally.attempt(f"{name} {kind}"), serve(script) as server:
            nonce = nonces("fault")

            async def work(client: Any, nonce: str = nonce) -> Any:
                await client.connect()
                changed = client.with_options(**(calls or {}))
                error = await caught(changed.change_item(nonce=nonce))
                await pause(client, 0.3)  # a second delivery may still be under way
                return error

            values = {name: fresh() for name, fresh in options.items()}
            make = partial(_make, url=server.url, timeout=3, **values)
            error = run(kind, make, work)
            deliveries, accepted = server.deliveries(nonce)
            tally.count(deliveries, twice=int(accepted > 1))
            judge(error, accepted)


def _make(client: Any, url: str, **options: Any) -> Any:
    return client.http(url, **options)


def _only_fault(act: Act) -> Act:
    """Do an act for calls that are to fail, and answer the others."""

    def whole(exchange: Exchange) -> None:
        (act if exchange.nonce.startswith("fault") else answer)(exchange)

    return whole


def _restart(pause: float, *, hard: bool = False) -> Act:
    def act(exchange: Exchange) -> None:
        exchange.stream()
        exchange.priming()
        time.sleep(0.05)
        if hard:
            exchange.cut()
        exchange.state.restart(pause)

    return _only_fault(act)


def restarts(tally: Tally) -> None:
    """Row 8: the server restarts during an answer that has an event id."""
    for era in ERAS:
        for seconds in (0.2, 60.0) if tally.quick else (0.02, 0.2, 0.6, 60.0):
            for hard in (False, True)[: tally.some(1, 2)]:
                name = f"{era} {seconds:g}s {'reset' if hard else 'end'}"
                call_once(tally, name, Script(era, _restart(seconds, hard=hard)))


def _asks(method: str, rest: str) -> Act:
    """Ask the client something that its reply cannot be posted for."""

    def act(exchange: Exchange) -> None:
        exchange.stream()
        exchange.priming()
        exchange.state.down(but=exchange.sock)
        params: dict[str, Any] = {"message": "?", "requestedSchema": {"type": "object"}}
        exchange.event({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
        time.sleep(0.4)
        exchange.state.up()
        if rest == "answers":
            exchange.event()

    return _only_fault(act)


def _decline(*_: object) -> dict[str, str]:
    return {"action": "decline"}


def replies(tally: Tally) -> None:
    """Row 9: the server asks within the stream, and the reply cannot connect."""
    for method in ("ping", "roots/list", "elicitation/create"):
        for rest in ("answers", "ends"):
            script = Script("legacy", _asks(method, rest))
            call_once(tally, f"{method} {rest}", script, on_elicit=lambda: _decline)


def _other_client(*_: object, **__: object) -> Any:
    """Call another server, that nobody reaches, from a callback."""
    with client_class("sync").http(_DEAD, timeout=2, retries=0) as other:
        return other.change_item(nonce="other")


def _logs(exchange: Exchange) -> None:
    exchange.stream()
    params = {"level": "info", "data": "hello"}
    method = "notifications/message"
    exchange.event({"jsonrpc": "2.0", "method": method, "params": params})
    exchange.event()


def _elicits(exchange: Exchange) -> None:
    params: dict[str, Any] = {
        "message": "?",
        "mode": "form",
        "requestedSchema": {"type": "object", "properties": {}},
    }
    request = {"method": "elicitation/create", "params": params}
    if exchange.state.script.era == "modern":
        inputs = {"inputRequests": {"who": request}, "requestState": "s"}
        exchange.result({"resultType": "input_required", **inputs})
        return
    exchange.stream()
    exchange.event({"jsonrpc": "2.0", "id": 7, **request})
    time.sleep(0.3)
    exchange.event()


def callbacks(tally: Tally) -> None:
    """Row 10: a callback of the user raises a TransportError of another client."""
    for era in ERAS:
        script = Script(era)
        sse, logs = replace(script, call=answer_sse), replace(script, call=_logs)
        for hook, what in (("on_progress", sse), ("on_log", logs)):
            call_once(tally, f"{hook} {era}", what, calls={hook: _other_client})
        call_once(
            tally, f"before_call {era}", script, calls={"before_call": _other_client}
        )
        asks = replace(script, call=_elicits)
        call_once(tally, f"on_elicit {era}", asks, on_elicit=lambda: _other_client)
        call_once(tally, f"token {era}", replace(script, before=_expired), token=_Token)


class _Token:
    """A token function that works until the first call is refused."""

    def __init__(self) -> None:
        self.refused = False

    def __call__(self) -> str:
        if self.refused:
            _other_client()
        self.refused = True
        return "first"


def _expired(exchange: Exchange) -> bool:
    if exchange.method != "tools/call":
        return False
    exchange.refuse()
    exchange.http(
        "401 Unauthorized", "", 'www-authenticate: Bearer error="invalid_token"'
    )
    return True


def _says(code: int, text: str, status: str) -> Act:
    return _only_fault(lambda exchange: exchange.error(code, text, status))


def session_words(tally: Tally) -> None:
    """Row 11: only 404 to a request with a session id means an expired session."""
    texts = ("the session of the user is over", "Session not found", "invalid SESSION")
    for code in (-32600, -32000, -32602, -32603):
        for text in texts[: tally.some(1, 3)]:
            for status in ("400 Bad Request", "200 OK", "409 Conflict"):
                _session_case(tally, code, text, status)
    _session_case(tally, -32600, texts[1], "404 Not Found", era="modern")


def _session_case(
    tally: Tally, code: int, text: str, status: str, era: str = "legacy"
) -> None:
    """Count deliveries alone: an error of JSON-RPC is the server's own verdict."""
    for kind in KINDS:
        name = f"{era} {code} {status[:3]} {text.rsplit(maxsplit=1)[-1]} {kind}"
        script = Script(era, _says(code, text, status))
        with tally.attempt(name), serve(script) as server:
            nonce = nonces("fault")
            make = partial(_make, url=server.url, timeout=5)
            error = run(kind, make, attempt_call("change_item", nonce))
            deliveries, _ = server.deliveries(nonce)
            tally.count(deliveries, twice=int(deliveries > 1))
            assert deliveries == 1, f"delivered {deliveries} times"
            assert error is not None, "an error of the server became a result"


def _hangs(exchange: Exchange) -> None:
    exchange.state.down(but=exchange.sock)
    exchange.hang()


def _hangs_in_stream(exchange: Exchange) -> None:
    exchange.stream()
    exchange.priming()
    _hangs(exchange)


def notices(tally: Tally) -> None:
    """Row 12: the deadline passes, and the notice of it cannot connect."""
    for era in ERAS:
        for act in (_hangs, _hangs_in_stream):
            script = Script(era, _only_fault(act))
            call_once(tally, f"{era} {act.__name__}", script, calls={"timeout": 0.7})


def _ends_early(exchange: Exchange) -> None:
    exchange.stream()
    exchange.priming()


def _resuming(status: str) -> Callable[[Exchange], None]:
    def act(exchange: Exchange) -> None:
        challenge = 'www-authenticate: Bearer error="invalid_token"'
        exchange.http(status, "", challenge, "location: /elsewhere")

    return act


_REFUSALS = (
    *("302 Found", "307 Moved", "401 No", "403 No", "404 No", "405 No", "429 Slow"),
    *("500 Oops", "503 Later"),
)


def resumes(tally: Tally) -> None:
    """Row 13: the resuming GET is refused, but the call was not."""
    for status in _REFUSALS[:: tally.some(3, 1)]:
        on = {"GET": _resuming(status)}
        script = Script("legacy", _only_fault(_ends_early), on)
        call_once(tally, f"GET {status}", script)


def resumed(tally: Tally) -> None:
    """Row 13, the good end: the stream is resumed, and the call has its result."""

    def again(exchange: Exchange) -> None:
        first = next(r for r in exchange.state.log if r["method"] == "tools/call")
        content = [{"type": "text", "text": first["nonce"]}]
        exchange.stream()
        exchange.event(
            {"jsonrpc": "2.0", "id": first["id"], "result": {"content": content}}
        )

    script = Script("legacy", _only_fault(_ends_early), {"GET": again})
    call_once(tally, "GET answers", script)


CASES = (
    Case(8, "restart", restarts, 120),
    Case(9, "reply", replies),
    Case(10, "callback", callbacks, 120),
    Case(11, "session-words", session_words, 120),
    Case(12, "notice", notices),
    Case(13, "resume", resumes),
    Case(13, "resumed", resumed),
)
