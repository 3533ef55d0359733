"""Tells whether a URL or a program is that of a server of the settings."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from mcp_bindgen.errors import BindgenError
from mcp_bindgen.recording.secrets import command_words, expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.recording.source import Source

__all__ = ["same_as"]

_OWN = ("127.0.0.1", "::1")  # this machine
_PORTS = {"http": 80, "https": 443}


def same_as(source: Source, servers: Iterable[Server]) -> list[Server]:
    """Return the servers that a URL or a program is for, in any spelling.

    In doubt it is: a policy too many denies calls with a message, and one too few
    denies nothing. A query, which may be a token, only tells such servers apart.

    Args:
        source: The URL or the program, as the user typed it.
        servers: Servers of the settings.
    """
    same = [server for server in servers if _is_same(source, server)]
    query = source.url.partition("?")[2]
    return [one for one in same if one.url.partition("?")[2] == query] or same


def _is_same(source: Source, server: Server) -> bool:
    if source.url:
        return bool(server.url) and _address(source.url) == _address(server.url)
    if not source.command or not server.command:
        return False
    if (*source.command,) == server.command:
        return True
    theirs = _program(server.command, server.cwd or Path.cwd())
    return _program(source.command, Path.cwd()) == theirs


def _address(url: str) -> tuple[object, ...]:
    """Return host, port and path of a URL."""
    with suppress(BindgenError):  # A variable is not set: its name counts.
        url = expand(url, os.environ, "url").text
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return (url,)
    host = (parts.hostname or "").rstrip(".")
    host = "localhost" if host in _OWN else host
    return parts.scheme, host, port, unquote(parts.path).rstrip("/")


def _program(command: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return the words of a program, its files with their whole paths."""
    words = [*command]
    with suppress(BindgenError):
        words = [word.text for word in command_words(command, os.environ)]
    program = shutil.which(words[0]) or words[0]
    return tuple(_whole(word, folder) for word in (program, *words[1:]))


def _whole(word: str, folder: Path) -> str:
    try:
        path = folder / word
        return str(path.resolve()) if path.exists() else word
    except (OSError, ValueError):  # too long for a path
        return word
