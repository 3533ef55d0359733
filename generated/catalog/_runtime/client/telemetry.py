# Copied by mcp-bindgen. Do not edit.
"""Reports calls to errors, to logs and, if it is installed, to OpenTelemetry."""

from __future__ import annotations

import time
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from ..errors import McpError, ProtocolError, printable
from ..protocol.span_facts import FACTS, REQUEST_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from contextlib import AbstractContextManager
    from logging import Logger

_NAME = __name__.partition("._runtime")[0]
# Providers of the interface itself record nothing.
_INTERFACE = ("opentelemetry.trace", "opentelemetry.metrics")


def observed(
    server: str,
    peer: Callable[[], tuple[str, str | None] | None],
    method: str,
    tool: str | None,
    hide: Callable[[str], str] | None = None,
) -> AbstractContextManager[None]:
    """Note a call: how long it took, how it ended; complete the error that it raises.

    Names follow OpenTelemetry's semantic conventions for MCP.

    Args:
        server: The server's name in errors.
        peer: Gives the server and its protocol version after the call, if known.
        method: JSON-RPC method.
        tool: Wire name of the tool that is called, if one is.
        hide: Takes our tokens out of a text of the server.
    """
    noted, open_telemetry = _Noted(server, method, tool, hide), _open_telemetry()
    if open_telemetry is None or not _records(open_telemetry):
        return noted
    return _traced(noted, peer, open_telemetry)


class _Noted:
    """Logs how a call ends, and completes its error; made for speed."""

    __slots__ = ("error", "hide", "method", "server", "tool")

    def __init__(
        self,
        server: str,
        method: str,
        tool: str | None,
        hide: Callable[[str], str] | None,
    ) -> None:
        self.hide = hide
        self.server = server
        self.method = method
        self.tool = tool
        self.error: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: object, error: BaseException | None, _traceback: object
    ) -> None:
        self.error = error
        if isinstance(error, McpError):
            if error.server is None:  # else it is of another client, from a callback
                error.tool = error.tool if self.tool is None else self.tool
                error.server = self.server
            if self.hide is not None:
                error.message = self.hide(error.message)
                error.hint = self.hide(error.hint)
            self._log(type(error).__name__)
        elif error is None:
            self._log("done")

    def _log(self, outcome: str) -> None:
        logger = _logger()
        if logger.isEnabledFor(10):  # DEBUG; else the text would cost each call
            logger.debug("%s %s: %s", self.method, printable(self.tool or ""), outcome)


@contextmanager
def _traced(
    noted: _Noted,
    peer: Callable[[], tuple[str, str | None] | None],
    open_telemetry: _OpenTelemetry,
) -> Generator[None]:
    method, tool, trace = noted.method, noted.tool, open_telemetry.trace
    facts: dict[str, Any] = {"mcp.method.name": method}
    if tool is not None:
        facts |= {"gen_ai.tool.name": tool, "gen_ai.operation.name": "execute_tool"}
    start, token = time.monotonic(), FACTS.set(facts)
    with open_telemetry.tracer.start_as_current_span(
        method if tool is None else f"{method} {tool}",
        kind=trace.SpanKind.CLIENT,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            with noted:
                yield
        finally:
            FACTS.reset(token)
            if noted.error is not None:
                facts |= _faults(noted.error)
            if "error.type" in facts:
                span.set_status(trace.StatusCode.ERROR)
            if (known := peer()) is not None:
                facts |= _server_facts(*known)
            span.set_attributes(facts)
            facts.pop(REQUEST_ID, None)  # each has its own, which no metric can sum up
            open_telemetry.histogram.record(time.monotonic() - start, facts)


@cache
def _logger() -> Logger:
    from logging import getLogger  # some programs only import

    return getLogger(_NAME)


def _faults(error: BaseException) -> dict[str, str]:
    """Return the attributes of a failed call."""
    if isinstance(error, ProtocolError):
        code = str(error.code)
        return {"error.type": code, "rpc.response.status_code": code}
    kind = type(error)
    if isinstance(error, McpError):
        from ..results import ToolError

        is_tools = isinstance(error, ToolError)
        return {"error.type": "tool_error" if is_tools else kind.__name__}
    full_name = f"{kind.__module__}.{kind.__qualname__}"
    return {"error.type": full_name.removeprefix("asyncio.exceptions.")}


def _server_facts(server: str, version: str | None) -> dict[str, Any]:
    """Return the attributes of a server for OpenTelemetry.

    Args:
        server: Scheme and host, or the name of a program.
        version: The protocol version, once it is negotiated.
    """
    facts: dict[str, Any] = {"mcp.protocol.version": version} if version else {}
    return facts | _address(server)


@lru_cache(maxsize=64)
def _address(server: str) -> dict[str, Any]:
    """Return the attributes of an address; callers must not change them."""
    url = urlsplit(server)
    if not url.netloc:
        return {"network.transport": "pipe"}
    port = {"server.port": url.port} if url.port else {}
    address = {"server.address": url.hostname or "", **port}
    return {"network.transport": "tcp", **address}


def trace_context() -> dict[str, str]:
    """Return the `_meta` members that let the server's spans join ours (SEP-414)."""
    open_telemetry = _open_telemetry()
    if open_telemetry is None:
        return {}
    carrier: dict[str, str] = {}
    open_telemetry.propagate.inject(carrier)
    return carrier


def span_ids() -> dict[str, str]:
    """Return the ids of the trace and the span of the moment; {} without any."""
    open_telemetry = _open_telemetry()
    if open_telemetry is None:
        return {}
    span = open_telemetry.trace.get_current_span()
    context = span.get_span_context()
    if not context.is_valid:
        return {}
    return {
        "trace_id": f"{context.trace_id:032x}",
        "span_id": f"{context.span_id:016x}",
    }


class _OpenTelemetry(NamedTuple):
    """The modules of OpenTelemetry's interface, and our tracer and histogram."""

    trace: Any
    metrics: Any
    propagate: Any
    tracer: Any
    histogram: Any


def _records(open_telemetry: _OpenTelemetry) -> bool:
    """Return whether the program has set OpenTelemetry up.

    Many programs have its interface through another library only: then spans go
    nowhere, and would cost each call more than its arguments do.
    """
    trace, metrics, *_ = open_telemetry
    providers = trace.get_tracer_provider(), metrics.get_meter_provider()
    return not all(type(each).__module__.startswith(_INTERFACE) for each in providers)


@cache
def _open_telemetry() -> _OpenTelemetry | None:
    try:
        trace = import_module("opentelemetry.trace")
        metrics = import_module("opentelemetry.metrics")
        propagate = import_module("opentelemetry.propagate")
    except ImportError:
        return None
    histogram = metrics.get_meter(_NAME).create_histogram(
        "mcp.client.operation.duration", unit="s"
    )
    tracer = trace.get_tracer(_NAME)
    return _OpenTelemetry(trace, metrics, propagate, tracer, histogram)
