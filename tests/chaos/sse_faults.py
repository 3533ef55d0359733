"""Faults over HTTP+SSE: the truth about the call, its deadline, and the next call."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally, judge
from tests.chaos.deadlines import bounded_call
from tests.chaos.drive import KINDS, bounded, caught, nonces, package, pause, run
from tests.chaos.server import Script, serve
from tests.chaos.sse_server import answered, sse_script, stream_of

if TYPE_CHECKING:
    from tests.chaos.exchange import Act, Exchange

__all__ = ["CASES"]


def _http(client: Any, url: str, timeout: float = 2.5) -> Any:
    return client.http(url, timeout=timeout)


def _ends(exchange: Exchange, *, when: str, how: str) -> None:
    """End the stream before or after the call is accepted, or within its answer."""
    if when == "before":
        _end(exchange, how)
    exchange.http("202 Accepted", "Accepted")
    if when == "within":
        stream_of(exchange).part(exchange.echo())
        time.sleep(0.02)
    if when != "before":
        _end(exchange, how)


def _end(exchange: Exchange, how: str) -> None:
    if how == "end":
        stream_of(exchange).end()
    elif how == "restart":
        threading.Thread(target=exchange.state.restart, args=(0.1,)).start()
    else:
        exchange.state.down(but=exchange.sock)


def _cut(exchange: Exchange) -> None:
    """Run the call, and reset the connection of its POST."""
    stream_of(exchange).send(exchange.echo())
    exchange.cut()


def _silent(exchange: Exchange) -> None:
    exchange.http("202 Accepted", "Accepted")


def _vanishes(exchange: Exchange) -> None:
    """Accept a call; then nobody takes a connection any more."""
    exchange.http("202 Accepted", "Accepted")
    stream = stream_of(exchange)
    exchange.state.down(but=stream.sock)


def _twice(exchange: Exchange) -> None:
    """Answer twice, before the call is accepted."""
    stream_of(exchange).send(exchange.echo())
    stream_of(exchange).send(exchange.echo())
    exchange.http("202 Accepted", "Accepted")


def _refuses(exchange: Exchange, *, status: str) -> None:
    exchange.refuse()
    exchange.http(status, "no")


def _forgets(exchange: Exchange) -> None:
    """Know nothing of the session any more, though its stream goes on."""
    exchange.state.sessions.pop(exchange.record["session"], None)
    _refuses(exchange, status="404 Not Found")


def _asks(exchange: Exchange, *, method: str) -> None:
    """Ask the client something that its reply cannot be posted for; then end."""
    exchange.http("202 Accepted", "Accepted")
    stream = stream_of(exchange)
    exchange.state.down(but=stream.sock)
    params: dict[str, Any] = {"message": "?", "requestedSchema": {"type": "object"}}
    stream.send({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    time.sleep(0.3)
    exchange.state.up()
    stream.end()


_FAULTS: dict[str, Act] = {
    **{
        f"{how} {when}": partial(_ends, when=when, how=how)
        for when in ("before", "after", "within")
        for how in ("end", "restart", "down")
    },
    "cut": _cut,
    "silent": _silent,
    "vanishes": _vanishes,
    "hangs": lambda exchange: exchange.hang(),
    "twice": _twice,
    "forgets": _forgets,
    "500": lambda exchange: exchange.http("500 Oops"),
    **{
        status: partial(_refuses, status=f"{status} No")
        for status in ("400", "401", "403", "404", "409", "503")
    },
    **{
        method: partial(_asks, method=method)
        for method in ("ping", "roots/list", "elicitation/create")
    },
}


def _faulty(act: Act) -> Act:
    def whole(exchange: Exchange) -> None:
        once = exchange.nonce.startswith("fault") and exchange.times == 1
        (act if once else answered)(exchange)

    return whole


def once(tally: Tally) -> None:
    """Rows 8 to 12: each fault, the truth about its call, and the next call."""
    for number, (name, act) in enumerate(_FAULTS.items()):
        for kind in KINDS[number % 2 :][:1] if tally.quick else KINDS:
            with (
                tally.attempt(f"{name} {kind}"),
                serve(sse_script(_faulty(act))) as server,
            ):
                nonce = nonces("fault")
                work = partial(_fault_then_call, server=server, nonce=nonce)
                make = partial(_http, url=server.url, timeout=1.2)
                error = bounded(partial(run, kind, make, work), 15)
                deliveries, accepted = server.deliveries(nonce)
                tally.count(deliveries, twice=int(accepted > 1))
                judge(error, accepted)


async def _fault_then_call(client: Any, server: Any, nonce: str) -> Any:
    await client.connect()
    error = await caught(client.change_item(nonce=nonce))
    assert error is None or isinstance(error, package().McpError), f"{error!r}"
    await pause(client, 0.2)  # a second delivery may be under way
    server.command("up")
    later = nonces("later")
    result = await client.change_item(nonce=later)
    assert result.text == later, "another call's answer"
    return error


def deadlines(tally: Tally) -> None:
    """Row 14: whatever hangs, the timeout bounds the call."""
    hang: Act = lambda exchange: exchange.hang()  # noqa: E731, its type is told
    scripts = {
        "call": sse_script(hang),
        "answer": sse_script(_silent),
        "initialize": sse_script(on={"initialize": hang}),
        "no answer to initialize": sse_script(on={"initialize": _silent}),
        "notice": sse_script(_silent, {"notifications/cancelled": hang}),
        "endpoint": Script(before=_no_endpoint),
        "drip": Script(before=_dripped_endpoint),
    }
    for name, script in scripts.items():
        for kind in KINDS:
            with tally.attempt(f"{name} {kind}"), serve(script) as server:
                bounded_call(kind, server.url)


def _no_endpoint(exchange: Exchange) -> bool:
    if exchange.verb == "GET":
        exchange.stream()
        exchange.hang()
    else:
        exchange.http("405 No")
    return True


def _dripped_endpoint(exchange: Exchange) -> bool:
    if exchange.verb == "GET":
        exchange.stream()
        exchange.drip(b"event: endpoint\ndata: /" + b"m" * 400)
    else:
        exchange.http("405 No")
    return True


_ENDPOINTS = (
    "http://127.0.0.1:{port}/messages/?session_id={session}",
    "//127.0.0.1:{port}/messages/?session_id={session}",
    "\\\\127.0.0.1:{port}/messages/?session_id={session}",
    "http://a:b@127.0.0.1:{port}/messages/?session_id={session}",
    "HTTP://LOCALHOST:{port}/messages/?session_id={session}",
    "file://127.0.0.1:{port}/etc/passwd",
)


def origins(tally: Tally) -> None:
    """Row 34: an endpoint of another origin gets nothing, however it is written."""
    for number, form in enumerate(_ENDPOINTS):
        for kind in KINDS:
            with tally.attempt(f"form {number} {kind}"), serve(Script()) as other:
                endpoint = form.replace("{port}", str(other.port))
                with serve(sse_script(endpoint=endpoint)) as server:
                    make = partial(_http, url=server.url)
                    error = run(kind, make, partial(_call, nonce=nonces()))
                    assert isinstance(error, package().McpError), f"{error!r}"
                    assert error.outcome == "not sent", error.outcome
                    assert not other.log(), "another origin was sent a message"


async def _call(client: Any, nonce: str) -> Any:
    return await caught(client.change_item(nonce=nonce))


CASES = (
    Case(8, "sse", once, 240),
    Case(14, "sse", deadlines, 240),
    Case(34, "sse-origins", origins, 120),
)
