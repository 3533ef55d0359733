"""The two clients, blocking and async, that generated packages subclass."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from ..errors import McpError
from ..protocol.messages import as_sent
from ..results import ToolError, ToolResult
from .approval import approved, approved_async, requested_call
from .base import ClientBase, Connection
from .drift import Difference, package_differences
from .outcome import ToolCallResult

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from ..protocol.flow import Flow
    from .binding import Binding

R = TypeVar("R")


class Transport(Protocol):
    """Anything that calls tools: a fake in a test, a proxy, a cache."""

    def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolResult:
        """Call a tool by its wire name."""
        ...

    def close(self) -> None:
        """Let go of whatever is held."""
        ...


class AsyncTransport(Protocol):
    """The same for tasks."""

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolResult:
        """Call a tool by its wire name."""
        ...

    async def close(self) -> None:
        """Let go of whatever is held."""
        ...


if TYPE_CHECKING:
    from ..transport.connections import httpx

    _Blocking = ClientBase[Transport, httpx.Client]
    _Async = ClientBase[AsyncTransport, httpx.AsyncClient]
else:  # httpx is loaded when a client is made
    _Blocking = _Async = ClientBase


class BaseClient(_Blocking):
    """A blocking client of one server, for any number of threads.

    Every method raises `McpError`: the tree is in `errors`.
    """

    def connect(self) -> Self:
        """Connect now, rather than at the first call."""
        self._run(self._connection.session.connect(), "initialize")
        return self

    def call(self, binding: Binding[R], arguments: Mapping[str, object]) -> R:
        """Call a tool, typed on the way out and back; raise what it reports."""
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._given(arguments))
            return _accept(binding, self._send(binding.tool, wire, binding))

    def call_tool(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Call a tool by its wire name; a failure that it reports is a result."""
        with self._observed("tools/call", name):
            return self._send(name, self._given(arguments))

    def try_tool(self, name: str, arguments: Mapping[str, object]) -> ToolCallResult:
        """Call a tool by its wire name; whatever goes wrong is in the outcome."""
        try:
            return ToolCallResult.of(name, self.call_tool(name, arguments))
        except McpError as error:
            return ToolCallResult.of(name, error)

    def request(
        self, method: str, params: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Send any request and return its raw result."""
        params, hooks = params or {}, self._options.before_call
        if hooks and method == "tools/call":
            tool, arguments = requested_call(params)
            params = {**params, "arguments": approved(hooks, tool, arguments)}
        call = self._request(method, params)
        return self._run(self._connection.session.request(call), method)

    def list_tools(self) -> list[dict[str, Any]]:
        """Return the raw tools of all pages."""
        return self._run(self._connection.session.list_tools(), "tools/list")

    def verify(self) -> list[Difference]:
        """Return how the server's tools differ from the recorded ones."""
        return package_differences(self._home()[1], self.list_tools())

    def call_many(
        self, calls: Iterable[Callable[[], R]], *, at_once: int = 8
    ) -> list[R | McpError]:
        """Make several calls at once, and return results or errors in their order.

        Args:
            calls: Functions without arguments: `partial(client.tool, x=1)`.
            at_once: How many run at the same time.
        """

        def one(call: Callable[[], R]) -> R | McpError:
            try:
                return call()
            except McpError as error:
                return error

        with ThreadPoolExecutor(at_once) as pool:
            return list(pool.map(one, calls))

    def _run(self, flow: Flow[R], method: str) -> R:
        with self._observed(method):
            done: R = self._connection.door.run(flow, self._options.timeout)
            return done

    def _send(
        self, name: str, arguments: dict[str, Any], binding: Binding[Any] | None = None
    ) -> ToolResult:
        if hooks := self._options.before_call:
            arguments = approved(hooks, name, arguments, binding)
        if not isinstance(self._transport, Connection):
            return self._transport.call_tool(name, as_sent(name, arguments))
        params = {"name": name, "arguments": arguments}
        call = self._request("tools/call", params, binding)
        flow = self._transport.session.request(call)
        raw = self._transport.door.run(flow, self._options.timeout)
        return ToolResult.from_wire(raw)

    def close(self) -> None:
        """End the session and close the connection; closing twice does no harm."""
        if not isinstance(self._transport, Connection):
            return self._transport.close()
        try:
            self._transport.door.run(self._transport.session.hang_up(), 5.0)
        finally:
            self._transport.door.close()

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
        await self._run(self._connection.session.connect(), "initialize")
        return self

    async def call(self, binding: Binding[R], arguments: Mapping[str, object]) -> R:
        """Call a tool, typed on the way out and back; raise what it reports."""
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._given(arguments))
            return _accept(binding, await self._send(binding.tool, wire, binding))

    async def call_tool(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Call a tool by its wire name; a failure that it reports is a result."""
        with self._observed("tools/call", name):
            return await self._send(name, self._given(arguments))

    async def try_tool(
        self, name: str, arguments: Mapping[str, object]
    ) -> ToolCallResult:
        """Call a tool by its wire name; whatever goes wrong is in the outcome."""
        try:
            return ToolCallResult.of(name, await self.call_tool(name, arguments))
        except McpError as error:
            return ToolCallResult.of(name, error)

    async def request(
        self, method: str, params: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Send any request and return its raw result."""
        params, hooks = params or {}, self._options.before_call
        if hooks and method == "tools/call":
            tool, arguments = requested_call(params)
            allowed = await approved_async(hooks, tool, arguments)
            params = {**params, "arguments": allowed}
        call = self._request(method, params)
        return await self._run(self._connection.session.request(call), method)

    async def list_tools(self) -> list[dict[str, Any]]:
        """Return the raw tools of all pages."""
        return await self._run(self._connection.session.list_tools(), "tools/list")

    async def verify(self) -> list[Difference]:
        """Return how the server's tools differ from the recorded ones."""
        return package_differences(self._home()[1], await self.list_tools())

    async def call_many(
        self, calls: Iterable[Callable[[], Awaitable[R]]], *, at_once: int = 8
    ) -> list[R | McpError]:
        """Make several calls at once, and return results or errors in their order.

        Args:
            calls: Functions without arguments: `partial(client.tool, x=1)`.
            at_once: How many run at the same time.
        """
        from anyio import create_task_group

        waiting = iter(enumerate(calls))
        found: dict[int, R | McpError] = {}

        async def work() -> None:
            for number, call in waiting:
                try:
                    found[number] = await call()
                except McpError as error:
                    found[number] = error

        async with create_task_group() as group:
            for _ in range(at_once):
                group.start_soon(work)
        return [found[number] for number in sorted(found)]

    async def _run(self, flow: Flow[R], method: str) -> R:
        with self._observed(method):
            done: R = await self._connection.door.run(flow, self._options.timeout)
            return done

    async def _send(
        self, name: str, arguments: dict[str, Any], binding: Binding[Any] | None = None
    ) -> ToolResult:
        if hooks := self._options.before_call:
            arguments = await approved_async(hooks, name, arguments, binding)
        if not isinstance(self._transport, Connection):
            sent = as_sent(name, arguments)
            return await self._transport.call_tool(name, sent)
        params = {"name": name, "arguments": arguments}
        call = self._request("tools/call", params, binding)
        flow = self._transport.session.request(call)
        raw = await self._transport.door.run(flow, self._options.timeout)
        return ToolResult.from_wire(raw)

    async def close(self) -> None:
        """End the session and close the connection; closing twice does no harm."""
        if not isinstance(self._transport, Connection):
            return await self._transport.close()
        try:
            await self._transport.door.run(self._transport.session.hang_up(), 5.0)
        finally:
            await self._transport.door.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()


def _accept(binding: Binding[R], result: ToolResult) -> R:
    """Return a result, typed; raise what the tool reports."""
    if result.is_error:
        raise ToolError(binding.tool, result)
    return binding.parse(result)
