# Copied by mcp-bindgen. Do not edit.
"""The transports that a program may bring instead of HTTP and stdio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..results import ToolResult

__all__ = ["AsyncTransport", "Transport"]


class Transport(Protocol):
    """Anything that calls tools: a fake in a test, a proxy, a cache."""

    def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolResult:
        """Call a tool by its wire name."""
        ...

    def close(self) -> None:
        """Close connections, files and programs."""
        ...


class AsyncTransport(Protocol):
    """Anything that calls tools in tasks, for an `AsyncClient`."""

    async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> ToolResult:
        """Call a tool by its wire name."""
        ...

    async def close(self) -> None:
        """Close connections, files and programs."""
        ...
