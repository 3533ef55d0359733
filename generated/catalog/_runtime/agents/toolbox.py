# Copied by mcp-bindgen. Do not edit.
"""Joins the tools of several clients, so that a framework sees one list of tools."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

from ..errors import ConfigError, shown
from .toolset import run, run_async

if TYPE_CHECKING:
    from .toolset import AnyTool

__all__ = ["Toolbox"]

_log = logging.getLogger(__name__)


class Toolbox(Iterable["AnyTool"]):
    """The tools of several servers under names that differ.

    `with` and `async with` connect all clients at the start and close them at the end.

    Args:
        groups: Tools with their clients: what each package's `toolset(client)` gives.
        duplicates: What happens to tools of one name: "refuse" them, or "rename" all
            of them, so that the name of its package goes in front of each.

    Attributes:
        unreachable: Why a server's tools were left out by `connect`, by package.

    Raises:
        ConfigError: Two tools have one name.
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
        self._all = tools
        self.unreachable: dict[str, Exception] = {}

    def __iter__(self) -> Iterator[AnyTool]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def connect(self) -> Self:
        """Connect all clients; leave out the tools of servers that do not answer.

        What is left out is logged as a warning and stands in `unreachable`.
        """
        for first in self._one_for_each_client():
            self._note(first, first.connect())
        return self

    async def connect_async(self) -> Self:
        """Do the same in a task."""
        for first in self._one_for_each_client():
            self._note(first, await first.connect_async())
        return self

    def close(self) -> None:
        """Close all clients."""
        for first in self._one_for_each_client():
            first.close()

    async def close_async(self) -> None:
        """Close all clients in a task."""
        for first in self._one_for_each_client():
            await first.close_async()

    def __enter__(self) -> Self:
        return self.connect()

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return await self.connect_async()

    async def __aexit__(self, *exc: object) -> None:
        await self.close_async()

    def run(self, name: str, arguments: str | Mapping[str, Any]) -> Any:
        """Run one call of a model, and return an `Answer`.

        Args:
            name: The name that the model called.
            arguments: The arguments that it gave, as JSON text or as an object.
        """
        return run(self._tools, name, arguments)

    async def run_async(self, name: str, arguments: str | Mapping[str, Any]) -> Any:
        """Run one call of a model in a task, and return an `Answer`."""
        return await run_async(self._tools, name, arguments)

    def _one_for_each_client(self) -> list[AnyTool]:
        return list({id(tool.client): tool for tool in self._all}.values())

    def _note(self, first: AnyTool, error: Exception | None) -> None:
        if error is None:
            return
        package = str(first.info.package)
        _log.warning("the tools of %s are left out: %s", package, error)
        self.unreachable[package] = error
        self._tools = [t for t in self._tools if t.client is not first.client]


def _repeated(tools: list[AnyTool]) -> set[str]:
    counted = Counter(tool.name for tool in tools)
    return {name for name, count in counted.items() if count > 1}


def _renamed(tools: list[AnyTool]) -> Iterator[AnyTool]:
    """Yield the tools, those of one name with their packages in front."""
    twice = _repeated(tools)
    for tool in tools:
        package = str(tool.info.package).rpartition(".")[2]
        yield tool.renamed(f"{package}_{tool.name}") if tool.name in twice else tool
