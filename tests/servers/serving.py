"""Serve an MCP server over stdio or Streamable HTTP, as its command line asks."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import uvicorn
from mcp.server.auth.settings import AuthSettings
from mcp.server.sse import SseServerTransport
from mcp.server.stdio import stdio_server
from pydantic import AnyHttpUrl
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route

if TYPE_CHECKING:
    from mcp.server.auth.provider import TokenVerifier
    from mcp.server.lowlevel import Server
    from starlette.types import Receive, Scope, Send

__all__ = ["main"]

HOST = "127.0.0.1"


class AnnouncingServer(uvicorn.Server):
    """Uvicorn, which says on stdout where it listens once it does.

    Attributes:
        sse: Whether it serves the transport of 2024-11-05.
    """

    sse = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then print the line that `launch.serve_http` waits for."""
        await super().startup(sockets)
        if sockets is not None:
            port = sockets[0].getsockname()[1]
            path = "sse" if self.sse else "mcp"
            sys.stdout.write(f"listening on http://{HOST}:{port}/{path}\n")
            sys.stdout.flush()


def main(server: Server[Any], verifier: TokenVerifier | None = None) -> None:
    """Serve until stdin ends (stdio) or a signal comes (both).

    Args:
        server: The server.
        verifier: Decides about bearer tokens; None asks for none. HTTP only.
    """
    options = _parser(server.name).parse_args()
    # Stdin is read in a thread that cannot be interrupted, so stdio leaves at once.
    # Uvicorn raises a signal again after its clean end: it is then no failure.
    leave = _leave_at_once if options.transport == "stdio" else _leave
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    if options.transport == "stdio":
        anyio.run(_serve_stdio, server)
    else:
        app = _sse_app(server) if options.sse else _app(server, options, verifier)
        _serve_http(app, options.port, sse=options.sse)


def _leave_at_once(_number: int, _frame: object) -> NoReturn:
    os._exit(0)


def _leave(_number: int, _frame: object) -> NoReturn:
    sys.exit(0)


def _parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=f"Start the {name} example server.")
    transports = parser.add_subparsers(dest="transport", required=True)
    transports.add_parser("stdio", help="serve on stdin and stdout")
    http = transports.add_parser("http", help=f"serve Streamable HTTP on {HOST}")
    http.add_argument("--port", type=int, default=0, help="0, the default: a free one")
    http.add_argument("--stateless", action="store_true", help="hand out no session")
    http.add_argument("--json", action="store_true", help="answer JSON, not SSE")
    http.add_argument(
        "--sse", action="store_true", help="serve HTTP+SSE, of 2024-11-05"
    )
    return parser


def _app(
    server: Server[Any], options: argparse.Namespace, verifier: TokenVerifier | None
) -> Starlette:
    # The SDK wants an issuer; without a resource URL it never shows it to a client.
    settings = AuthSettings(
        issuer_url=AnyHttpUrl(f"http://{HOST}"), resource_server_url=None
    )
    return server.streamable_http_app(
        host=HOST,
        json_response=options.json,
        stateless_http=options.stateless,
        auth=settings if verifier else None,
        token_verifier=verifier,
    )


class _EventStream:
    """The GET of the transport of 2024-11-05, as an ASGI application."""

    def __init__(self, server: Server[Any], transport: SseServerTransport) -> None:
        self._server, self._transport = server, transport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connected = self._transport.connect_sse(scope, receive, send)
        async with connected as (reading, writing):
            options = self._server.create_initialization_options()
            await self._server.run(reading, writing, options)
        await Response()(scope, receive, send)


def _sse_app(server: Server[Any]) -> Starlette:
    """Return the server over HTTP with server-sent events; it asks for no token."""
    transport = SseServerTransport("/messages/")
    messages = Mount("/messages/", app=transport.handle_post_message)
    stream = Route("/sse", _EventStream(server, transport), methods=["GET"])
    return Starlette(routes=[stream, messages])


def _serve_http(app: Starlette, port: int, *, sse: bool) -> None:
    try:
        # asyncio turns Nagle's delay off only where the protocol is named.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(100)
    except OSError as fault:
        sys.exit(f"cannot listen on {HOST}:{port}: {fault.strerror}")
    with listener:
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        announcing = AnnouncingServer(config)
        announcing.sse = sse
        announcing.run(sockets=[listener])


async def _serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        options = server.create_initialization_options()
        await server.run(reading, writing, options)
