"""Measure calls: our clients, raw httpx and the official SDK's client.

All of them take turns on one server in one run, so that only the ratios are to be
trusted: medians, with the least and the most in brackets. `raw httpx` posts the same
bytes on one held client and reads the JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from mcp import Client
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient

from tests.bench.callers import ARGUMENTS, AT_ONCE, Took, alone, at_once, each, now
from tests.bench.measure import CALLS_HEADER, Row
from tests.bench.peers import NOT_INSTALLED
from tests.bench.target import WAYS, Load, Target, serving
from tests.bench.work import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

CALLERS = Path(__file__).with_name("callers.py")
META = "io.modelcontextprotocol/"
BODY = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "echo",
            "arguments": ARGUMENTS,
            "_meta": {
                META + "protocolVersion": "2026-07-28",
                META + "clientInfo": {"name": "bench", "version": "0"},
                META + "clientCapabilities": {},
            },
        },
    }
)
HEADERS = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "echo",
}
Call = Callable[[], Any]
AsyncCall = Callable[[], Awaitable[Any]]
# By its defaults httpcore may close an idle connection that a thread has just taken.
LIMITS = httpx.Limits(max_keepalive_connections=100, keepalive_expiry=None)


def sequential(call: Call, number: int) -> Took:
    """Return what a call takes, one after the other."""
    start = now()
    for _ in range(number):
        call()
    return each(start, number)


def threaded(call: Call, number: int, threads: int) -> Took:
    """Return what a call takes, so many threads at once."""
    with ThreadPoolExecutor(threads) as pool:
        start = now()
        for done in [pool.submit(call) for _ in range(number)]:
            done.result()
        return each(start, number)


def answer(text: str) -> Any:
    """Return the result in an answer, which may be an event of a stream."""
    _, _, data = text.rpartition("\ndata: ")
    return json.loads(data)["result"]


def blocking(to: Target, load: Load) -> dict[str, list[Took]]:
    """Measure the blocking clients."""
    with ExitStack() as stack:
        raw = stack.enter_context(httpx.Client(timeout=30, limits=LIMITS))
        ours = stack.enter_context(
            BaseClient.stdio(to.command) if to.command else BaseClient.http(to.url)
        )

        def post() -> None:
            answer(raw.post(to.url, content=BODY, headers=HEADERS).text)

        def call() -> None:
            ours.call_tool("echo", ARGUMENTS)

        kinds = (
            [("ours", call)] if to.command else [("raw httpx", post), ("ours", call)]
        )
        rounds_taken: dict[str, list[Took]] = defaultdict(list)
        for _ in range(load.rounds):
            for name, one in kinds:
                one()
                single = sequential(one, load.calls)
                many = threaded(one, load.calls, load.at_once)
                rounds_taken[f"{name}, sync, 1"].append(single)
                rounds_taken[f"{name}, sync, {load.at_once}"].append(many)
        return rounds_taken


async def waiting(to: Target, load: Load) -> dict[str, list[Took]]:
    """Measure the async clients."""
    async with AsyncExitStack() as stack:
        raw = await stack.enter_async_context(
            httpx.AsyncClient(timeout=30, limits=LIMITS)
        )
        ours = await stack.enter_async_context(
            AsyncBaseClient.stdio(to.command)
            if to.command
            else AsyncBaseClient.http(to.url)
        )
        sdk = await stack.enter_async_context(Client(to.parameters() or to.url))

        async def post() -> None:
            sent = await raw.post(to.url, content=BODY, headers=HEADERS)
            answer(sent.text)

        async def call() -> None:
            await ours.call_tool("echo", ARGUMENTS)

        async def official() -> None:
            await sdk.call_tool("echo", ARGUMENTS)

        kinds: list[tuple[str, AsyncCall]] = [("raw httpx", post)] * (not to.command)
        kinds += [("ours", call), ("mcp SDK", official)]
        rounds_taken: dict[str, list[Took]] = defaultdict(list)
        for _ in range(load.rounds):
            for name, one in kinds:
                await one()
                single = await alone(one, load.calls)
                many = await at_once(one, load.calls, load.at_once)
                rounds_taken[f"{name}, async, 1"].append(single)
                rounds_taken[f"{name}, async, {load.at_once}"].append(many)
        return rounds_taken


def compare(
    load: Load, way: str = "json", others: Iterable[tuple[str, Path | None]] = ()
) -> Iterator[Row]:
    """Yield who called how, and what a call took.

    Args:
        load: How many calls.
        way: How the server answers, one of `WAYS`.
        others: Name of another client and the Python that has it, if one does.
    """
    with serving(way) as to:
        yield from taken(blocking(to, load))
        yield from taken(asyncio.run(waiting(to, load)))
        for name, python in others:
            counts = (to.url, str(load.calls), str(load.rounds))
            yield from elsewhere(name, python, counts)


def taken(rounds_taken: Mapping[str, Sequence[Took]]) -> Iterator[Row]:
    """Yield what was found as rows of a table."""
    for what, rounds in rounds_taken.items():
        cpu, wall = zip(*rounds, strict=True)
        yield Row(what, 0, cpu, wall)


def elsewhere(name: str, python: Path | None, arguments: Sequence[str]) -> list[Row]:
    """Return the rows of a client that has an environment of its own."""
    if python is None:
        return [Row(name, failure=NOT_INSTALLED)]
    call = [str(python), str(CALLERS), name, *arguments]
    ran = subprocess.run(call, capture_output=True, text=True, check=False)
    if ran.returncode:
        last = ran.stderr.strip().splitlines()[-1:]
        return [Row(name, failure="".join(last)[:80])]
    return [*taken(json.loads(ran.stdout))]


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser("scripts/bench-calls", description=__doc__)
    options.add_argument("--calls", type=int, default=400, help="in each round")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--at-once", type=int, default=AT_ONCE)
    options.add_argument("--way", choices=WAYS, default="json", help="of the server")
    options.add_argument("--work", action="store_true", help="count instructions")
    options.add_argument("--against", default="", help="and those of this commit")
    choices = options.parse_args()
    if choices.work:
        with serving(choices.way) as to:
            for line in counted(to.url, choices.calls, choices.against):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
        return
    sys.stdout.write(f"{CALLS_HEADER}{'to the first':>15}\n")
    raw: dict[str, float] = {}
    load = Load(choices.calls, choices.rounds, choices.at_once)
    for row in compare(load, choices.way):
        _, _, how = row.what.partition(",")
        seconds = statistics.median(row.wall)
        ratio = raw.setdefault(how, seconds) / seconds  # raw httpx, but for stdio
        sys.stdout.write(f"{row.call()}{ratio:>15.2f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
