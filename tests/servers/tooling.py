"""Turn a list of tools into the two handlers that a low-level MCP server needs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

__all__ = ["BoundTool", "failed", "handlers", "structured", "text"]

Context = ServerRequestContext[Any]


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool as clients see it, with the function that runs it."""

    definition: Tool
    run: Callable[[dict[str, Any]], Awaitable[CallToolResult]]


def text(value: object) -> CallToolResult:
    """Return a result whose only content is the value as JSON text."""
    encoded = json.dumps(value, ensure_ascii=False)
    return CallToolResult(content=[TextContent(text=encoded)])


def structured(value: Mapping[str, object]) -> CallToolResult:
    """Return a structured result, mirrored as text for clients that read only text."""
    return text(value).model_copy(update={"structured_content": dict(value)})


def failed(message: str) -> CallToolResult:
    """Return a tool error: the model may read it and try again."""
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def handlers(
    tools: Sequence[BoundTool],
    unknown: Callable[[str], CallToolResult] | None = None,
) -> tuple[
    Callable[[Context, PaginatedRequestParams | None], Awaitable[ListToolsResult]],
    Callable[[Context, CallToolRequestParams], Awaitable[CallToolResult]],
]:
    """Return the handlers of `tools/list` and `tools/call`.

    Args:
        tools: The tools.
        unknown: The result of a call of no tool; by default it is a protocol error.
    """
    by_name = {tool.definition.name: tool for tool in tools}

    async def list_tools(
        _context: Context, _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[tool.definition for tool in tools])

    async def call_tool(
        _context: Context, params: CallToolRequestParams
    ) -> CallToolResult:
        tool = by_name.get(params.name)
        if tool is None and unknown is not None:
            return unknown(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        return await tool.run(params.arguments or {})

    return list_tools, call_tool
