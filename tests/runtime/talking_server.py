"""A server of the official SDK that reports, logs and asks while its tools run.

Arguments: `stdio`, or a port.
"""

from __future__ import annotations

import sys
from typing import Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

server = MCPServer("talking")


class Name(BaseModel):
    """What the form wants."""

    name: str


@server.tool()
async def count(number: int, ctx: Context[Any]) -> int:
    """Report each step, log it, and return the number."""
    context: Any = ctx  # its logs are deprecated since 2026-07-28, and still sent
    for step in range(number):
        await ctx.report_progress(step + 1, number, f"step {step + 1}")
        await context.info(f"log {step + 1}")
    return number


@server.tool()
async def wait(ctx: Context[Any]) -> str:
    """Report, and end only when the call is cancelled."""
    await ctx.report_progress(1, None, "waiting")
    await anyio.sleep_forever()
    return ""


@server.tool()
async def greet(ctx: Context[Any]) -> str:
    """Ask for a name."""
    answer = await ctx.elicit("who?", Name)
    return f"{answer.action} {getattr(getattr(answer, 'data', None), 'name', '')}"


@server.tool()
async def page(ctx: Context[Any]) -> str:
    """Lead a person to a page."""
    answer = await ctx.elicit_url("pay", "https://pay.example/1?key=a", "page-1")
    return answer.action


if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
