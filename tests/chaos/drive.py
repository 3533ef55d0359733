"""Drives the blocking and the async client of the generated package alike."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chaos.package import TOOLS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

__all__ = [
    "KINDS",
    "Program",
    "Twin",
    "alive",
    "attempt_call",
    "bounded",
    "caught",
    "client_class",
    "descriptors",
    "gather",
    "nonces",
    "package",
    "pause",
    "run",
    "wait_for",
]

KINDS = ("sync", "async")
_PROGRAM = Path(__file__).with_name("program.py")
_numbers = count(1)


def nonces(prefix: str = "n") -> str:
    """Return a nonce that no other call of this case has."""
    return f"{prefix}-{os.getpid()}-{next(_numbers)}"


def package(name: str = "chaospkg") -> Any:
    """Return the generated package."""
    return importlib.import_module(name)


def client_class(kind: str, name: str = "chaospkg") -> Any:
    """Return the client of the generated package, blocking or async."""
    module = package(name)
    return module.Client if kind == "sync" else module.AsyncClient


class Twin:
    """A blocking client with the async client's face: scenarios are written once."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.client, name)
        if not callable(value):
            return value

        async def call(*arguments: Any, **named: Any) -> Any:
            return value(*arguments, **named)

        return call

    def with_options(self, **options: Any) -> Twin:
        return Twin(self.client.with_options(**options))


def run(
    kind: str, make: Callable[[Any], Any], work: Callable[[Any], Awaitable[Any]]
) -> Any:
    """Make a client, let it work, and close it.

    Args:
        kind: "sync" or "async".
        make: Takes the class and gives the client.
        work: Takes the client, or its twin.
    """

    async def whole() -> Any:
        client = make(client_class(kind))
        try:
            return await work(client if kind == "async" else Twin(client))
        finally:
            closing = client.close()
            if kind == "async":
                await closing

    return asyncio.run(whole()) if kind == "async" else _at_once(whole())


def _at_once(coroutine: Any) -> Any:
    """Run a coroutine that never waits, without a loop."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("the blocking client waited for a loop")


async def gather(client: Any, calls: Iterable[Callable[[], Awaitable[Any]]]) -> Any:
    """Make all calls at once; return results and errors in their order."""
    if not isinstance(client, Twin):
        return await asyncio.gather(*(c() for c in calls), return_exceptions=True)
    thunks = list(calls)

    def one(call: Callable[[], Any]) -> Any:
        try:
            return _at_once(call())
        except BaseException as error:  # noqa: BLE001, as gather does
            return error

    with ThreadPoolExecutor(len(thunks)) as pool:
        return list(pool.map(one, thunks))


async def caught(call: Awaitable[Any]) -> Any:
    """Return what a call raises, or None."""
    try:
        await call
    except Exception as error:  # noqa: BLE001, cases look at it
        return error
    return None


async def pause(client: Any, seconds: float) -> None:
    """Wait, as the kind of client allows."""
    if isinstance(client, Twin):
        threading.Event().wait(seconds)
    else:
        await asyncio.sleep(seconds)


def attempt_call(tool: str, nonce: str) -> Callable[[Any], Awaitable[Any]]:
    """Return work for `run`: one call, that gives its error or None."""

    async def work(client: Any) -> Any:
        return await caught(getattr(client, tool)(nonce=nonce))

    return work


def bounded(function: Callable[[], Any], seconds: float) -> Any:
    """Run a function in a thread; one that does not end is an AssertionError."""
    results: list[Any] = []

    def work() -> None:
        try:
            results.append((True, function()))
        except BaseException as error:  # noqa: BLE001, raised again below
            results.append((False, error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    assert results, f"it hangs: nothing after {seconds:g} seconds"
    fine, value = results[0]
    if not fine:
        raise value
    return value


class Program:
    """The stdio program of a case, and its log.

    Args:
        folder: Gets the log.
        act: What comes of calls whose nonce begins with "fault".
        era: legacy, modern or old.
    """

    def __init__(self, folder: Path, act: str = "", era: str = "modern") -> None:
        self._log = folder / f"log-{next(_numbers)}.jsonl"
        (folder / "tools.json").write_text(json.dumps(TOOLS))
        words = [str(_PROGRAM), act, era, str(self._log)]
        self.command = [sys.executable, "-S", "-E", *words]

    def log(self, method: str | None = None) -> list[dict[str, Any]]:
        """Return what came, all or the lines of a method."""
        text = self._log.read_text("utf-8") if self._log.exists() else ""
        lines = [json.loads(line) for line in text.splitlines()]
        return [r for r in lines if method in (None, r["method"])]

    def pids(self) -> list[int]:
        """Return the process of each start."""
        return [r["pid"] for r in self.log("start")]

    def deliveries(self, nonce: str) -> tuple[int, int]:
        """Return how often a call arrived; a program accepts what arrives."""
        times = sum(r["nonce"] == nonce for r in self.log("tools/call"))
        return times, times


def alive(pid: int) -> bool:
    """Return whether a process runs."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def descriptors(kind: str = "") -> int:
    """Return how many files are open in this process, or how many of a kind."""
    total = 0
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            total += kind in str(path.readlink())
    return total


def wait_for(check: Callable[[], bool], seconds: float) -> bool:
    """Wait until something is so; return whether it is."""
    end, nap = time.monotonic() + seconds, 0.001
    while not check():
        if time.monotonic() > end:
            return False
        time.sleep(nap)
        nap = min(2 * nap, 0.02)  # most waits are for a thread that is about to run
    return True
