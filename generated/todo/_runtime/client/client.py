# Copied by mcp-bindgen. Do not edit.
"""The two clients, blocking and async, that generated packages subclass."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, Self, TypeVar

from .. import limits
from ..errors import McpError
from .approval import approved, approved_async, requested_call
from .base import ClientBase
from .channel import Channel
from .options import ping_method

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from ..protocol.steps import Flow
    from ..results import ToolResult
    from ..transport.exchange import AsyncDriver, BlockingDriver
    from .binding import Binding
    from .drift import Difference
    from .listed import ListedTool
    from .outcome import ToolCallResult
    from .own_transport import AsyncTransport, Transport

R = TypeVar("R")


if TYPE_CHECKING:
    from ..transport.connections import httpx

    _Blocking = ClientBase[Transport, httpx.Client, BlockingDriver[Any]]
    _Async = ClientBase[AsyncTransport, httpx.AsyncClient, AsyncDriver[Any]]
else:  # httpx is loaded when a client is made
    _Blocking = _Async = ClientBase


class BaseClient(_Blocking):
    """A blocking client of one server, for any number of threads.

    Every method raises `McpError`: the tree is in `errors`.
    """

    def connect(self) -> Self:
        """Connect now, rather than at the first call."""
        self._run(self._channel.session.connect(), "initialize")
        return self

    def ping(self) -> float:
        """Connect, and return the seconds that a request without work takes."""
        method = ping_method(self.connect().protocol_version)
        start = monotonic()
        self.request(method)
        return monotonic() - start

    def call(self, binding: Binding[R], arguments: Mapping[str, object]) -> R:
        """Call a tool with typed arguments and a typed result; raise its failure."""
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._complete(arguments))
            return _accept(binding, self._send(binding.tool, wire, binding))

    def call_tool(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Call a tool by its wire name; a failure that it reports is a result."""
        with self._observed("tools/call", name):
            return self._send(name, self._complete(arguments))

    def try_tool(self, name: str, arguments: Mapping[str, object]) -> ToolCallResult:
        """Call a tool by its wire name; a failure of any kind is in the outcome."""
        start = monotonic()
        try:
            return _outcome(name, start, self.call_tool(name, arguments))
        except McpError as error:
            return _outcome(name, start, error)

    def request(
        self, method: str, params: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Send any request and return its raw result.

        `before_call` decides about a raw `tools/call`, too.
        """
        params, hooks = params or {}, self._options.before_call
        if hooks and method == "tools/call":
            tool, arguments = requested_call(params)
            self._screen(tool, arguments)
            params = {**params, "arguments": approved(hooks, tool, arguments)}
        request = self._request(method, params)
        if request.permits:
            from .policy.asking import admitted

            request = admitted(request)
        return self._run(self._channel.session.request(request), method)

    def list_tools(self) -> list[ListedTool]:
        """Return the tools that the server lists now, of all pages."""
        return _listed_tools(self._listed())

    def verify(self) -> list[Difference]:
        """Return how the server's tools differ from the recorded ones."""
        return _differences(self._home()[1], self._listed())

    def _listed(self) -> list[dict[str, Any]]:
        return self._run(self._channel.session.list_tools(), "tools/list")

    def call_many(
        self, calls: Iterable[Callable[[], R]], *, at_once: int = 8
    ) -> list[R | McpError]:
        """Make several calls at once, and return results or errors in their order.

        Args:
            calls: Functions without arguments: `partial(client.tool, x=1)`.
            at_once: How many run at the same time.

        Raises:
            ConfigError: If that is less than 1.
            Exception: The first, in the order of the calls, that is not an `McpError`.
        """
        from .many import call_many

        return call_many(calls, at_once)

    def _run(self, flow: Flow[Any, R], method: str) -> R:
        with self._observed(method):
            return self._channel.driver.run(flow, self._options.timeout)

    def _send(
        self, name: str, arguments: dict[str, Any], binding: Binding[Any] | None = None
    ) -> ToolResult:
        self._screen(name, arguments)
        if hooks := self._options.before_call:
            arguments = approved(hooks, name, arguments, binding)
        params = {"name": name, "arguments": arguments}
        request = self._request("tools/call", params, binding)
        if request.permits:
            from .policy.asking import admitted, carried

            request = admitted(request)
            if not isinstance(self._transport, Channel):
                return carried(request, self._transport.call_tool)
        if not isinstance(self._transport, Channel):
            return self._transport.call_tool(name, _as_sent(name, arguments))
        flow = self._transport.session.request(request)
        raw = self._transport.driver.run(
            flow, self._options.seconds(name, request.permits)
        )
        return _result(raw)

    def close(self) -> None:
        """End the session and close the connection; closing twice does no harm."""
        if not isinstance(self._transport, Channel):
            return self._transport.close()
        try:
            self._transport.driver.run(
                self._transport.session.hang_up(), limits.CLOSE_SECONDS
            )
        finally:
            self._transport.driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class AsyncBaseClient(_Async):
    """A client of one server for any number of tasks, on asyncio or trio.

    Every method raises `McpError`: the tree is in `errors`.
    """

    _blocking = False

    async def connect(self) -> Self:
        """Connect now, rather than at the first call."""
        await self._run(self._channel.session.connect(), "initialize")
        return self

    async def ping(self) -> float:
        """Connect, and return the seconds that a request without work takes."""
        method = ping_method((await self.connect()).protocol_version)
        start = monotonic()
        await self.request(method)
        return monotonic() - start

    async def call(self, binding: Binding[R], arguments: Mapping[str, object]) -> R:
        """Call a tool with typed arguments and a typed result; raise its failure."""
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._complete(arguments))
            return _accept(binding, await self._send(binding.tool, wire, binding))

    async def call_tool(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Call a tool by its wire name; a failure that it reports is a result."""
        with self._observed("tools/call", name):
            return await self._send(name, self._complete(arguments))

    async def try_tool(
        self, name: str, arguments: Mapping[str, object]
    ) -> ToolCallResult:
        """Call a tool by its wire name; a failure of any kind is in the outcome."""
        start = monotonic()
        try:
            return _outcome(name, start, await self.call_tool(name, arguments))
        except McpError as error:
            return _outcome(name, start, error)

    async def request(
        self, method: str, params: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Send any request and return its raw result.

        `before_call` decides about a raw `tools/call`, too.
        """
        params, hooks = params or {}, self._options.before_call
        if hooks and method == "tools/call":
            tool, arguments = requested_call(params)
            self._screen(tool, arguments)
            allowed = await approved_async(hooks, tool, arguments)
            params = {**params, "arguments": allowed}
        request = self._request(method, params)
        if request.permits:
            from .policy.asking import admitted_async

            request = await admitted_async(request)
        return await self._run(self._channel.session.request(request), method)

    async def list_tools(self) -> list[ListedTool]:
        """Return the tools that the server lists now, of all pages."""
        return _listed_tools(await self._listed())

    async def verify(self) -> list[Difference]:
        """Return how the server's tools differ from the recorded ones."""
        return _differences(self._home()[1], await self._listed())

    async def _listed(self) -> list[dict[str, Any]]:
        return await self._run(self._channel.session.list_tools(), "tools/list")

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
        self, name: str, arguments: dict[str, Any], binding: Binding[Any] | None = None
    ) -> ToolResult:
        self._screen(name, arguments)
        if hooks := self._options.before_call:
            arguments = await approved_async(hooks, name, arguments, binding)
        params = {"name": name, "arguments": arguments}
        request = self._request("tools/call", params, binding)
        if request.permits:
            from .policy.asking import admitted_async, carried_async

            request = await admitted_async(request)
            if not isinstance(self._transport, Channel):
                return await carried_async(request, self._transport.call_tool)
        if not isinstance(self._transport, Channel):
            sent = _as_sent(name, arguments)
            return await self._transport.call_tool(name, sent)
        flow = self._transport.session.request(request)
        seconds = self._options.seconds(name, request.permits)
        raw = await self._transport.driver.run(flow, seconds)
        return _result(raw)

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

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


# Imports of a program are quick: the rest is loaded at the first call.


def _as_sent(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    from ..protocol.messages import as_sent

    return as_sent(tool, arguments)


def _result(raw: Mapping[str, Any]) -> ToolResult:
    from ..results import ToolResult

    return ToolResult.from_wire(raw)


def _accept(binding: Binding[R], result: ToolResult) -> R:
    """Return a result, typed; raise the failure that the tool reports."""
    if result.is_error:
        from ..results import ToolError

        raise ToolError(binding.tool, result)
    return binding.parse(result)


def _outcome(tool: str, start: float, result: ToolResult | McpError) -> ToolCallResult:
    from .outcome import ToolCallResult

    return ToolCallResult.of(tool, start, result)


def _listed_tools(tools: Iterable[dict[str, Any]]) -> list[ListedTool]:
    from .listed import ListedTool

    return [ListedTool.from_wire(tool) for tool in tools]


def _differences(package: str, live: list[dict[str, Any]]) -> list[Difference]:
    from .drift import package_differences

    return package_differences(package, live)
