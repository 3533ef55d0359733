# Copied by mcp-bindgen. Do not edit.
"""Pins: one value that identifies a tool as a person reviewed it."""

from __future__ import annotations

import hashlib
import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .entry import Document, Server

__all__ = ["differs", "digest_of", "members_of", "pin_of", "server_matches"]

_MEMBERS = (
    *("name", "title", "description", "inputSchema", "outputSchema"),
    *("annotations", "_meta"),
)
_PORTS = {"http": 80, "https": 443}


def pin_of(tool: Mapping[str, Any], instructions: object, identity: str) -> str:
    """Return the pin of a tool, "sha256:...".

    It covers all texts of the tool for models and people, its schemas, and the server.

    Args:
        tool: The tool as its server lists it.
        instructions: The server's text for models; anything but a text counts as none.
        identity: The URL or the command of the server, "" where it is unknown.
    """
    return digest_of(members_of(tool), instructions, identity)


def digest_of(facts: Mapping[str, Any], instructions: object, identity: str) -> str:
    """Return the pin of facts about a tool, a resource or a prompt, see `pin_of`."""
    whole = {
        "tool": facts,
        "instructions": instructions if isinstance(instructions, str) else None,
        "server": identity,
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def members_of(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a tool that its pin covers."""
    return {key: tool[key] for key in _MEMBERS if tool.get(key) is not None}


def differs(
    document: Document, tools: Iterable[Mapping[str, Any]], instructions: object
) -> frozenset[str]:
    """Return the wire names of reviewed tools that are not as reviewed.

    A tool that the server does not list, or lists twice, is one of them.
    """
    pins: dict[str, str] = {}
    for tool in tools:
        name = str(tool.get("name"))
        twice = name in pins
        pin = pin_of(tool, instructions, document.server.identity)
        pins[name] = "twice" if twice else pin
    return frozenset(
        name
        for name, entry in document.tools.items()
        if entry.reviewed and pins.get(name) != entry.reviewed
    )


def server_matches(
    expected: Server, server: str, identity: tuple[str, ...] = ()
) -> str:
    """Return the reason why a server is not that of a policy, "" if it is, or may be.

    Args:
        expected: The server of the policy.
        server: Scheme and host of the server, or the name of its program.
        identity: Its URL, or the words of its command; () where it is unknown.
    """
    if expected.url and "://" in server and _origin(expected.url) != _origin(server):
        return f"the policy is for {printable(_text(_origin(expected.url)), 200)}"
    if expected.url and "://" not in server:
        return f"the policy is for {printable(_text(_origin(expected.url)), 200)}"
    if expected.command and server != PurePath(expected.command[0]).name:
        return f"the policy is for the program {printable(expected.command[0], 200)}"
    if expected.url and identity and _path(expected.url) != _path(identity[0]):
        return "the policy is for another path of the server"
    if expected.command and identity and expected.command[1:] != identity[1:]:
        return "the policy is for the program with other arguments"
    return ""


def _path(url: str) -> tuple[str, str]:
    """Return path and query of a URL; several servers may share one host."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url, ""
    return parts.path.rstrip("/"), parts.query


def _origin(url: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", url, None
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").lower(), port or _PORTS.get(scheme)


def _text(origin: tuple[str, str, int | None]) -> str:
    scheme, host, port = origin
    return f"{scheme}://{host}" + (f":{port}" if port != _PORTS.get(scheme) else "")
