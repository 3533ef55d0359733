"""Row 1: a task is cancelled at every await of a call, one by one."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from anyio import CancelScope, create_task_group, fail_after

from tests.chaos.case import Case, Tally
from tests.chaos.drive import Program, client_class, descriptors, nonces, wait_for
from tests.chaos.server import ERAS, Script, serve

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator

    from tests.chaos.exchange import Exchange

__all__ = ["CASES", "slow_json", "slow_sse", "sweep"]

_HOWS = ("scope", "cancel", "late", "trio")
_PATIENCE = 2.5
_MOST = 200


class Stepped:
    """Awaits a coroutine, and cancels it at one of its awaits.

    Args:
        coroutine: What is awaited.
        at: The number of the await, from 1.
        how: "cancel" the task before the await has its result, "late" when it has
            it, or cancel the "scope", which cancels every later await, too; "trio" does
            the same on trio.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, Any], at: int, how: str) -> None:
        self.coroutine = coroutine
        self.at = at
        self.how = how
        self.steps = 0
        self.scope = CancelScope()

    async def run(self) -> Any:
        """Await the coroutine within the scope."""
        with self.scope:
            return await self

    def __await__(self) -> Generator[Any, Any, Any]:
        send: Callable[[], Any] = partial(self.coroutine.send, None)
        while True:
            try:
                waiting = send()
            except StopIteration as stop:
                return stop.value
            self.steps += 1
            if self.steps == self.at:
                self._cancel(waiting)
            try:
                value = yield waiting
            except BaseException as error:  # noqa: BLE001, it is the coroutine's
                send = partial(self.coroutine.throw, error)
            else:
                send = partial(self.coroutine.send, value)

    def _cancel(self, waiting: Any) -> None:
        if self.how in {"scope", "trio"}:
            self.scope.cancel()
            return
        task = asyncio.current_task()
        assert task is not None
        if self.how == "late" and waiting is not None:
            waiting.add_done_callback(partial(_cancel, task))
        else:
            task.cancel()


def _cancel(task: asyncio.Task[Any], _waiting: object) -> None:
    task.cancel()


def slow_json(exchange: Exchange) -> None:
    """Answer with a head, then with a body."""
    body = json.dumps(exchange.echo())
    fields = ("content-type: application/json", f"content-length: {len(body)}")
    _slowly(exchange, "\r\n".join(["HTTP/1.1 200 OK", *fields, "", ""]), body)


def slow_sse(exchange: Exchange) -> None:
    """Answer with a head and two events, one by one; the connection is held."""
    note = {"jsonrpc": "2.0", "method": "notifications/x"}
    fields = ("content-type: text/event-stream", "transfer-encoding: chunked")
    events = [f"data: {json.dumps(m)}\n\n" for m in (note, exchange.echo())]
    chunks = [f"{len(event):x}\r\n{event}\r\n" for event in events]
    head = "\r\n".join(["HTTP/1.1 200 OK", *fields, "", ""])
    _slowly(exchange, head, *chunks, "0\r\n\r\n")


def _slowly(exchange: Exchange, *parts: str) -> None:
    for part in parts:
        exchange.send(part)
        time.sleep(0.002)


async def _one(make: Any, nonce: str, cut: tuple[int, str], *, warm: bool) -> int:
    """Cancel one call, and make three more; return the steps of the first."""
    client = make(client_class("async"))
    if warm:
        await client.read_item(nonce=nonces())
    step = Stepped(client.change_item(nonce=nonce), *cut)
    with fail_after(_PATIENCE):
        if step.how == "trio":
            await step.run()
        else:
            with suppress(asyncio.CancelledError):
                await asyncio.ensure_future(step.run())
    later = [nonces("later") for _ in range(3)]
    with fail_after(_PATIENCE * 2):
        async with create_task_group() as group:
            for number in later:
                group.start_soon(_echoes, client, number)
    with fail_after(8):
        await client.close()
    return step.steps


async def _echoes(client: Any, nonce: str) -> None:
    result = await client.change_item(nonce=nonce)
    assert result.text == nonce, "another call's answer"


def sweep(tally: Tally, name: str, make: Any, peer: Any, *, warm: bool) -> None:
    """Cancel at the first await, at the second ... until a call has no more."""
    for how in tally.first(1, _HOWS):
        for at in range(1, _MOST):
            with tally.attempt(f"{name} {how} at {at}"):
                if _checked(tally, make, peer, (at, how), warm=warm) < at:
                    break


def _checked(
    tally: Tally, make: Any, peer: Any, cut: tuple[int, str], *, warm: bool
) -> int:
    """Cancel one call, look at what is left of it, and return its steps."""
    nonce, before = nonces("fault"), descriptors()
    backend = "trio" if cut[1] == "trio" else "asyncio"
    steps = anyio.run(partial(_one, warm=warm), make, nonce, cut, backend=backend)
    _, accepted = peer.deliveries(nonce)
    tally.count(accepted + 3, twice=int(accepted > 1))
    assert accepted <= 1, f"delivered {accepted} times"
    closed = wait_for(lambda: descriptors() <= before, 2)
    assert closed, f"{descriptors() - before} descriptors stay open after close"
    return steps


def over_http(tally: Tally, era: str) -> None:
    """Cancel over HTTP, connecting and connected, JSON and SSE."""
    for act in (slow_json, slow_sse):
        for warm in (False, True):
            name = f"{era} {act.__name__[5:]} {'warm' if warm else 'cold'}"
            with serve(Script(era, act)) as server:
                make = partial(_http, url=server.url)
                sweep(tally, name, make, server, warm=warm)


def over_stdio(tally: Tally) -> None:
    """Cancel while a program starts, and while it works."""
    for era in ERAS:
        for warm in (False, True):
            program = Program(tally.folder, "", era)
            name = f"stdio {era} {'warm' if warm else 'cold'}"
            make = partial(_stdio, command=program.command)
            sweep(tally, name, make, program, warm=warm)


def _http(client: Any, url: str) -> Any:
    return client.http(url, timeout=_PATIENCE)


def _stdio(client: Any, command: list[str]) -> Any:
    return client.stdio(command, timeout=_PATIENCE)


def expired(tally: Tally) -> None:
    """Let a timeout of the user's own end calls after all kinds of time."""
    for era in ERAS:
        with serve(Script(era, slow_sse)) as server, tally.attempt(f"timeout {era}"):
            asyncio.run(_expiring(server.url, tally.some(50, 300)))


async def _expiring(url: str, times: int) -> None:
    client = client_class("async").http(url, timeout=_PATIENCE)
    for number in range(times):
        with suppress(TimeoutError):
            async with asyncio.timeout(0.0001 * (number % 100)):
                await client.change_item(nonce=nonces())
    later = [nonces("later") for _ in range(20)]
    results = await asyncio.gather(*(client.change_item(nonce=n) for n in later))
    assert [r.text for r in results] == later, "another call's answer"
    await client.close()


CASES = (
    Case(1, "legacy", partial(over_http, era="legacy"), 240),
    Case(1, "modern", partial(over_http, era="modern"), 240),
    Case(1, "stdio", over_stdio, 240),
    Case(1, "expired", expired),
)
