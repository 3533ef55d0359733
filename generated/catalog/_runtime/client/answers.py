# Copied by mcp-bindgen. Do not edit.
"""Steps that both clients share: arguments, answers of the server, telemetry.

Imports of a program are quick: most modules are loaded at the first call, once.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager

    from ..errors import McpError
    from ..protocol.request import Request
    from ..results import ToolResult
    from .binding import Binding
    from .drift import Difference
    from .listed import ListedTool
    from .outcome import ToolCallResult

    _Sender: TypeAlias = Callable[[str, dict[str, Any]], dict[str, Any]]
    _Observer: TypeAlias = Callable[..., AbstractContextManager[None]]

__all__ = [
    "accepted",
    "as_sent",
    "differences",
    "listed_tools",
    "observer",
    "outcome",
    "request_type",
    "result",
    "trace_context",
]

R = TypeVar("R")


def as_sent(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments as the server gets them; see `messages.as_sent`."""
    return _sender()(tool, arguments)


def result(raw: Mapping[str, Any]) -> ToolResult:
    """Return the result of a call; see `ToolResult.from_wire`."""
    return _reader()(raw)


@cache
def _sender() -> _Sender:
    from ..protocol.messages import as_sent

    return as_sent


@cache
def _reader() -> Callable[[Mapping[str, Any]], ToolResult]:
    from ..results import ToolResult

    return ToolResult.from_wire


@cache
def request_type() -> type[Request]:
    """Return the class of requests; programs that only import do not load it."""
    from ..protocol.request import Request

    return Request


@cache
def observer() -> _Observer:
    """Return `telemetry.observed`."""
    from .telemetry import observed

    return observed


@cache
def trace_context() -> Callable[[], Mapping[str, str]]:
    """Return `telemetry.trace_context`."""
    from .telemetry import trace_context

    return trace_context


def accepted(binding: Binding[R], answer: ToolResult) -> R:
    """Return a result, typed.

    Args:
        binding: Knows the types of the tool.
        answer: The result of the call.

    Raises:
        ToolError: The tool reports a failure.
        UnexpectedResultError: The result has not the type that the tool promises.
    """
    if answer.is_error:
        from ..results import ToolError

        raise ToolError(binding.tool, answer)
    return binding.parse(answer)


def outcome(tool: str, start: float, answer: ToolResult | McpError) -> ToolCallResult:
    """Return the outcome of a call.

    Args:
        tool: The wire name of the tool.
        start: `time.monotonic()` before the call.
        answer: The result, or the error.
    """
    from .outcome import ToolCallResult

    return ToolCallResult.of(tool, start, answer)


def listed_tools(tools: Iterable[dict[str, Any]]) -> list[ListedTool]:
    """Return tools of `tools/list`, typed."""
    from .listed import ListedTool

    return [ListedTool.from_wire(tool) for tool in tools]


def differences(
    package: str,
    live: list[dict[str, Any]],
    server: Mapping[str, Any],
    instructions: str | None,
) -> list[Difference]:
    """Return how a server and its tools differ from the recorded ones.

    Args:
        package: The name of the generated package.
        live: The tools, as the server lists them now.
        server: The server's own name, version ...
        instructions: The server's words to a model.
    """
    from .verify.tools import package_differences, server_differences

    about = server_differences(package, server, instructions)
    return [*about, *package_differences(package, live)]
