# Copied by mcp-bindgen. Do not edit.
"""Makes the channel of a new client: over HTTP, or to a program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import ConfigError
from ..protocol.session import Session
from .channel import Channel

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from ..protocol.request import SessionSettings
    from ..transport.command import Command
    from ..transport.connections import httpx

__all__ = ["HttpAddress", "http_channel", "stdio_channel"]


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """The address of a server, and the options of its HTTP; see `Client.http`."""

    url: str
    headers: Mapping[str, str] | None = field(repr=False)
    token: str | Callable[[], str | Awaitable[str]] | None = field(repr=False)
    auth: httpx.Auth | None = field(repr=False)
    http: Any = field(repr=False)
    allow_http: bool
    max_connections: int


def http_channel(
    address: HttpAddress, settings: SessionSettings, *, blocking: bool
) -> Channel[Any]:
    """Return a channel over HTTP; nothing is sent yet.

    Args:
        address: The server.
        settings: Those of the session.
        blocking: Whether threads use it, or tasks.

    Raises:
        ConfigError: The URL, a header, a proxy of the environment or the number of
            connections is unusable.
    """
    from ..protocol.streamable_http import StreamableHttp
    from ..transport.connections import HttpOptions, check_url
    from ..transport.http_io import HttpDriver
    from ..transport.http_tasks import AsyncHttpDriver

    most = address.max_connections
    if most < 1:
        raise ConfigError(
            f"max_connections: expected 1 or more, got {most}",
            hint="write max_connections=100",
        )
    url, server = check_url(address.url, allow_http=address.allow_http)
    wire = StreamableHttp(url, address.headers or {}, address.token)
    options: HttpOptions[Any] = HttpOptions(url, address.auth, address.http, most)
    driver = HttpDriver(options) if blocking else AsyncHttpDriver(options)
    hide = getattr(address.auth, "hide", None)
    return Channel(Session(wire, settings), driver, server, (url,), hide)


def stdio_channel(
    command: Command, settings: SessionSettings, *, blocking: bool
) -> Channel[Any]:
    """Return a channel to a program, which is not started yet.

    Args:
        command: The program.
        settings: Those of the session.
        blocking: Whether threads use it, or tasks.
    """
    from ..protocol.stdio import StdioWire
    from ..transport.stdio_io import StdioDriver
    from ..transport.stdio_tasks import AsyncStdioDriver

    driver = StdioDriver(command) if blocking else AsyncStdioDriver(command)
    return Channel(Session(StdioWire(), settings), driver, command.name, command.words)
