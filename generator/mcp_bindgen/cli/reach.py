"""The servers that a command reaches: of the settings, a URL, or a command."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.cli import config, screen, settings_file
from mcp_bindgen.cli.jobs import servers_of
from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.recording.source import LiveServer, Source

__all__ = [
    "SECONDS",
    "is_url",
    "reached",
    "refuse_name",
    "server_or_file",
    "servers",
    "source_of",
]

SECONDS = 60.0
"""The time for one server where neither an option nor the settings say another."""


def is_url(text: str) -> bool:
    """Return whether a word is a URL rather than a name or a command."""
    return text.startswith(("http://", "https://"))


def servers(names: Sequence[str] = ()) -> list[Server]:
    """Return the servers of the settings, or those of these names, each once.

    Raises:
        BindgenError: There are no settings, or no server of one of these names.
    """
    listed = [*servers_of(Path.cwd(), names).values()]
    if not listed:
        hint = "add [tool.mcp-bindgen.servers.NAME], or run mcp-bindgen import FILE"
        raise BindgenError(Problem("", "the settings name no server", hint))
    return listed


def refuse_name(command: Sequence[str]) -> None:
    """Refuse a command that is the name of a server of the settings, and no program.

    Raises:
        BindgenError: It is one.
    """
    file = config.find(Path.cwd())
    if len(command) != 1 or file is None or shutil.which(command[0]):
        return
    name = command[0]
    if name in settings_file.servers_in(settings_file.read(file)):
        wrong = f"there is no program {name}; a server of the settings has this name"
        hint = f"run mcp-bindgen record --server {name}"
        raise BindgenError(Problem("", wrong, hint))


def server_or_file(name: str) -> Server:
    """Return the server of a name, or that of the settings with this recording.

    Raises:
        BindgenError: There is none.
    """
    file = Path(name)
    if not file.suffix or not file.is_file():
        (server,) = servers([name])
        return server
    for server in servers():
        if server.recording.absolute() == file.absolute():
            return server
    wrong = f"{file}: expected the name of a server, got a file"
    hint = "the names are those of mcp-bindgen list; add the file to one as recording"
    raise BindgenError(Problem("", wrong, hint))


def source_of(server: Server) -> Source:
    """Return the way to a server of the settings."""
    from mcp_bindgen.recording.source import Source

    return Source(
        server.url,
        server.headers,
        server.command,
        server.env,
        server.cwd,
        server.oauth,
        server.key,
    )


def reached(source: Source, environment: Mapping[str, str] = os.environ) -> LiveServer:
    """Return a server with the values of its variables, which are masked from now on.

    Args:
        source: The server.
        environment: The variables for `${NAME}`.

    Raises:
        BindgenError: A variable is not set, or a header is malformed.
    """
    live = source.expand(environment)
    screen.hide(live.secrets)
    return live
