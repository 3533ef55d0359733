"""Talk to an example server with the official SDK's client, for tests."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from pathlib import Path

__all__ = ["connect_http", "connect_stdio", "failure", "said", "value"]


@asynccontextmanager
async def connect_http(
    url: str, *, token: str | None = None, mode: str = "auto"
) -> AsyncGenerator[Client]:
    """Connect over HTTP; `mode` is the SDK's: auto, legacy or a protocol version."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers))
        transport = streamable_http_client(url, http_client=http)
        yield await stack.enter_async_context(Client(transport, mode=mode))


@asynccontextmanager
async def connect_stdio(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    mode: str = "auto",
) -> AsyncGenerator[Client]:
    """Start the command and connect to its stdin and stdout."""
    process = StdioServerParameters(
        command=command[0], args=list(command[1:]), env=dict(env or {}), cwd=cwd
    )
    async with Client(process, mode=mode) as client:
        yield client


def said(result: CallToolResult) -> str:
    """Return the only text of a result that is no error."""
    assert not result.is_error, result.content
    return _text(result)


def value(result: CallToolResult) -> Any:
    """Return the structured content of a result that is no error."""
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


def failure(result: CallToolResult) -> str:
    """Return the text of a tool error."""
    assert result.is_error, result.content
    assert result.structured_content is None
    return _text(result)


def _text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text
