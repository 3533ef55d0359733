# Copied by mcp-bindgen. Do not edit.
"""Joins the tools of several clients, so that a framework sees one list of tools."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from ..errors import FAILURE, ConfigError, shown
from .answers import refused
from .calls import ModelCall, answer_each, answer_each_async
from .toolset import run, run_async

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from .calls import Arguments
    from .toolset import AnyTool

__all__ = ["Toolbox"]

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Toolbox(Iterable["AnyTool"]):
    """The tools of several servers under names that differ.

    `with` and `async with` connect all clients at the start and close them at the end.
    Tools of servers that do not answer are left out until they do: `connect` tries
    these servers again, and so does a call of one of their tools.

    Args:
        groups: Tools with their clients: what each package's `toolset(client)` gives.
        duplicates: What happens to tools of one name: "refuse" them, or "rename" all
            of them, so that the name of its package goes in front of each.

    Raises:
        ConfigError: Two tools have one name.

    Example:
        with Toolbox(catalog.toolset(client), todo.toolset(other)) as box:
            print([tool.name for tool in box], box.unreachable)
    """

    def __init__(
        self,
        *groups: Iterable[AnyTool],
        duplicates: Literal["refuse", "rename"] = "refuse",
    ) -> None:
        tools = [tool for group in groups for tool in group]
        if duplicates == "rename":
            tools = list(_renamed(tools))
        if twice := _repeated(tools):
            raise ConfigError(
                f"two tools are called {', '.join(map(shown, sorted(twice)))}",
                hint='give a toolset a prefix, or pass duplicates="rename"',
            )
        self._tools = tools
        # One tool stands for its client; the server's name is for people.
        self._servers = _named({id(tool.client): tool for tool in tools}.values())
        self._connected: set[str] = set()
        self._errors: dict[str, Exception] = {}

    @property
    def tools(self) -> Sequence[AnyTool]:
        """All tools, also those of servers that do not answer."""
        return tuple(self._tools)

    @property
    def unreachable(self) -> dict[str, Exception]:
        """Why the tools of a server are left out, by the name of its package.

        Where a package has several clients, the server's address stands behind it:
        "catalog at https://one.example".
        """
        errors = self._errors
        return {name: errors[name] for name in self._servers if name in errors}

    def __iter__(self) -> Iterator[AnyTool]:
        left_out = {id(self._servers[name].client) for name in self._errors}
        return (tool for tool in self._tools if id(tool.client) not in left_out)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def connect(self) -> Self:
        """Connect all clients that are not connected, all at once.

        Tools of servers that do not answer are left out; the log has a warning, and
        `unreachable` the reason.
        """
        waiting = self._waiting()
        connects = [tool.connect for tool in waiting.values()]
        for name, error in zip(waiting, _at_once(connects), strict=True):
            self._note(name, error)
        return self

    async def connect_async(self) -> Self:
        """Do the same in a task."""
        waiting = self._waiting()
        connects = [tool.connect_async for tool in waiting.values()]
        for name, error in zip(waiting, await _at_once_async(connects), strict=True):
            self._note(name, error)
        return self

    def close(self) -> None:
        """Close all clients, all at once."""
        self._connected.clear()
        _at_once([tool.close for tool in self._servers.values()])

    async def close_async(self) -> None:
        """Close all clients in a task."""
        self._connected.clear()
        await _at_once_async([tool.close_async for tool in self._servers.values()])

    def __enter__(self) -> Self:
        return self.connect()

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return await self.connect_async()

    async def __aexit__(self, *exc: object) -> None:
        await self.close_async()

    def run(self, name: str, arguments: Arguments) -> Any:
        """Run one call of a model, and return an `Answer`.

        Args:
            name: The name that the model called.
            arguments: The arguments, as JSON text or as an object.

        Raises:
            McpError: The model cannot help it: no connection, no rights, no time.
        """
        if (error := self.reach(name)) is not None:
            return refused(error)
        return run(list(self), name, arguments)

    async def run_async(self, name: str, arguments: Arguments) -> Any:
        """Run one call of a model in a task, and return an `Answer`."""
        if (error := await self.reach_async(name)) is not None:
            return refused(error)
        return await run_async(list(self), name, arguments)

    def run_each(self, calls: Iterable[tuple[str, Arguments]]) -> list[Any]:
        """Run the calls of one message of a model, and return an `Answer` for each.

        Any failure is an answer, so that no call stays without one.

        Example:
            `box.run_each([("add_task", '{"title": "a"}'), ("list_tasks", {})])`

        Args:
            calls: Name and arguments of each call, as `run` takes them.

        Raises:
            BaseException: An interrupt; its notes say how far the calls have come.
        """
        answered = answer_each(
            [ModelCall(*call) for call in calls],
            lambda call: self.run(call.name, call.arguments),
        )
        return [answer for _, answer in answered]

    async def run_each_async(self, calls: Iterable[tuple[str, Arguments]]) -> list[Any]:
        """Run the calls of one message of a model in a task; see `run_each`."""
        answered = await answer_each_async(
            [ModelCall(*call) for call in calls],
            lambda call: self.run_async(call.name, call.arguments),
        )
        return [answer for _, answer in answered]

    def reach(self, name: str) -> Exception | None:
        """Connect the server of a tool that is left out.

        Args:
            name: The name of the tool.

        Returns:
            The reason why the server is not connected; None where it is, or where no
            tool of this name is left out.
        """
        server = self._left_out(name)
        if server is None:
            return None
        return self._note(server, self._servers[server].connect())

    async def reach_async(self, name: str) -> Exception | None:
        """Connect the server of a tool that is left out, in a task; see `reach`."""
        server = self._left_out(name)
        if server is None:
            return None
        return self._note(server, await self._servers[server].connect_async())

    def _waiting(self) -> dict[str, AnyTool]:
        servers = self._servers.items()
        return {name: tool for name, tool in servers if name not in self._connected}

    def _left_out(self, name: str) -> str | None:
        """Return the unreachable server that has a tool of this name, if one has."""
        clients = {id(tool.client) for tool in self._tools if tool.name == name}
        for server in self._errors:
            if id(self._servers[server].client) in clients:
                return server
        return None

    def _note(self, server: str, error: Exception | None) -> Exception | None:
        """Remember whether a server answers, and return the error."""
        if error is None:
            self._connected.add(server)
            self._errors.pop(server, None)
            return None
        _log.warning("the tools of %s are left out: %s", server, error)
        self._connected.discard(server)
        self._errors[server] = error
        return error


def _at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Make calls at once, each in a thread, and return their results in order."""
    if not calls:
        return []
    with ThreadPoolExecutor(len(calls)) as pool:
        # The pool ends all calls, also where the first of them raises.
        waiting = [pool.submit(call) for call in calls]
    return [future.result() for future in waiting]


async def _at_once_async(calls: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
    """Do the same in tasks."""
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


def _named(tools: Iterable[AnyTool]) -> dict[str, AnyTool]:
    """Return tools by the name of their server: unlike ones for unlike clients."""
    tools = list(tools)
    several = Counter(str(tool.info.package) for tool in tools)
    named: dict[str, AnyTool] = {}
    for tool in tools:
        name = str(tool.info.package)
        if several[name] > 1:
            name = f"{name} at {getattr(tool.client, 'server', 'an unknown server')}"
        twins = sum(1 for other in named if other.partition(" #")[0] == name)
        name = f"{name} #{twins + 1}" if twins else name
        named[name] = tool
    return named


def _repeated(tools: list[AnyTool]) -> set[str]:
    counted = Counter(tool.name for tool in tools)
    return {name for name, count in counted.items() if count > 1}


def _renamed(tools: list[AnyTool]) -> Iterator[AnyTool]:
    """Yield the tools, those of one name with their packages in front."""
    twice = _repeated(tools)
    for tool in tools:
        package = str(tool.info.package).rpartition(".")[2]
        yield tool.renamed(f"{package}_{tool.name}") if tool.name in twice else tool
