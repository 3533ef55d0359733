"""The server that calls are measured against: the official SDK, stateless, one echo."""

from __future__ import annotations

import socket
import sys

import uvicorn
from mcp.server.mcpserver import MCPServer

server = MCPServer("bench")


@server.tool()
async def echo(message: str) -> str:
    """Say it again."""
    return message


if __name__ == "__main__":
    # With the protocol named, asyncio turns Nagle's algorithm off; without, each answer
    # waits 40 ms for the client's delayed ACK.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(512)
    sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp\n")
    sys.stdout.flush()
    app = server.streamable_http_app(stateless_http=True, json_response=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error", log_config=None)).run(
        [listener]
    )
