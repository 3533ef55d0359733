"""An echo server on the official Python SDK 1.x; it runs in an environment of its own.

Arguments: `stdio`, or a port and then `stateless` and `json` where wanted.
"""

import sys
from importlib import import_module
from typing import Any


def echo(message: str) -> str:
    """Say it again."""
    return f"Echo: {message}"


way, *more = sys.argv[1:]
server: Any = import_module("mcp.server.fastmcp").FastMCP(
    "sdk1",
    port=0 if way == "stdio" else int(way),
    stateless_http="stateless" in more,
    json_response="json" in more,
    log_level="ERROR",
)
server.tool()(echo)
server.run("stdio" if way == "stdio" else "streamable-http")
