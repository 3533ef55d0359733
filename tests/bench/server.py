"""The server that calls are measured against: the official SDK, stateless, one echo.

python -m tests.bench.server json|sse|tls|stdio [CERTIFICATE]: the way it answers.
"""

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


def main() -> None:
    """Serve until the process is ended; print the URL first."""
    way, *certificate = sys.argv[1:]
    if way == "stdio":
        server.run("stdio")
        return
    # With the protocol named, asyncio turns Nagle's algorithm off; without, each answer
    # waits 40 ms for the client's delayed ACK.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    scheme = "https" if certificate else "http"
    sys.stdout.write(f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/mcp\n")
    sys.stdout.flush()
    app = server.streamable_http_app(stateless_http=True, json_response=way != "sse")
    file = certificate[0] if certificate else None
    config = uvicorn.Config(app, log_level="error", log_config=None, ssl_certfile=file)
    uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main()
