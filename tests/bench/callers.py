"""Calls one tool through another client, in that client's own environment.

python callers.py CLIENT URL NUMBER ROUNDS; prints who called how, and what it took.
It imports nothing of ours, and of the clients only the one that is measured.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

Took: TypeAlias = tuple[float, float]
AT_ONCE = 50
ARGUMENTS = {"message": "hello"}


def now() -> Took:
    """Return processor seconds of this process, and seconds."""
    return time.process_time(), time.perf_counter()


def each(start: Took, number: int) -> Took:
    """Return what each of some calls took since `start`."""
    cpu, wall = now()
    return (cpu - start[0]) / number, (wall - start[1]) / number


async def alone(call: Callable[[], Awaitable[Any]], number: int) -> Took:
    """Return what a call takes, one after the other."""
    start = now()
    for _ in range(number):
        await call()
    return each(start, number)


async def at_once(
    call: Callable[[], Awaitable[Any]], number: int, tasks: int = AT_ONCE
) -> Took:
    """Return what a call takes, so many tasks at once."""
    waiting = iter(range(number))

    async def work() -> None:
        for _ in waiting:
            await call()

    start = now()
    await asyncio.gather(*(work() for _ in range(tasks)))
    return each(start, number)


async def adapters(
    url: str, stack: AsyncExitStack
) -> AsyncIterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    """Give the tool as langchain-mcp-adapters makes it: by itself, and on a session."""
    client = import_module("langchain_mcp_adapters.client")
    tools = import_module("langchain_mcp_adapters.tools")
    servers = {"bench": {"url": url, "transport": "streamable_http"}}
    many = client.MultiServerMCPClient(servers)
    (each,) = await many.get_tools()
    yield "langchain-mcp-adapters", lambda: each.ainvoke(ARGUMENTS)
    session = await stack.enter_async_context(many.session("bench"))
    (held,) = await tools.load_mcp_tools(session)
    yield "langchain-mcp-adapters, held", lambda: held.ainvoke(ARGUMENTS)


async def sdk(
    url: str, stack: AsyncExitStack
) -> AsyncIterator[tuple[str, Callable[[], Awaitable[Any]]]]:
    """Give a call of the official SDK's client, 2.x."""
    client = await stack.enter_async_context(import_module("mcp").Client(url))
    yield "mcp SDK, its own environment", lambda: client.call_tool("echo", ARGUMENTS)


async def compare(
    client: str, url: str, number: int, rounds: int
) -> dict[str, list[Took]]:
    """Return what a call took, round by round."""
    clients = {"langchain-mcp-adapters": adapters, "mcp": sdk}
    rounds_taken: dict[str, list[Took]] = {}
    async with AsyncExitStack() as stack:
        async for name, call in clients[client](url, stack):
            for _ in range(rounds):
                await call()
                one, many = await alone(call, number), await at_once(call, number)
                rounds_taken.setdefault(f"{name}, async, 1", []).append(one)
                rounds_taken.setdefault(f"{name}, async, 50", []).append(many)
    return rounds_taken


if __name__ == "__main__":
    who, where, *counts = sys.argv[1:]
    number, rounds = map(int, counts)
    sys.stdout.write(json.dumps(asyncio.run(compare(who, where, number, rounds))))
