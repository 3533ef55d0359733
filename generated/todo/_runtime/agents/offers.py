# Copied by mcp-bindgen. Do not edit.
"""Runs only tools that a model was offered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import limits
from ..client.client import AsyncBaseClient, BaseClient
from ..errors import ConfigError, printable
from .answers import refused
from .calls import answer_each, answer_each_async
from .parameter_names import model_schema
from .toolset import all_of, bound, reach, reach_async, run, run_async

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from .calls import Arguments, ModelCall
    from .parameter_names import Rule
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
        rule: The names of parameters that the model's API takes; None for all names.
    """

    def __init__(self, package: str, rule: Rule | None = None) -> None:
        self._package = package
        self._rule = rule
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

    def schema(self, tool: AnyTool) -> Mapping[str, Any]:
        """Return the input schema of a tool, with the names that the API takes."""
        return model_schema(tool.info.schema, self._rule).schema

    def renamed(self, source: Source | None) -> dict[str, Mapping[str, str]]:
        """Return the parameters that have another name for the model.

        Args:
            source: A client, or tools; those of the package if None.

        Returns:
            For each tool that has some: wire name to name for the model.
        """
        names = {
            tool.name: model_schema(tool.info.schema, self._rule).names
            for tool in bound(source, self._package)
        }
        return {tool: renamed for tool, renamed in names.items() if renamed}

    def run(
        self,
        source: Source,
        name: str,
        arguments: Arguments,
        offered: Collection[str] | None = None,
    ) -> Any:
        """Run one call of a model, and return an `Answer`.

        Args:
            source: A client, or tools.
            name: The name that the model called.
            arguments: The arguments, as JSON text or as an object.
            offered: Names of the tools that this model was offered; None if unknown.

        Raises:
            ConfigError: This process offers the tool to some models only, and nothing
                says whether to this one.
            McpError: The model cannot help it: no connection, no rights, no time.
        """
        is_visible = self._visible(source, [name], offered)
        if is_visible(name) and (error := reach(source, name)):
            return refused(error)
        tools = [tool for tool in bound(source, self._package) if is_visible(tool.name)]
        return run(tools, name, arguments, self._rule)

    async def run_async(
        self,
        source: Source,
        name: str,
        arguments: Arguments,
        offered: Collection[str] | None = None,
    ) -> Any:
        """Run one call of a model in a task; see `run`."""
        is_visible = self._visible(source, [name], offered)
        if is_visible(name) and (error := await reach_async(source, name)):
            return refused(error)
        tools = [tool for tool in bound(source, self._package) if is_visible(tool.name)]
        return await run_async(tools, name, arguments, self._rule)

    def run_each(
        self,
        source: Source,
        calls: Sequence[ModelCall],
        offered: Collection[str] | None = None,
        *,
        leave_unknown: bool = False,
    ) -> list[tuple[ModelCall, Any]]:
        """Run the calls of one message, and return each with its `Answer`.

        Any failure is an answer; see `answer_each`.

        Args:
            source: A client, or tools.
            calls: The calls, in the order of the message.
            offered: Names of the tools that this model was offered; None if unknown.
            leave_unknown: Whether calls of tools that are not in `source` are left to
                the caller; else their answer says that there is no such tool.

        Raises:
            ConfigError: This process offers a tool to some models only, and nothing
                says whether to this one; no call was made.
            BaseException: An interrupt; its notes have the progress of the calls.
        """
        source = _listed(source)
        calls = self._ours(source, calls, offered, leave_unknown=leave_unknown)
        return answer_each(
            calls, lambda call: self.run(source, call.name, call.arguments, offered)
        )

    async def run_each_async(
        self,
        source: Source,
        calls: Sequence[ModelCall],
        offered: Collection[str] | None = None,
        *,
        leave_unknown: bool = False,
    ) -> list[tuple[ModelCall, Any]]:
        """Run the calls of one message in a task; see `run_each`."""
        source = _listed(source)
        calls = self._ours(source, calls, offered, leave_unknown=leave_unknown)
        return await answer_each_async(
            calls,
            lambda call: self.run_async(source, call.name, call.arguments, offered),
        )

    def _ours(
        self,
        source: Source,
        calls: Sequence[ModelCall],
        offered: Collection[str] | None,
        *,
        leave_unknown: bool,
    ) -> Sequence[ModelCall]:
        """Return the calls to answer, after a check of all of them."""
        is_visible = self._visible(source, [call.name for call in calls], offered)
        if not leave_unknown:
            return calls
        names = {tool.name for tool in bound(all_of(source), self._package)}
        return [call for call in calls if call.name in names and is_visible(call.name)]

    def _visible(
        self, source: Source, called: Iterable[str], offered: Collection[str] | None
    ) -> Callable[[str], bool]:
        """Return the test whether a model may know the tool of a name.

        Raises:
            ConfigError: Nothing says so of one of the tools that are called.
        """
        if offered is not None:
            return offered.__contains__
        is_client = isinstance(source, (BaseClient, AsyncBaseClient))
        for name in called if is_client else ():
            if name in self._offered & self._withheld:
                raise ConfigError(
                    f"cannot tell whether the model was offered the tool"
                    f" {printable(name, limits.NAME_TEXT)}: one model was, another was"
                    " not",
                    hint="pass offered=, the list of tools that this model has",
                )
        unknown = self._withheld - self._offered
        return lambda name: name not in unknown


def _listed(source: Source) -> Source:
    """Return a source that can be read for each call, also where it is an iterator."""
    return list(source) if isinstance(source, Iterator) else source
