# Copied by mcp-bindgen. Do not edit.
"""Joins the tools of several clients, so that a framework sees one list of tools."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self

from ..errors import ConfigError, printable
from .answers import refused
from .calls import ModelCall, answer_each, answer_each_async
from .toolbox_calls import (
    at_once,
    at_once_async,
    health_of,
    health_of_async,
    named,
    renamed,
    repeated,
)
from .toolset import bound, run, run_async

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from ..client.config_file import File
    from .calls import Arguments
    from .toolset import AnyTool

__all__ = ["Toolbox"]

_log = logging.getLogger(__name__)


class Toolbox(Iterable["AnyTool"]):
    """The tools of several servers under names that differ.

    `with` and `async with` connect all clients at the start and close them at the end.
    Tools of servers that do not answer are left out until they do: `connect` tries
    these servers again, and so does a call of one of their tools.

    Args:
        groups: Tools with their clients: the results of `toolset(client)` of each
            package.
        duplicates: The treatment of tools with one name: "refuse" them, or "rename" all
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
            tools = list(renamed(tools))
        if twice := repeated(tools):
            raise ConfigError(
                f"two tools are called {', '.join(map(printable, sorted(twice)))}",
                hint='give a toolset a prefix, or pass duplicates="rename"',
            )
        self._tools = tools
        # One tool stands for its client; the server's name is for people.
        self._servers = named({id(tool.client): tool for tool in tools}.values())
        self._connected: set[str] = set()
        self._errors: dict[str, Exception] = {}

    @classmethod
    def from_config(
        cls,
        path: File | Mapping[str, Any] = None,
        *,
        packages: Iterable[ModuleType],
        only: str | Iterable[str] | None = None,
        duplicates: Literal["refuse", "rename"] = "refuse",
    ) -> Self:
        """Make a toolbox of packages whose servers a file names.

        Example: `Toolbox.from_config("mcp.json", packages=[catalog, todo])`.

        Args:
            path: The file, as `Client.from_config` takes it. A `prefix` of a server
                is put before the names of its tools.
            packages: Generated packages.
            only: `Tool` members, wire names or globs; None for all tools.
            duplicates: As for `Toolbox`.

        Raises:
            ConfigError: The file names no server for a package, an entry has mistakes,
                `only` matches no tool, or two tools have one name.
        """
        from .toolbox_servers import tools_of_packages

        tools = tools_of_packages(path, packages)
        return cls(bound(tools, "", include=only), duplicates=duplicates)

    @property
    def tools(self) -> Sequence[AnyTool]:
        """All tools, also those of servers that do not answer."""
        return tuple(self._tools)

    @property
    def unreachable(self) -> dict[str, Exception]:
        """The reasons why tools are left out, by the name of the package.

        Where a package has several clients, the server's address follows it:
        "catalog at https://one.example".
        """
        errors = self._errors
        return {name: errors[name] for name in self._servers if name in errors}

    def __repr__(self) -> str:
        """Return the number of the tools and the names of their packages."""
        return f"Toolbox({len(self._tools)} tools of {', '.join(self._servers)})"

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
        for name, error in zip(waiting, at_once(connects), strict=True):
            self._note(name, error)
        return self

    async def connect_async(self) -> Self:
        """Connect all clients at once, in tasks; see `connect`."""
        waiting = self._waiting()
        connects = [tool.connect_async for tool in waiting.values()]
        for name, error in zip(waiting, await at_once_async(connects), strict=True):
            self._note(name, error)
        return self

    def health(self) -> dict[str, float | Exception]:
        """Ask each server, all at once, for an answer without work.

        Returns:
            Seconds by the name of the package, as in `unreachable`; the reason instead
            where a server does not answer.
        """
        pings = [partial(health_of, tool) for tool in self._servers.values()]
        results = dict(zip(self._servers, at_once(pings), strict=True))
        return self._noted(results)

    async def health_async(self) -> dict[str, float | Exception]:
        """Ask each server for an answer without work, in tasks; see `health`."""
        pings = [partial(health_of_async, tool) for tool in self._servers.values()]
        results = dict(zip(self._servers, await at_once_async(pings), strict=True))
        return self._noted(results)

    def _noted(
        self, results: dict[str, float | Exception]
    ) -> dict[str, float | Exception]:
        for name, answer in results.items():
            self._note(name, answer if isinstance(answer, Exception) else None)
        return results

    def close(self) -> None:
        """Close all clients, all at once."""
        self._connected.clear()
        at_once([tool.close for tool in self._servers.values()])

    async def close_async(self) -> None:
        """Close all clients in a task."""
        self._connected.clear()
        await at_once_async([tool.close_async for tool in self._servers.values()])

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
            BaseException: An interrupt; its notes have the progress of the calls.
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
