"""Row 20: a toolbox whose servers are slow, down or not there."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally
from tests.chaos.drive import KINDS, client_class, nonces, package
from tests.chaos.server import Script, Server, serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.chaos.exchange import Exchange

__all__ = ["CASES"]


def _box(clients: list[Any]) -> Any:
    module = package()
    sets = [
        module.toolset(client, prefix=f"s{number}")
        for number, client in enumerate(clients)
    ]
    return module.Toolbox(*sets)


def _connect(kind: str, box: Any, then: Callable[[], Any] = lambda: None) -> Any:
    """Connect all, do what comes then, and close."""

    async def work() -> Any:
        try:
            await box.connect_async()
            result = then()
            return await result if asyncio.iscoroutine(result) else result
        finally:
            await box.close_async()

    if kind == "async":
        return asyncio.run(work())
    try:
        box.connect()
        return then()
    finally:
        box.close()


def _slowly(exchange: Exchange) -> bool:
    if exchange.method in {"server/discover", "initialize"}:
        time.sleep(0.8)
    return False


def at_once(tally: Tally) -> None:
    """Connect to five slow servers: the time of one, not of five."""
    for kind in KINDS:
        with tally.attempt(kind), ExitStack() as stack:
            servers = [
                stack.enter_context(serve(Script(before=_slowly))) for _ in "12345"
            ]
            box = _box([client_class(kind).http(s.url, timeout=9) for s in servers])
            start = time.monotonic()
            passed = _connect(kind, box, time.monotonic) - start
            assert passed < 2.4, f"{passed:.1f} s for five servers of 0.8 s each"
            assert len(box) == 15, f"{len(box)} tools"


def _two(kind: str, dead: Server, well: Server) -> Any:
    clients = [
        client_class(kind).http(s.url, timeout=3, retries=0) for s in (dead, well)
    ]
    return _box(clients)


def again(tally: Tally) -> None:
    """Try a server again that was unreachable: its tools come back."""
    for kind in KINDS:
        with tally.attempt(kind), ExitStack() as stack:
            dead, well = (stack.enter_context(serve(Script())) for _ in "12")
            dead.command("down")
            box = _two(kind, dead, well)
            assert _connect(kind, box, partial(len, box)) == 3, "too many tools"
            box = _two(kind, dead, well)
            names = _connect(kind, box, partial(_later, kind, box, dead))
            assert "s0_change_item" in names, "the tools of a server stay away"
            assert not box.unreachable, f"it is still unreachable: {box.unreachable}"


def _later(kind: str, box: Any, server: Server) -> Any:
    server.command("up")
    if kind == "sync":
        return [tool.name for tool in box.connect()]

    async def work() -> list[str]:
        return [tool.name for tool in await box.connect_async()]

    return work()


def by_name(tally: Tally) -> None:
    """Tell every unreachable server, also two clients of one package."""
    for kind in KINDS:
        with tally.attempt(kind), serve(Script()) as well:
            urls = ["http://127.0.0.1:9/mcp", "http://127.0.0.1:10/mcp", well.url]
            clients = [client_class(kind).http(u, timeout=3, retries=0) for u in urls]
            box = _box(clients)
            assert _connect(kind, box, partial(len, box)) == 3, "too many tools"
            assert len(box.unreachable) == 2, f"two are down: {box.unreachable}"


def missing_program(tally: Tally) -> None:
    """Take a program that is not there as unreachable."""
    for kind in KINDS:
        with tally.attempt(kind), serve(Script()) as well:
            program = tally.folder / f"program-{kind}"
            shutil.copy(shutil.which("true") or sys.executable, program)
            missing = client_class(kind).stdio([str(program)], timeout=3)
            program.unlink()
            box = _box([missing, client_class(kind).http(well.url, timeout=3)])
            call = {"nonce": nonces()}
            text = _connect(kind, box, partial(_run, kind, box, call))
            assert text == call["nonce"], f"the other server's tool says {text}"
            assert len(box.unreachable) == 1, f"one is missing: {box.unreachable}"


def _run(kind: str, box: Any, arguments: dict[str, str]) -> Any:
    if kind == "sync":
        return box.run("s1_change_item", arguments).text

    async def work() -> str:
        answer = await box.run_async("s1_change_item", arguments)
        return str(answer.text)

    return work()


CASES = (
    Case(20, "at-once", at_once),
    Case(20, "again", again),
    Case(20, "by-name", by_name),
    Case(20, "missing-program", missing_program),
)
