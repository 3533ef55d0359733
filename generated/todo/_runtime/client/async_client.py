# Copied by mcp-bindgen. Do not edit.
"""The async client that generated packages subclass."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from .. import limits
from ..errors import McpError
from .answers import accepted, as_sent, differences, listed_tools, outcome, result
from .base import ClientBase
from .channel import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping

    from ..protocol.request import Request
    from ..protocol.steps import Flow
    from ..results import ToolResult
    from ..transport.connections import httpx
    from ..transport.drive import AsyncDriver
    from .binding import Binding
    from .drift import Difference
    from .listed import ListedTool
    from .outcome import ToolCallResult
    from .own_transport import AsyncTransport
    from .root import ClientT
    from .streaming import Done, Log, Notice, Progress
    from .tasks import AsyncTask, TaskStatus

    _Base = ClientBase[AsyncTransport, httpx.AsyncClient, AsyncDriver[Any]]
else:  # httpx is loaded when a client is made
    _Base = ClientBase

__all__ = ["AsyncBaseClient"]

P = ParamSpec("P")
R = TypeVar("R")
# In place of Self, which Jedi does not read.


class AsyncBaseClient(_Base):
    """A client of one server for any number of tasks, on asyncio or trio.

    Every method raises `McpError`: the tree is in `errors`.
    """

    _blocking = False

    async def connect(self: ClientT) -> ClientT:
        """Connect now, rather than at the first call."""
        await self._run(self._connecting(), "initialize")
        return self

    async def ping(self) -> float:
        """Connect, and return the seconds that a request without work takes."""
        from .options import ping_method

        method = ping_method((await self.connect()).protocol_version)
        start = monotonic()
        await self.request(method)
        return monotonic() - start

    async def call(self, binding: Binding[R], arguments: Mapping[str, object]) -> R:
        """Call a tool with typed arguments and a typed result; raise its failure."""
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._complete(binding.tool, arguments))
            return accepted(binding, await self._send(binding.tool, wire, binding))

    async def call_tool(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Call a tool by its wire name; a failure that it reports is a result."""
        with self._observed("tools/call", name):
            return await self._send(name, self._complete(name, arguments))

    async def try_tool(
        self, name: str, arguments: Mapping[str, object]
    ) -> ToolCallResult:
        """Call a tool by its wire name; a failure of any kind is in the outcome."""
        start = monotonic()
        try:
            return outcome(name, start, await self.call_tool(name, arguments))
        except McpError as error:
            return outcome(name, start, error)

    async def request(
        self, method: str, params: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Send any request and return its raw result.

        `before_call` decides about a raw `tools/call`, too.
        """
        params, hooks = params or {}, self._options.before_call
        if hooks and method == "tools/call":
            from .approval import approved_async, requested_call

            tool, arguments = requested_call(params)
            self._screen(tool, arguments)
            allowed = await approved_async(hooks, tool, arguments)
            params = {**params, "arguments": allowed}
        request = await self._admitted(self._request(method, params))
        tool = str(request.params.get("name")) if method == "tools/call" else ""
        seconds = self._options.seconds(tool, request.permits)
        flow = self._channel.session.request(request)
        with self._observed(method):
            return await self._channel.driver.run(flow, seconds)

    async def list_tools(self) -> list[ListedTool]:
        """Return the tools that the server lists now, of all pages."""
        return listed_tools(await self._listed())

    async def verify(self) -> list[Difference]:
        """Return how the server and its tools differ from the recorded ones."""
        listed = await self._listed()  # connects, so that the server says who it is
        package = self._home()[1]
        return differences(package, listed, self.server_info, self.instructions)

    async def _listed(self) -> list[dict[str, Any]]:
        return await self._run(self._channel.session.list_tools(), "tools/list")

    async def submit(
        self, method: Callable[P, Awaitable[R]], /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncTask[R]:
        """Call a tool, and return a handle instead of waiting for the result.

        Example: `task = await client.submit(client.report, year=2026)`.

        Args:
            method: The tool as a method of the client.
            args: The arguments of the call ...
            kwargs: ... by name.
        """
        from .methods import call_of
        from .tasks import AsyncTask

        channel, (binding, arguments) = self._channel, call_of(method, args, kwargs)
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._complete(binding.tool, arguments))
            wire = await self._approved(binding.tool, wire, binding)
            params = {"name": binding.tool, "arguments": wire}
            request = self._request("tools/call", params, binding).as_submitted()
            request = await self._admitted(request)
            begun = monotonic()
            answer = await self._carry(channel, binding.tool, request)
        state = self._observed, channel, self._options
        return AsyncTask(*state, method, binding, answer.raw, begun)

    def stream(
        self, method: Callable[P, Awaitable[R]], /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncGenerator[Progress | Log | Notice | Done[R]]:
        """Call a tool, and yield the server's messages, then the result.

        Leaving the loop cancels the call.

        Example: `async for part in client.stream(client.report, year=2026): ...`

        Args:
            method: The tool as a method of the client.
            args: The arguments of the call ...
            kwargs: ... by name.
        """
        from .streaming import streamed_async

        return streamed_async(self, self._channel, (method, args, kwargs))

    def resume_task(
        self, method: Callable[..., Awaitable[R]], text: str
    ) -> AsyncTask[R]:
        """Return the handle of a text, also of another process.

        Args:
            method: The tool as a method of the client.
            text: The result of the handle's `to_json()`.

        Raises:
            ConfigError: It is no such text, or that of another tool or server.
        """
        from .tasks import AsyncTask, resumed

        guards = self._options.guards
        state = resumed(method, self.server, text, guards)
        return AsyncTask(self._observed, self._channel, self._options, *state)

    async def list_server_tasks(self) -> list[TaskStatus]:
        """Return the tasks that a server of MCP 2025-11-25 lists."""
        from .tasks import statuses

        flow = self._channel.session.list_entries("tasks/list", "tasks")
        return statuses(await self._run(flow, "tasks/list"))

    async def call_many(
        self, calls: Iterable[Callable[[], Awaitable[R]]], *, at_once: int = 8
    ) -> list[R | McpError]:
        """Make several calls at once, and return results or errors in their order.

        Args:
            calls: Functions without arguments: `partial(client.tool, x=1)`.
            at_once: How many run at the same time.

        Raises:
            ConfigError: If that is less than 1.
            Exception: The first, in the order of the calls, that is not an `McpError`.
        """
        from .many import call_many_async

        return await call_many_async(calls, at_once)

    async def _run(self, flow: Flow[Any, R], method: str) -> R:
        with self._observed(method):
            return await self._channel.driver.run(flow, self._options.timeout)

    async def _send(
        self,
        name: str,
        arguments: dict[str, Any],
        binding: Binding[Any] | None = None,
    ) -> ToolResult:
        arguments = await self._approved(name, arguments, binding)
        if not (self._options.guards or isinstance(self._transport, Channel)):
            sent = as_sent(name, arguments)
            return await self._transport.call_tool(name, sent)
        params = {"name": name, "arguments": arguments}
        request = await self._admitted(self._request("tools/call", params, binding))
        if not isinstance(self._transport, Channel):
            from .policy.asking import carried_async

            return await carried_async(request, self._transport.call_tool)
        return await self._carry(self._transport, name, request)

    async def _approved(
        self, name: str, arguments: dict[str, Any], binding: Binding[Any] | None
    ) -> dict[str, Any]:
        """Return the arguments as the hooks leave them."""
        self._screen(name, arguments)
        if hooks := self._options.before_call:
            from .approval import approved_async

            return await approved_async(hooks, name, arguments, binding)
        return arguments

    async def _carry(
        self, channel: Channel[AsyncDriver[Any]], name: str, request: Request
    ) -> ToolResult:
        flow = channel.session.request(request)
        seconds = self._options.seconds(name, request.permits)
        return result(await channel.driver.run(flow, seconds))

    async def _admitted(self, request: Request) -> Request:
        """Return the request to send, after all who must approve it have."""
        if not request.permits:
            return request
        from .policy.asking import admitted_async

        return await admitted_async(request)

    async def close(self) -> None:
        """End the session and close the connection; closing twice does no harm."""
        if not isinstance(self._transport, Channel):
            return await self._transport.close()
        try:
            await self._transport.driver.run(
                self._transport.session.hang_up(), limits.CLOSE_SECONDS
            )
        finally:
            await self._transport.driver.close()

    async def __aenter__(self: ClientT) -> ClientT:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()
