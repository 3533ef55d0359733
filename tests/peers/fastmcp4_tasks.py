"""Tools that FastMCP 4 runs as tasks; it runs in an environment of its own.

Arguments: `stdio`, or a port.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from importlib import import_module
from typing import Any

fastmcp: Any = import_module("fastmcp")
types: Any = import_module("mcp_types")
config: Any = import_module("fastmcp.utilities.tasks").TaskConfig

server: Any = fastmcp.FastMCP("tasked")
server.add_extension(import_module("fastmcp_tasks").TasksExtension())
soon = timedelta(milliseconds=50)
required = config(mode="required", poll_interval=soon)
WHO = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}


async def report(year: int) -> list[int]:
    """Say how it goes on, and return the result."""
    progress = import_module("fastmcp.dependencies").Progress()
    async with progress as current:
        for number in range(3):
            await current.set_message(f"part {number}")
            await asyncio.sleep(0.3)
    return [year, year + 1]


async def broken() -> str:
    """Fail."""
    raise ValueError("it broke")


async def forever() -> str:
    """End only when it is cancelled."""
    await asyncio.sleep(3600)
    return ""


async def greet(context: Any) -> Any:
    """Ask for a name while the task runs."""
    if (answers := context.input_responses) is not None:
        return f"Hello {answers['who'].content['name']}"
    params = types.ElicitRequestFormParams(message="who?", requested_schema=WHO)
    question = types.ElicitRequest(params=params)
    return types.InputRequiredResult(input_requests={"who": question})


greet.__annotations__["context"] = fastmcp.Context


async def maybe(number: int) -> int:
    """Return the double."""
    return number * 2


for tool in (report, broken, forever, greet):
    server.tool(tool, task=required)
server.tool(maybe, task=config(mode="optional", poll_interval=soon))

if sys.argv[1] == "stdio":
    server.run("stdio", show_banner=False)
else:
    server.run("http", port=int(sys.argv[1]), show_banner=False, log_level="ERROR")
