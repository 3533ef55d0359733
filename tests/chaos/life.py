"""Rows 5 to 7: a fork, a client that is dropped, an async client in several loops."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chaos.case import Case, Tally
from tests.chaos.drive import (
    KINDS,
    Program,
    alive,
    client_class,
    nonces,
    package,
    wait_for,
)
from tests.chaos.server import ERAS, Script, Server, serve

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CASES",
    "Held",
    "child_uses",
    "drop",
    "in_child",
    "nothing_open",
    "nothing_shared",
    "threads_are",
    "try_loops",
]


class Held:
    """A client of one kind, with calls that block; an async one has a loop per Held."""

    def __init__(self, kind: str, client: Any) -> None:
        self.loop = asyncio.Runner() if kind == "async" else None
        self.client = client

    def do(self, method: str, **named: Any) -> Any:
        """Call a method and wait for it."""
        if self.loop is None:
            return getattr(self.client, method)(**named)

        async def work() -> Any:
            return await getattr(self.client, method)(**named)

        return self.loop.run(work())

    def echoes(self, times: int = 1) -> None:
        """Make calls, and check that each has its own answer."""
        for _ in range(times):
            nonce = nonces()
            assert self.do("change_item", nonce=nonce).text == nonce


def in_child(work: Callable[[], None]) -> Callable[[], int]:
    """Fork; return what waits for the child and gives its exit code."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)

    def wait() -> int:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    return wait


def child_uses(kind: str, client: Any, times: int = 3) -> None:
    held = Held(kind, client)
    held.echoes(times)
    held.do("close")


def fork_stdio(tally: Tally) -> None:
    """Row 5: the child starts a program of its own, and ends no other."""
    for kind in KINDS:
        for era in ERAS:
            with tally.attempt(f"stdio {era} {kind}"):
                program = Program(tally.folder, "", era)
                client = client_class(kind).stdio(program.command, timeout=4)
                held = Held(kind, client)
                held.echoes()
                wait = in_child(partial(child_uses, kind, client))
                held.echoes(3)
                code = wait()
                first, *others = program.pids()
                assert code == 0, "the child's calls fail"
                assert others, "the child uses the parent's program"
                assert alive(first), "the child ended the parent's program"
                held.echoes()
                held.do("close")


def fork_http(tally: Tally) -> None:
    """Row 5: parent and child share no session, and no connection."""
    for kind in KINDS:
        for era in ERAS:
            with tally.attempt(f"http {era} {kind}"), serve(Script(era)) as server:
                client = client_class(kind).http(server.url, timeout=4)
                held = Held(kind, client)
                held.echoes()
                before = server.command("sessions")
                wait = in_child(partial(child_uses, kind, client))
                held.echoes(3)
                assert wait() == 0, "the child's calls fail"
                assert set(before) <= set(
                    server.command("sessions")
                ), "close() in the child ended the parent's session"
                held.echoes()
                nothing_shared(server, era)
                held.do("close")


def nothing_shared(server: Server, era: str) -> None:
    calls = server.log("tools/call")
    parents = {r["nonce"].split("-")[1] for r in calls}
    assert len(parents) == 2, "the log lacks a process"
    by_connection = {(r["connection"], r["nonce"].split("-")[1]) for r in calls}
    connections = [number for number, _ in by_connection]
    assert len(connections) == len(set(connections)), "one connection for both"
    pairs = [(r["session"], r["id"]) for r in calls]
    if era == "legacy":
        assert len(pairs) == len(set(pairs)), "one (session, id) pair for two calls"


def dropped_stdio(tally: Tally) -> None:
    """Row 6: a client that is dropped says so, and ends its program and threads."""
    for kind in KINDS:
        for act in ("", "stubborn"):
            with tally.attempt(f"stdio {act or 'plain'} {kind}"):
                program = Program(tally.folder, act, "modern")
                before = threading.active_count()
                caught = drop(kind, client_class(kind).stdio, program.command)
                assert _gone(program, 8), "the program goes on"
                threads = partial(threads_are, before)
                assert wait_for(threads, 5), "its threads go on"
                assert caught, "no ResourceWarning"


def dropped_http(tally: Tally) -> None:
    """Row 6: the same for a client of a URL."""
    for kind in KINDS:
        for era in ERAS:
            with tally.attempt(f"http {era} {kind}"), serve(Script(era)) as server:
                caught = drop(kind, client_class(kind).http, server.url)
                assert caught, "no ResourceWarning"
                closed = wait_for(partial(nothing_open, server), 3)
                assert closed, "its connections stay open"


def _gone(program: Program, seconds: float) -> bool:
    (pid,) = program.pids()
    return wait_for(lambda: not alive(pid), seconds)


def threads_are(number: int) -> bool:
    return threading.active_count() <= number


def nothing_open(server: Server) -> bool:
    return bool(server.command("open") == 0)


def drop(kind: str, make: Callable[..., Any], peer: object) -> list[str]:
    """Use a client, drop it, and return what warnings say of clients."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        held = Held(kind, make(peer, timeout=4))
        held.echoes()
        if held.loop is not None:
            held.loop.close()
        del held
        gc.collect()
    messages = [w for w in caught if issubclass(w.category, ResourceWarning)]
    return [str(w.message) for w in messages if "lient" in str(w.message)]


_SCRIPT = """
import sys
sys.path.insert(0, {src!r})
from chaospkg import Client
client = Client.stdio({command!r}, timeout=5)
print(client.change_item(nonce="last").text)
{end}
"""
_ASYNC = """
import asyncio, sys
sys.path.insert(0, {src!r})
from chaospkg import AsyncClient
client = AsyncClient.stdio({command!r}, timeout=5)
async def work():
    print((await client.change_item(nonce="last")).text)
asyncio.run(work())
{end}
"""


def at_exit(tally: Tally) -> None:
    """Row 6: when the interpreter exits, no program outlives it."""
    src = str(Path(str(package().__file__)).parents[1])
    for kind, code in (("sync", _SCRIPT), ("async", _ASYNC)):
        for act in ("", "stubborn", "closes_stdout_after"):
            for end in tally.first(1, ("", "sys.exit(3)", "raise ValueError")):
                with tally.attempt(f"{kind} {act or 'plain'} {end or 'end'}"):
                    program = Program(tally.folder, act)
                    text = code.format(src=src, command=program.command, end=end)
                    line = [sys.executable, "-W", "ignore", "-c", text]
                    ran = subprocess.run(
                        line, capture_output=True, timeout=30, check=False, text=True
                    )
                    assert ran.stdout == "last\n", ran.stderr[-200:]
                    assert _gone(program, 3), "the program outlives the interpreter"


async def _some(client: Any, times: int) -> None:
    for _ in range(times):
        nonce = nonces()
        assert (await client.change_item(nonce=nonce)).text == nonce


def _tolerant(work: Callable[[], None]) -> None:
    """Let an error pass that says exactly what is wrong, and that nothing was sent."""
    try:
        work()
    except package().McpError as error:
        if "loop" not in str(error) or error.outcome != "not sent":
            raise


def loops(tally: Tally) -> None:
    """Row 7: one loop after another, and several at once."""
    for era in ERAS:
        with serve(Script(era)) as server:
            make = partial(client_class("async").http, server.url, timeout=4)
            try_loops(tally, f"http {era}", make)
            with tally.attempt(f"http {era} closed in one"):
                closed = wait_for(partial(nothing_open, server), 3)
                assert closed, "connections of other loops stay open"
        program = Program(tally.folder, "", era)
        make = partial(client_class("async").stdio, program.command, timeout=4)
        try_loops(tally, f"stdio {era}", make)


def try_loops(tally: Tally, name: str, make: Callable[[], Any]) -> None:
    with tally.attempt(f"{name} one after another"):
        client = make()
        for _ in range(4):
            _tolerant(lambda: asyncio.run(_some(client, 2)))
        asyncio.run(client.close())
    with tally.attempt(f"{name} at once"), ThreadPoolExecutor(4) as pool:
        client = make()
        work = partial(_tolerant, lambda: asyncio.run(_some(client, 20)))
        for done in [pool.submit(work) for _ in range(4)]:
            done.result(30)
        asyncio.run(client.close())


CASES = (
    Case(5, "stdio", fork_stdio),
    Case(5, "http", fork_http),
    Case(6, "stdio", dropped_stdio),
    Case(6, "http", dropped_http),
    Case(6, "exit", at_exit, 240),
    Case(7, "loops", loops),
)
