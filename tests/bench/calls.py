"""Measure calls per second: our clients, raw httpx and the official SDK's client.

All of them take turns on one server in one run, so that only the ratios are to be
trusted. `raw httpx` posts the same bytes on one held client and reads the JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from mcp import Client
from mcp_bindgen.runtime.client import AsyncBaseClient, BaseClient

from tests.bench.callers import ARGUMENTS, AT_ONCE, alone, at_once

if TYPE_CHECKING:
    from collections.abc import Mapping

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


def sequential(call: Call, number: int) -> float:
    """Return calls per second, one after the other."""
    start = time.perf_counter()
    for _ in range(number):
        call()
    return number / (time.perf_counter() - start)


def threaded(call: Call, number: int) -> float:
    """Return calls per second, 50 threads at once."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        start = time.perf_counter()
        for done in [pool.submit(call) for _ in range(number)]:
            done.result()
        return number / (time.perf_counter() - start)


def blocking(url: str, number: int, rounds: int) -> dict[str, float]:
    """Measure the blocking clients."""
    with ExitStack() as stack:
        raw = stack.enter_context(httpx.Client(timeout=30))
        ours = stack.enter_context(BaseClient.http(url))

        def post() -> None:
            raw.post(url, content=BODY, headers=HEADERS).json()["result"]

        def call() -> None:
            ours.call_tool("echo", ARGUMENTS)

        found: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, one in (("raw httpx", post), ("ours", call)):
                one()
                found.setdefault(f"{name}, sync, 1", []).append(sequential(one, number))
                found.setdefault(f"{name}, sync, 50", []).append(threaded(one, number))
        return {name: statistics.median(values) for name, values in found.items()}


async def waiting(url: str, number: int, rounds: int) -> dict[str, float]:
    """Measure the async clients."""
    async with AsyncExitStack() as stack:
        raw = await stack.enter_async_context(httpx.AsyncClient(timeout=30))
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
        found: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, one in kinds:
                await one()
                single, many = await alone(one, number), await at_once(one, number)
                found.setdefault(f"{name}, async, 1", []).append(single)
                found.setdefault(f"{name}, async, 50", []).append(many)
        return {name: statistics.median(values) for name, values in found.items()}


def compare(
    number: int, rounds: int, others: Mapping[str, Path] | None = None
) -> dict[str, float]:
    """Return who called how, and calls per second.

    Args:
        number: Calls in a round.
        rounds: How often.
        others: Name of another client to the Python that has it.
    """
    command = [sys.executable, "-m", "tests.bench.server"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=quiet, text=True
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            found = blocking(url, number, rounds)
            found |= asyncio.run(waiting(url, number, rounds))
            for name, python in (others or {}).items():
                call = [str(python), str(CALLERS), name, url, str(number), str(rounds)]
                ran = subprocess.run(call, capture_output=True, text=True, check=True)
                found |= json.loads(ran.stdout)
            return found
        finally:
            server.terminate()


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=400)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    found = compare(given.calls, given.rounds)
    sys.stdout.write(f"{'':22} {'calls/s':>8} {'to raw httpx':>13}\n")
    for name, value in found.items():
        ratio = value / found["raw httpx" + name[name.index(",") :]]
        sys.stdout.write(f"{name:22} {value:8.0f} {ratio:13.2f}\n")


if __name__ == "__main__":
    main()
