# Copied by mcp-bindgen. Do not edit.
"""The blocking client that generated packages subclass; the async one beside it."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from .. import limits
from ..errors import McpError
from .answers import accepted, as_sent, differences, listed_tools, outcome, result
from .async_client import AsyncBaseClient
from .base import ClientBase
from .channel import Channel

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping

    from ..protocol.request import Request
    from ..protocol.steps import Flow
    from ..results import ToolResult
    from ..transport.connections import httpx
    from ..transport.drive import BlockingDriver
    from .binding import Binding
    from .drift import Difference
    from .listed import ListedTool
    from .outcome import ToolCallResult
    from .own_transport import Transport
    from .root import ClientT
    from .streaming import Done, Log, Notice, Progress
    from .tasks import Task, TaskStatus

    _Base = ClientBase[Transport, httpx.Client, BlockingDriver[Any]]
else:  # httpx is loaded when a client is made
    _Base = ClientBase

__all__ = ["AsyncBaseClient", "BaseClient"]

P = ParamSpec("P")
R = TypeVar("R")
# In place of Self, which Jedi does not read.


class BaseClient(_Base):
    """A blocking client of one server, for any number of threads.

    Every method raises `McpError`: the tree is in `errors`.
    """

    def connect(self: ClientT) -> ClientT:
        """Connect now, rather than at the first call."""
        self._run(self._connecting(), "initialize")
        return self

    def ping(self) -> float:
        """Connect, and return the seconds that a request without work takes."""
        from .options import ping_method

        method = ping_method(self.connect().protocol_version)
        start = monotonic()
        self.request(method)
        return monotonic() - start

    def call(self, binding: Binding[R], arguments: Mapping[str, object]) -> R:
        """Call a tool with typed arguments and a typed result; raise its failure."""
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._complete(binding.tool, arguments))
            return accepted(binding, self._send(binding.tool, wire, binding))

    def call_tool(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """Call a tool by its wire name; a failure that it reports is a result."""
        with self._observed("tools/call", name):
            return self._send(name, self._complete(name, arguments))

    def try_tool(self, name: str, arguments: Mapping[str, object]) -> ToolCallResult:
        """Call a tool by its wire name; a failure of any kind is in the outcome."""
        start = monotonic()
        try:
            return outcome(name, start, self.call_tool(name, arguments))
        except McpError as error:
            return outcome(name, start, error)

    def request(
        self, method: str, params: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """Send any request and return its raw result.

        `before_call` decides about a raw `tools/call`, too.
        """
        params, hooks = params or {}, self._options.before_call
        if hooks and method == "tools/call":
            from .approval import approved, requested_call

            tool, arguments = requested_call(params)
            self._screen(tool, arguments)
            params = {**params, "arguments": approved(hooks, tool, arguments)}
        request = self._admitted(self._request(method, params))
        tool = str(request.params.get("name")) if method == "tools/call" else ""
        seconds = self._options.seconds(tool, request.permits)
        flow = self._channel.session.request(request)
        with self._observed(method):
            return self._channel.driver.run(flow, seconds)

    def list_tools(self) -> list[ListedTool]:
        """Return the tools that the server lists now, of all pages."""
        return listed_tools(self._listed())

    def verify(self) -> list[Difference]:
        """Return how the server and its tools differ from the recorded ones."""
        listed = self._listed()  # connects, so that the server says who it is
        package = self._home()[1]
        return differences(package, listed, self.server_info, self.instructions)

    def _listed(self) -> list[dict[str, Any]]:
        return self._run(self._channel.session.list_tools(), "tools/list")

    def submit(
        self, method: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Task[R]:
        """Call a tool, and return a handle instead of waiting for the result.

        Example: `task = client.submit(client.report, year=2026)`.

        Args:
            method: The tool as a method of the client.
            args: The arguments of the call ...
            kwargs: ... by name.
        """
        from .methods import call_of
        from .tasks import Task

        channel, (binding, arguments) = self._channel, call_of(method, args, kwargs)
        with self._observed("tools/call", binding.tool):
            wire = binding.prepare(self._complete(binding.tool, arguments))
            wire = self._approved(binding.tool, wire, binding)
            params = {"name": binding.tool, "arguments": wire}
            request = self._request("tools/call", params, binding).as_submitted()
            request = self._admitted(request)
            begun = monotonic()
            answer = self._carry(channel, binding.tool, request)
        state = self._observed, channel, self._options
        return Task(*state, method, binding, answer.raw, begun)

    def stream(
        self, method: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Generator[Progress | Log | Notice | Done[R]]:
        """Call a tool, and yield the server's messages, then the result.

        Leaving the loop cancels the call.

        Example: `for part in client.stream(client.report, year=2026): ...`

        Args:
            method: The tool as a method of the client.
            args: The arguments of the call ...
            kwargs: ... by name.
        """
        from .streaming import streamed

        return streamed(self, self._channel, (method, args, kwargs))

    def resume_task(self, method: Callable[..., R], text: str) -> Task[R]:
        """Return the handle of a text, also of another process.

        Args:
            method: The tool as a method of the client.
            text: The result of the handle's `to_json()`.

        Raises:
            ConfigError: It is no such text, or that of another tool or server.
        """
        from .tasks import Task, resumed

        guards = self._options.guards
        state = resumed(method, self.server, text, guards)
        return Task(self._observed, self._channel, self._options, *state)

    def list_server_tasks(self) -> list[TaskStatus]:
        """Return the tasks that a server of MCP 2025-11-25 lists."""
        from .tasks import statuses

        flow = self._channel.session.list_entries("tasks/list", "tasks")
        return statuses(self._run(flow, "tasks/list"))

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
        self,
        name: str,
        arguments: dict[str, Any],
        binding: Binding[Any] | None = None,
    ) -> ToolResult:
        arguments = self._approved(name, arguments, binding)
        if not (self._options.guards or isinstance(self._transport, Channel)):
            return self._transport.call_tool(name, as_sent(name, arguments))
        params = {"name": name, "arguments": arguments}
        request = self._admitted(self._request("tools/call", params, binding))
        if not isinstance(self._transport, Channel):
            from .policy.asking import carried

            return carried(request, self._transport.call_tool)
        return self._carry(self._transport, name, request)

    def _approved(
        self, name: str, arguments: dict[str, Any], binding: Binding[Any] | None
    ) -> dict[str, Any]:
        """Return the arguments as the hooks leave them."""
        self._screen(name, arguments)
        if hooks := self._options.before_call:
            from .approval import approved

            return approved(hooks, name, arguments, binding)
        return arguments

    def _carry(
        self, channel: Channel[BlockingDriver[Any]], name: str, request: Request
    ) -> ToolResult:
        flow = channel.session.request(request)
        seconds = self._options.seconds(name, request.permits)
        return result(channel.driver.run(flow, seconds))

    def _admitted(self, request: Request) -> Request:
        """Return the request to send, after all who must approve it have."""
        if not request.permits:
            return request
        from .policy.asking import admitted

        return admitted(request)

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

    def __enter__(self: ClientT) -> ClientT:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
