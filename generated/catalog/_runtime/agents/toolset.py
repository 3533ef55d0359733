# Copied by mcp-bindgen. Do not edit.
"""Ties tools to clients for models and frameworks, and runs what a model calls."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..client.bridge import perform, perform_async
from ..client.client import AsyncBaseClient, BaseClient
from ..errors import ConfigError, McpError
from ..strict_json import StrictJsonError
from .answers import MODEL_ERRORS, Answer, accepted, arguments_of, refused
from .nulls import without_nulls
from .toolinfo import NAME_LIMIT, ToolInfo, read_package, select, short_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..client.approval import BeforeCall
    from ..results import ToolResult

__all__ = ["AnyTool", "BoundTool", "Source", "bound", "run", "run_async"]


class AnyTool(Protocol):
    """A tool with its client: of this package, or of another with its own runtime."""

    @property
    def name(self) -> str:
        """Its name for models."""
        ...

    @property
    def info(self) -> Any:
        """Its name, texts and schemas."""
        ...

    @property
    def client(self) -> Any:
        """A client of its server."""
        ...

    def renamed(self, name: str, /) -> Any:
        """Return the same tool under another name."""
        ...

    def asking(self, before_call: Any, /) -> Any:
        """Return the same tool with one more hook, asked before each call."""
        ...

    def answer(self, arguments: Mapping[str, Any], /) -> Any:
        """Call the tool and return an `Answer`."""
        ...

    def answer_async(self, arguments: Mapping[str, Any], /) -> Coroutine[Any, Any, Any]:
        """Call the tool in a task and return an `Answer`."""
        ...

    def connect(self) -> Exception | None:
        """Connect the client; return why it cannot be, if so."""
        ...

    def connect_async(self) -> Coroutine[Any, Any, Exception | None]:
        """Connect the client in a task; return why it cannot be, if so."""
        ...

    def close(self) -> None:
        """Close the client."""
        ...

    def close_async(self) -> Coroutine[Any, Any, None]:
        """Close the client in a task."""
        ...


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool with the client that calls it.

    Attributes:
        name: Its name for models.
        info: Its name, texts and schemas.
        client: A client of its server; None where the tool is only described.
    """

    name: str
    info: ToolInfo[Any]
    client: BaseClient | AsyncBaseClient | None = field(repr=False)

    def renamed(self, name: str, /) -> BoundTool:
        """Return the same tool under another name."""
        return replace(self, name=short_name(name))

    def asking(self, before_call: BeforeCall, /) -> BoundTool:
        """Return the same tool with one more hook, asked before each call."""
        client = self._known().with_options(before_call=before_call)
        return replace(self, client=client)

    def _known(self) -> BaseClient | AsyncBaseClient:
        if self.client is None:
            raise ConfigError("this tool has no client, so that nothing can call it")
        return self.client

    def _work(self, arguments: Mapping[str, Any]) -> Callable[[], Any]:
        """Return a function that makes the call: it gives raw and typed result."""
        binding = self.info.binding()

        def read(tool: str, result: ToolResult) -> tuple[ToolResult, object]:
            return result, binding.read(tool, result)

        return partial(self._known().call, replace(binding, read=read), arguments)

    def answer(self, arguments: Mapping[str, Any], /) -> Answer:
        """Call the tool and return its answer for a model.

        Args:
            arguments: Wire name to JSON value; checked before anything is sent.

        Raises:
            McpError: The model cannot help it: no connection, no rights, no time.
        """
        try:
            return accepted(*perform(self._known(), self._work(arguments)))
        except MODEL_ERRORS as error:
            return refused(error)

    async def answer_async(self, arguments: Mapping[str, Any], /) -> Answer:
        """Do the same in a task; a blocking client works in a thread."""
        try:
            return accepted(*await perform_async(self._known(), self._work(arguments)))
        except MODEL_ERRORS as error:
            return refused(error)

    def connect(self) -> Exception | None:
        """Connect the client; return why it cannot be, if so."""
        client = self._known()
        try:
            perform(client, client.connect)
        except McpError as error:
            return error
        return None

    async def connect_async(self) -> Exception | None:
        """Do the same in a task."""
        client = self._known()
        try:
            await perform_async(client, client.connect)
        except McpError as error:
            return error
        return None

    def close(self) -> None:
        """Close the client."""
        client = self._known()
        perform(client, client.close)

    async def close_async(self) -> None:
        """Close the client in a task."""
        client = self._known()
        await perform_async(client, client.close)


Source: TypeAlias = BaseClient | AsyncBaseClient | Iterable[AnyTool]
"""The source of a framework's tools: a client, a list of tools or a toolbox."""


def bound(
    source: Source | None,
    package: str,
    *,
    include: str | Iterable[str] | None = None,
    exclude: str | Iterable[str] | None = None,
    prefix: str = "",
    before_call: BeforeCall | None = None,
) -> Sequence[AnyTool]:
    """Return tools with their client.

    Args:
        source: A client of the package's server, or tools of any packages; None for
            tools that are only described.
        package: Name of the package.
        include: `Tool` members, wire names or globs; all if None.
        exclude: The same, for tools to leave out.
        prefix: Put before each name, as `prefix_name`.
        before_call: Asked before each call: allow, deny, replace.

    Raises:
        ConfigError: If `include` or `exclude` names no tool.
    """
    if source is None or isinstance(source, (BaseClient, AsyncBaseClient)):
        infos = read_package(package).values()
        source = [BoundTool(info.export_name, info, source) for info in infos]
    tools = list(source)
    chosen = select([tool.info for tool in tools], include, exclude)
    wanted = {id(info) for info in chosen}
    tools = [tool for tool in tools if id(tool.info) in wanted]
    if prefix:
        tools = [tool.renamed(f"{prefix}_{tool.name}") for tool in tools]
    if before_call is not None:
        tools = [tool.asking(before_call) for tool in tools]
    return tools


def _prepared(
    tools: Sequence[AnyTool], name: str, arguments: str | Mapping[str, Any]
) -> Answer | tuple[AnyTool, dict[str, Any]]:
    """Return the tool and its arguments, or an answer that says why there are none."""
    named = {tool.name: tool for tool in tools}
    tool = named.get(name)
    if tool is None:
        near = get_close_matches(name[:NAME_LIMIT], named, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return refused(LookupError(f"there is no tool called {name[:200]!a}{hint}"))
    try:
        parsed = arguments_of(arguments) if isinstance(arguments, str) else arguments
    except StrictJsonError as error:
        return refused(error)
    schema = tool.info.input_schema
    return tool, without_nulls(dict(parsed), schema, schema)


def run(tools: Sequence[AnyTool], name: str, arguments: str | Mapping[str, Any]) -> Any:
    """Run one call of a model; an unknown tool and bad JSON are answers too.

    Args:
        tools: The tools that the model was offered.
        name: The name that the model called.
        arguments: The arguments that it gave, as JSON text or as an object. Null for
            an optional parameter that takes none is taken as absent.

    Raises:
        McpError: The model cannot help it: no connection, no rights, no time.
    """
    ready = _prepared(tools, name, arguments)
    return ready if isinstance(ready, Answer) else ready[0].answer(ready[1])


async def run_async(
    tools: Sequence[AnyTool], name: str, arguments: str | Mapping[str, Any]
) -> Any:
    """Run one call of a model in a task; see `run`."""
    ready = _prepared(tools, name, arguments)
    if isinstance(ready, Answer):
        return ready
    return await ready[0].answer_async(ready[1])
