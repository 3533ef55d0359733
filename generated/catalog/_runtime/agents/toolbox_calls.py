# Copied by mcp-bindgen. Do not edit.
"""The steps of a toolbox for many servers: calls at once, names for each."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import FAILURE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

    from .toolset import AnyTool

__all__ = [
    "at_once",
    "at_once_async",
    "health_of",
    "health_of_async",
    "named",
    "renamed",
    "repeated",
]

T = TypeVar("T")


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Make calls at once, each in a thread, and return their results in order."""
    if not calls:
        return []
    with ThreadPoolExecutor(len(calls)) as pool:
        # The pool ends all calls, also where the first of them raises.
        waiting = [pool.submit(call) for call in calls]
    return [future.result() for future in waiting]


async def at_once_async(calls: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
    """Make calls at once, each in a task, and return their results in order."""
    from anyio import create_task_group

    results: dict[int, T] = {}
    errors: list[Exception] = []

    async def one(number: int, call: Callable[[], Awaitable[T]]) -> None:
        try:
            results[number] = await call()
        except FAILURE as error:
            errors.append(error)

    async with create_task_group() as group:
        for number, call in enumerate(calls):
            group.start_soon(one, number, call)
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(calls))]


def named(tools: Iterable[AnyTool]) -> dict[str, AnyTool]:
    """Return tools by the name of their server: unlike ones for unlike clients."""
    tools = list(tools)
    several = Counter(str(tool.info.package) for tool in tools)
    by_name: dict[str, AnyTool] = {}
    for tool in tools:
        name = str(tool.info.package)
        if several[name] > 1:
            name = f"{name} at {getattr(tool.client, 'server', 'an unknown server')}"
        twins = sum(1 for other in by_name if other.partition(" #")[0] == name)
        name = f"{name} #{twins + 1}" if twins else name
        by_name[name] = tool
    return by_name


def repeated(tools: list[AnyTool]) -> set[str]:
    """Return the names that several tools have."""
    counted = Counter(tool.name for tool in tools)
    return {name for name, count in counted.items() if count > 1}


def renamed(tools: list[AnyTool]) -> Iterator[AnyTool]:
    """Yield the tools, those of one name with their packages in front."""
    twice = repeated(tools)
    for tool in tools:
        package = str(tool.info.package).rpartition(".")[2]
        yield tool.renamed(f"{package}_{tool.name}") if tool.name in twice else tool


def health_of(tool: AnyTool) -> float | Exception:
    """Return the seconds that the server of a tool needs to answer, or a reason."""
    if (refusal := tool.connect()) is not None:
        return refusal
    ping: Any = getattr(tool, "ping", None)
    try:
        seconds: float = ping() if ping else 0.0
    except FAILURE as error:
        failure: Exception = error
        return failure
    return seconds


async def health_of_async(tool: AnyTool) -> float | Exception:
    """Return the same as `health_of`, from a task; own functions answer at once."""
    if (refusal := await tool.connect_async()) is not None:
        return refusal
    ping: Any = getattr(tool, "ping_async", None)
    try:
        seconds: float = await ping() if ping else 0.0
    except FAILURE as error:
        failure: Exception = error
        return failure
    return seconds
