# Copied by mcp-bindgen. Do not edit.
"""Several calls at once, in threads or in tasks; results and errors in their order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, TypeVar

from ..errors import FAILURE, ConfigError, McpError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

__all__ = ["call_many", "call_many_async"]

R = TypeVar("R")


def call_many(calls: Iterable[Callable[[], R]], at_once: int) -> list[R | McpError]:
    """Make several calls at once in threads; see `BaseClient.call_many`."""

    def one(call: Callable[[], R]) -> R | McpError:
        try:
            return call()
        except McpError as error:
            return error

    with ThreadPoolExecutor(_checked(at_once)) as pool:
        # Spans of the calls are children of the span that is current here.
        contexts = ((copy_context(), call) for call in calls)
        tasks = [pool.submit(context.run, one, call) for context, call in contexts]
        return [task.result() for task in tasks]


async def call_many_async(
    calls: Iterable[Callable[[], Awaitable[R]]], at_once: int
) -> list[R | McpError]:
    """Make several calls at once in tasks; see `AsyncBaseClient.call_many`."""
    from anyio import create_task_group

    waiting = iter(enumerate(calls))
    results: dict[int, R | McpError] = {}
    # Errors that are not ours end no other call; the first is raised at the end.
    foreign: dict[int, Exception] = {}

    async def work() -> None:
        for number, call in waiting:
            try:
                results[number] = await call()
            except McpError as error:
                results[number] = error
            except FAILURE as error:
                foreign[number] = error

    workers = _checked(at_once)
    async with create_task_group() as group:
        for _ in range(workers):
            group.start_soon(work)
    if foreign:
        raise foreign[min(foreign)]
    return [results[number] for number in sorted(results)]


def _checked(at_once: int) -> int:
    if at_once < 1:
        raise ConfigError(
            f"at_once: expected 1 or more, got {at_once}", hint="write at_once=8"
        )
    return at_once
