# Copied by mcp-bindgen. Do not edit.
"""Runs for a model no tool that it was not offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..client.client import AsyncBaseClient, BaseClient
from ..errors import ConfigError, shown
from .toolset import bound, run, run_async

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from .toolset import AnyTool, Source

__all__ = ["Offers"]


class Offers:
    """The tools that a package's module has described to models, by exported name.

    A model's message does not say which tools it was offered, and a client has them
    all. So the choices of this process are remembered: a tool that each of them left
    out is unknown; one that only some of them left out is an error until the caller
    says which choice counts.

    Args:
        package: Name of the package.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._offered: set[str] = set()
        self._withheld: set[str] = set()

    def choose(
        self,
        source: Source | None,
        include: str | Iterable[str] | None,
        exclude: str | Iterable[str] | None,
    ) -> Sequence[AnyTool]:
        """Return the tools to offer, and remember the others.

        Args:
            source: A client, or tools; those of the package if None.
            include: `Tool` members, wire names or globs; all if None.
            exclude: The same, for tools to leave out.

        Raises:
            ConfigError: `include` or `exclude` names no tool.
        """
        tools = bound(source, self._package)
        chosen = bound(tools, self._package, include=include, exclude=exclude)
        names = {tool.name for tool in chosen}
        self._offered |= names
        self._withheld |= {tool.name for tool in tools} - names
        return chosen

    def run(
        self,
        source: Source,
        name: str,
        arguments: str | Mapping[str, Any],
        offered: Collection[str] | None = None,
    ) -> Any:
        """Run one call of a model, and return an `Answer`.

        Args:
            source: A client, or tools.
            name: The name that the model called.
            arguments: The arguments that it gave, as JSON text or as an object.
            offered: Names of the tools that this model was offered, if known.

        Raises:
            ConfigError: This process offers the tool to some models only, and nothing
                says whether to this one.
            McpError: The model cannot help it: no connection, no rights, no time.
        """
        return run(self._runnable(source, name, offered), name, arguments)

    async def run_async(
        self,
        source: Source,
        name: str,
        arguments: str | Mapping[str, Any],
        offered: Collection[str] | None = None,
    ) -> Any:
        """Run one call of a model in a task; see `run`."""
        tools = self._runnable(source, name, offered)
        return await run_async(tools, name, arguments)

    def _runnable(
        self, source: Source, name: str, offered: Collection[str] | None
    ) -> Sequence[AnyTool]:
        """Return the tools that may run, when this one is called."""
        tools = bound(source, self._package)
        if offered is not None:
            return [tool for tool in tools if tool.name in offered]
        is_client = isinstance(source, (BaseClient, AsyncBaseClient))
        if is_client and name in self._offered & self._withheld:
            raise ConfigError(
                f"{shown(name, 200)} was offered to some models and not to others, and"
                " nothing says whether to this one",
                hint="pass offered=, the list of tools that this model was given",
            )
        unknown = self._withheld - self._offered
        return [tool for tool in tools if tool.name not in unknown]
