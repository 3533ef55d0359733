# Copied by mcp-bindgen. Do not edit.
"""Ties tools to clients for models and frameworks, and runs a model's calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import limits
from ..client.bridge import perform, perform_async
from ..client.client import AsyncBaseClient, BaseClient
from ..errors import ConfigError, McpError, printable
from ..strict_json import StrictJsonError
from .answers import MODEL_ERRORS, Answer, accepted, arguments_of, refused
from .nulls import without_nulls
from .parameter_names import model_schema
from .protocols import AnyTool, AnyToolbox
from .toolinfo import NAME_LIMIT, ToolInfo, read_package, select, short_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..client.approval import BeforeCall
    from ..results import ToolResult
    from .calls import Arguments
    from .parameter_names import Rule

__all__ = [
    "AnyTool",
    "BoundTool",
    "Source",
    "all_of",
    "bound",
    "reach",
    "reach_async",
    "run",
    "run_async",
]


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

    def __repr__(self) -> str:
        return f"<tool {printable(self.name, 80)} of {printable(self.info.package)}>"

    def renamed(self, name: str, /) -> BoundTool:
        """Return the same tool under another name."""
        return replace(self, name=short_name(name))

    def asking(self, before_call: BeforeCall, /) -> BoundTool:
        """Return the same tool with one more hook, which runs before each call."""
        client = self._known().with_options(before_call=before_call)
        return replace(self, client=client)

    def _known(self) -> BaseClient | AsyncBaseClient:
        if self.client is None:
            raise ConfigError(
                "this tool has no client, so that nothing can call it",
                hint="make it with toolset(client)",
            )
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
        """Call the tool in a task; a blocking client works in a thread."""
        try:
            return accepted(*await perform_async(self._known(), self._work(arguments)))
        except MODEL_ERRORS as error:
            return refused(error)

    def connect(self) -> Exception | None:
        """Connect the client; return the reason if that fails."""
        client = self._known()
        try:
            perform(client, client.connect)
        except McpError as error:
            return error
        return None

    async def connect_async(self) -> Exception | None:
        """Connect the client, in a task; return the reason if that fails."""
        client = self._known()
        try:
            await perform_async(client, client.connect)
        except McpError as error:
            return error
        return None

    def ping(self) -> float:
        """Return the seconds that a request without work takes.

        Raises:
            McpError: The server does not answer.
        """
        client: Any = self._known()
        seconds: float = perform(client, client.ping)
        return seconds

    async def ping_async(self) -> float:
        """Return the seconds that a request without work takes, from a task."""
        client: Any = self._known()
        seconds: float = await perform_async(client, client.ping)
        return seconds

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
        before_call: Runs before each call: it allows, denies or replaces it.

    Raises:
        ConfigError: If `include` or `exclude` names no tool.
    """
    if source is None or isinstance(source, (BaseClient, AsyncBaseClient)):
        infos = read_package(package).values()
        source = [
            BoundTool(info.export_name, info, source)
            for info in infos
            if not info.denied
        ]
    tools = list(source)
    chosen = select([tool.info for tool in tools], include, exclude)
    chosen_ids = {id(info) for info in chosen}
    tools = [tool for tool in tools if id(tool.info) in chosen_ids]
    if prefix:
        tools = [tool.renamed(f"{prefix}_{tool.name}") for tool in tools]
    if before_call is not None:
        tools = [tool.asking(before_call) for tool in tools]
    return tools


def all_of(source: Source) -> Source:
    """Return a source with the tools, too, that a toolbox leaves out for now."""
    toolbox = _toolbox(source)
    return source if toolbox is None else toolbox.tools


def reach(source: Source, name: str) -> Exception | None:
    """Connect the server of a tool that a toolbox leaves out.

    Returns:
        The reason why the server is not connected; None where it is.
    """
    toolbox = _toolbox(source)
    return None if toolbox is None else toolbox.reach(name)


async def reach_async(source: Source, name: str) -> Exception | None:
    """Connect the server of a tool that a toolbox leaves out, in a task."""
    toolbox = _toolbox(source)
    return None if toolbox is None else await toolbox.reach_async(name)


def _toolbox(source: Source) -> AnyToolbox | None:
    # A client has methods with the names of tools, which may be any names.
    is_client = isinstance(source, (BaseClient, AsyncBaseClient))
    return source if isinstance(source, AnyToolbox) and not is_client else None


def _prepared(
    tools: Sequence[AnyTool], name: str, arguments: Arguments, rule: Rule | None
) -> Answer | tuple[AnyTool, dict[str, Any]]:
    """Return the tool and its arguments, or an answer with the reason for none."""
    by_name = {tool.name: tool for tool in tools}
    tool = by_name.get(name)
    if tool is None:
        near = get_close_matches(name[:NAME_LIMIT], by_name, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        cut = name[: limits.NAME_TEXT]
        return refused(LookupError(f"there is no tool called {cut!a}{hint}"))
    try:
        parsed = arguments_of(arguments)
        parsed = model_schema(tool.info.schema, rule).to_wire(parsed)
    except StrictJsonError as error:
        return refused(error)
    schema = tool.info.input_schema
    return tool, without_nulls(parsed, schema, schema)


def run(
    tools: Sequence[AnyTool],
    name: str,
    arguments: Arguments,
    rule: Rule | None = None,
) -> Any:
    """Run one call of a model; an unknown tool and bad JSON are answers too.

    Args:
        tools: The tools that the model was offered.
        name: The name that the model called.
        arguments: The arguments, as JSON text or as an object. Null for an optional
            parameter whose schema takes no null means "absent".
        rule: The names of parameters that the model's API takes, where it refuses
            some: the model has other names for the others.

    Raises:
        McpError: The model cannot help it: no connection, no rights, no time.
    """
    ready = _prepared(tools, name, arguments, rule)
    return ready if isinstance(ready, Answer) else ready[0].answer(ready[1])


async def run_async(
    tools: Sequence[AnyTool],
    name: str,
    arguments: Arguments,
    rule: Rule | None = None,
) -> Any:
    """Run one call of a model in a task; see `run`."""
    ready = _prepared(tools, name, arguments, rule)
    if isinstance(ready, Answer):
        return ready
    return await ready[0].answer_async(ready[1])
