"""Tells errors, logs and, where it is installed, OpenTelemetry which call they see."""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import McpError, ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_NAME = __name__.partition("._runtime")[0]


@contextmanager
def observed(
    server: str, more: Callable[[], dict[str, str]], method: str, tool: str | None
) -> Generator[None]:
    """Note a call: how long it took, how it ended; complete the error that it raises.

    Names follow OpenTelemetry's semantic conventions for MCP.

    Args:
        server: The server's name in errors.
        more: Gives the server's attributes for OpenTelemetry, after the call.
        method: JSON-RPC method.
        tool: Wire name of the tool that is called, if one is.
    """
    facts: dict[str, Any] = {"mcp.method.name": method}
    if tool is not None:
        facts |= {"gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool"}
    open_telemetry, start = _open_telemetry(), time.monotonic()
    if open_telemetry is None:
        yield from _completed(server, method, tool, facts)
        return
    trace, tracer, histogram, _ = open_telemetry
    with tracer.start_as_current_span(
        method if tool is None else f"{method} {tool}",
        kind=trace.SpanKind.CLIENT,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield from _completed(server, method, tool, facts)
        finally:
            if "error.type" in facts:
                span.set_status(trace.StatusCode.ERROR)
            facts |= more()
            span.set_attributes(facts)
            histogram.record(time.monotonic() - start, facts)


def _completed(
    server: str, method: str, tool: str | None, facts: dict[str, Any]
) -> Generator[None]:
    try:
        yield
    except McpError as error:
        if error.server is None:  # else it is of another client, from a callback
            error.tool = error.tool if tool is None else tool
            error.server = server
        facts["error.type"] = _kind(error, facts)
        _log("%s %s: %s", method, tool or "", type(error).__name__)
        raise
    except BaseException as error:
        kind = type(error)
        full_name = f"{kind.__module__}.{kind.__qualname__}"
        facts["error.type"] = full_name.removeprefix("asyncio.exceptions.")
        raise
    _log("%s %s: done", method, tool or "")


def _log(text: str, *values: str) -> None:
    import logging  # some programs only import

    logging.getLogger(_NAME).debug(text, *values)


def _kind(error: McpError, facts: dict[str, Any]) -> str:
    from ..results import ToolError

    if isinstance(error, ToolError):
        return "tool_error"
    if isinstance(error, ProtocolError):
        facts["rpc.response.status_code"] = str(error.code)
        return str(error.code)
    return type(error).__name__


def server_facts(server: str, version: str | None) -> dict[str, str]:
    """Return the attributes of a server for OpenTelemetry.

    Args:
        server: Scheme and host, or the name of a program.
        version: The protocol version, once it is negotiated.
    """
    facts = {"mcp.protocol.version": version} if version else {}
    _, _, address = server.partition("://")
    if not address:
        return {**facts, "network.transport": "pipe"}
    return {**facts, "network.transport": "tcp", "server.address": address}


def trace_context() -> dict[str, str]:
    """Return the `_meta` members that let the server's spans join ours (SEP-414)."""
    open_telemetry, carrier = _open_telemetry(), dict[str, str]()
    if open_telemetry is not None:
        open_telemetry[3].inject(carrier)
    return carrier


def span_ids() -> dict[str, str]:
    """Return the ids of the trace and the span of the moment; {} without any."""
    open_telemetry = _open_telemetry()
    if open_telemetry is None:
        return {}
    context = open_telemetry[0].get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {
        "trace_id": f"{context.trace_id:032x}",
        "span_id": f"{context.span_id:016x}",
    }


@cache
def _open_telemetry() -> tuple[Any, Any, Any, Any] | None:
    try:
        trace = import_module("opentelemetry.trace")
        metrics = import_module("opentelemetry.metrics")
        propagate = import_module("opentelemetry.propagate")
    except ImportError:
        return None
    histogram = metrics.get_meter(_NAME).create_histogram(
        "mcp.client.operation.duration", unit="s"
    )
    return trace, trace.get_tracer(_NAME), histogram, propagate
