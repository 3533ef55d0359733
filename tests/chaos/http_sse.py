"""The promises that hold over HTTP+SSE, the transport of 2024-11-05, too."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.chaos import cancel, interrupt
from tests.chaos.case import Case, Tally, judge
from tests.chaos.drive import (
    KINDS,
    bounded,
    caught,
    client_class,
    gather,
    nonces,
    run,
    wait_for,
)
from tests.chaos.life import (
    Held,
    child_uses,
    drop,
    in_child,
    nothing_open,
    nothing_shared,
    threads_are,
    try_loops,
)
from tests.chaos.server import serve
from tests.chaos.sse_server import answered, sse_script, stream_of

if TYPE_CHECKING:
    from tests.chaos.exchange import Exchange

__all__ = ["CASES"]

_PATIENCE = 2.5


def _http(client: Any, url: str, timeout: float = _PATIENCE) -> Any:
    return client.http(url, timeout=timeout)


def _slowly(exchange: Exchange) -> None:
    """Accept a call in two pieces, and answer it in three."""
    exchange.send("HTTP/1.1 202 Accepted\r\ncontent-length: 8\r\n\r\n")
    time.sleep(0.002)
    exchange.send("Accepted")
    stream_of(exchange).send(exchange.echo(), pieces=3)


def cancelled(tally: Tally) -> None:
    """Row 1: cancel at each await, connecting and connected."""
    for warm in (False, True):
        with serve(sse_script(_slowly)) as server:
            make = partial(_http, url=server.url)
            name = "sse warm" if warm else "sse cold"
            cancel.sweep(tally, name, make, server, warm=warm)


def interrupted(tally: Tally, warm: bool) -> None:  # noqa: FBT001, by name
    """Row 2: an exception out of a signal handler, at any step."""
    with serve(sse_script(_slowly)) as server:
        make = partial(_http, url=server.url, timeout=interrupt.PATIENCE)
        name = "sse warm" if warm else "sse cold"
        interrupt.sweep(tally, name, make, server, tally.some(20, 400))


def forked(tally: Tally) -> None:
    """Row 5: parent and child share no stream and no session."""
    for kind in KINDS:
        with tally.attempt(kind), serve(sse_script()) as server:
            client = client_class(kind).http(server.url, timeout=4)
            held = Held(kind, client)
            held.echoes()
            before = server.command("sessions")
            wait = in_child(partial(child_uses, kind, client))
            held.echoes(3)
            assert wait() == 0, "the child's calls fail"
            left = set(server.command("sessions"))
            assert set(before) <= left, "the child ended the parent's stream"
            held.echoes()
            nothing_shared(server, "legacy")
            held.do("close")


def dropped(tally: Tally) -> None:
    """Row 6: a client that is dropped says so, and ends its stream and thread."""
    for kind in KINDS:
        with tally.attempt(kind), serve(sse_script()) as server:
            before = threading.active_count()
            warned = drop(kind, client_class(kind).http, server.url)
            assert warned, "no ResourceWarning"
            closed = wait_for(partial(nothing_open, server), 3)
            assert closed, "its stream stays open"
            ended = wait_for(partial(threads_are, before), 3)
            assert ended, "its threads go on"


def loops(tally: Tally) -> None:
    """Row 7: one event loop after another, and several at once."""
    with serve(sse_script()) as server:
        make = partial(client_class("async").http, server.url, timeout=4)
        try_loops(tally, "sse", make)
    for closed in (True, False):
        with tally.attempt(f"stopped, {closed=}"), serve(sse_script()) as server:
            _stopped_loop(server.url, closed=closed)
    with tally.attempt("ends during a call"), serve(sse_script(_slow)) as server:
        _ended_loop(server.url)


def _stopped_loop(url: str, *, closed: bool) -> None:
    """Call from a loop after the one that reads the stream has stopped."""
    client = client_class("async").http(url, timeout=_PATIENCE)
    loop = asyncio.new_event_loop()
    loop.run_until_complete(client.change_item(nonce=nonces()))
    if closed:
        loop.close()
    for _ in range(2):
        later = nonces()
        assert asyncio.run(_echo(client, later)) == later, "another call's answer"
    asyncio.run(client.close())


def _slow(exchange: Exchange) -> None:
    exchange.http("202 Accepted", "Accepted")
    time.sleep(0.6 if exchange.nonce.startswith("slow") else 0)
    stream_of(exchange).send(exchange.echo())


def _ended_loop(url: str) -> None:
    """End the loop that reads the stream while another loop's call waits for it."""
    client = client_class("async").http(url, timeout=4)
    ready = threading.Event()

    async def short() -> None:
        await _echo(client, nonces())
        ready.set()
        await asyncio.sleep(0.2)

    thread = threading.Thread(target=lambda: asyncio.run(short()))
    thread.start()
    ready.wait(4)
    error = asyncio.run(caught(client.change_item(nonce=nonces("slow"))))
    thread.join()
    judge(error, 1)
    assert error is None or "event loop" in str(error), f"it does not say why: {error}"
    later = nonces()
    assert asyncio.run(_echo(client, later)) == later, "another call's answer"
    asyncio.run(client.close())


def many(tally: Tally) -> None:
    """Rows 15 and 18: many calls at once, also while streams end."""
    for kind in KINDS:
        with tally.attempt(f"healthy {kind}"), serve(sse_script()) as server:
            _many(tally, kind, server, tally.some(80, 2000), 0)
        every = partial(_ends_often, every=20)
        with tally.attempt(f"ending {kind}"), serve(sse_script(every)) as server:
            _many(tally, kind, server, tally.some(80, 2000), 40)


def _ends_often(exchange: Exchange, every: int) -> None:
    """Forget the session after some calls; their stream ends when all are answered."""
    answered(exchange)
    state, session = exchange.state, exchange.record["session"]
    with state.guard:
        if session in state.sessions:
            state.sessions[session] += 1
            if state.sessions[session] >= every:
                state.sessions.pop(session)


def _many(tally: Tally, kind: str, server: Any, times: int, most: int) -> None:
    """Make many calls, 40 at once.

    Args:
        most: How many sessions may end; a call that is refused before it ran succeeds.
    """
    sent = [nonces("many") for _ in range(times)]

    async def work(client: Any) -> list[Any]:
        results: list[Any] = []
        for start in range(0, times, 40):
            calls = [partial(_echo, client, n) for n in sent[start : start + 40]]
            results += await gather(client, calls)
        return results

    make = partial(_http, url=server.url, timeout=20)
    results = bounded(partial(run, kind, make, work), 80)
    errors = [r for r in results if isinstance(r, BaseException)]
    count, twice = server.command("counts")
    accepted = {r["nonce"] for r in server.log("tools/call") if r["accepted"]}
    tally.count(len(accepted), lost=len(errors))
    assert not errors, f"{len(errors)} of {times} fail: {errors[0]!r}"
    assert results == sent, "another call's answer"
    assert len(accepted) == times == count, f"{len(accepted)} of {times} ran"
    assert most or not twice, f"{twice} calls came twice"


async def _echo(client: Any, nonce: str) -> str:
    text: str = (await client.change_item(nonce=nonce)).text
    return text


def threads(tally: Tally) -> None:
    """Row 15: threads that connect at once share one stream."""
    with tally.attempt("threads"), serve(sse_script()) as server:
        client = client_class("sync").http(server.url, timeout=8)
        sent = [nonces() for _ in range(40)]
        with ThreadPoolExecutor(40) as pool:
            calls = [pool.submit(client.change_item, nonce=nonce) for nonce in sent]
            texts = [call.result().text for call in calls]
        client.close()
        assert texts == sent, "another call's answer"
        assert sum(r["verb"] == "GET" for r in server.log()) == 1, "streams"
    with tally.attempt("tasks"), serve(sse_script()) as server:
        asyncio.run(_tasks(server))


async def _tasks(server: Any) -> None:
    client = client_class("async").http(server.url, timeout=8)
    sent = [nonces() for _ in range(40)]
    texts = await asyncio.gather(*(_echo(client, nonce) for nonce in sent))
    await client.close()
    assert texts == sent, "another call's answer"
    assert sum(r["verb"] == "GET" for r in server.log()) == 1, "streams"


CASES = (
    Case(1, "sse", cancelled, 240),
    Case(2, "sse-cold", partial(interrupted, warm=False), 900),
    Case(2, "sse-warm", partial(interrupted, warm=True), 900),
    Case(5, "sse", forked),
    Case(6, "sse", dropped),
    Case(7, "sse", loops),
    Case(15, "sse-threads", threads),
    Case(18, "sse", many, 240),
)
