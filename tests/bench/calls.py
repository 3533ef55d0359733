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
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from mcp import Client
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient

from tests.bench.callers import ARGUMENTS, AT_ONCE, Took, alone, at_once, each, now
from tests.bench.measure import CALLS_HEADER, Row
from tests.bench.peers import NOT_INSTALLED
from tests.bench.work import counted

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

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


def threaded(call: Call, number: int) -> Took:
    """Return what a call takes, 50 threads at once."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        start = now()
        for done in [pool.submit(call) for _ in range(number)]:
            done.result()
        return each(start, number)


def blocking(url: str, number: int, rounds: int) -> dict[str, list[Took]]:
    """Measure the blocking clients."""
    with ExitStack() as stack:
        raw = stack.enter_context(httpx.Client(timeout=30, limits=LIMITS))
        ours = stack.enter_context(BaseClient.http(url))

        def post() -> None:
            raw.post(url, content=BODY, headers=HEADERS).json()["result"]

        def call() -> None:
            ours.call_tool("echo", ARGUMENTS)

        rounds_taken: dict[str, list[Took]] = {}
        for _ in range(rounds):
            for name, one in (("raw httpx", post), ("ours", call)):
                one()
                rounds_taken.setdefault(f"{name}, sync, 1", []).append(
                    sequential(one, number)
                )
                rounds_taken.setdefault(f"{name}, sync, 50", []).append(
                    threaded(one, number)
                )
        return rounds_taken


async def waiting(url: str, number: int, rounds: int) -> dict[str, list[Took]]:
    """Measure the async clients."""
    async with AsyncExitStack() as stack:
        raw = await stack.enter_async_context(
            httpx.AsyncClient(timeout=30, limits=LIMITS)
        )
        ours = await stack.enter_async_context(AsyncBaseClient.http(url))
        sdk = await stack.enter_async_context(Client(url))

        async def post() -> None:
            (await raw.post(url, content=BODY, headers=HEADERS)).json()["result"]

        async def call() -> None:
            await ours.call_tool("echo", ARGUMENTS)

        async def official() -> None:
            await sdk.call_tool("echo", ARGUMENTS)

        kinds: list[tuple[str, AsyncCall]] = [
            *(("raw httpx", post), ("ours", call), ("mcp SDK", official)),
        ]
        rounds_taken: dict[str, list[Took]] = {}
        for _ in range(rounds):
            for name, one in kinds:
                await one()
                single, many = await alone(one, number), await at_once(one, number)
                rounds_taken.setdefault(f"{name}, async, 1", []).append(single)
                rounds_taken.setdefault(f"{name}, async, 50", []).append(many)
        return rounds_taken


def compare(
    number: int, rounds: int, others: Iterable[tuple[str, Path | None]] = ()
) -> Iterator[Row]:
    """Yield who called how, and what a call took.

    Args:
        number: Calls in a round.
        rounds: How often.
        others: Name of another client and the Python that has it, if one does.
    """
    with serving() as url:
        yield from taken(blocking(url, number, rounds))
        yield from taken(asyncio.run(waiting(url, number, rounds)))
        for name, python in others:
            yield from elsewhere(name, python, [url, str(number), str(rounds)])


@contextmanager
def serving() -> Generator[str]:
    """Run the server that is called, and yield its URL."""
    command = [sys.executable, "-m", "tests.bench.server"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=quiet, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


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
    options.add_argument("--work", action="store_true", help="count instructions")
    options.add_argument("--against", default="", help="and those of this commit")
    choices = options.parse_args()
    if choices.work:
        with serving() as url:
            for line in counted(url, choices.calls, choices.against):
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
        return
    sys.stdout.write(f"{CALLS_HEADER}{'to raw httpx':>15}\n")
    raw: dict[str, float] = {}
    for row in compare(choices.calls, choices.rounds):
        _, _, how = row.what.partition(",")
        seconds = statistics.median(row.wall)
        ratio = raw.setdefault(how, seconds) / seconds  # raw httpx is the first
        sys.stdout.write(f"{row.call()}{ratio:>15.2f}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
