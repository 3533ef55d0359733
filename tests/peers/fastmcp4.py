"""An echo server on FastMCP 4; it runs in an environment of its own.

Arguments: `stdio`, or a port and then `stateless` and `json` where wanted.
"""

import sys
from importlib import import_module
from typing import Any


def echo(message: str) -> str:
    """Say it again."""
    return f"Echo: {message}"


way, *more = sys.argv[1:]
server: Any = import_module("fastmcp").FastMCP("fastmcp4")
server.tool(echo)
if way == "stdio":
    server.run("stdio", show_banner=False)
else:
    server.run(
        "http",
        port=int(way),
        stateless_http="stateless" in more,
        json_response="json" in more,
        show_banner=False,
        log_level="ERROR",
    )
