# Copied by mcp-bindgen. Do not edit.
"""Reads the address of a package's server from environment variables."""

from __future__ import annotations

import json
import os
import re
import shlex
from typing import Any

from ..errors import ConfigError

__all__ = ["from_environment", "variable_prefix"]

_LONGEST = 300


def variable_prefix(package: str) -> str:
    """Return how the variables of a package begin: "CATALOG_MCP_" for "catalog".

    Args:
        package: Name of the package, without the packages around it.
    """
    return re.sub(r"\W", "_", package).upper() + "_MCP_"


def from_environment(package: str) -> dict[str, Any]:
    """Return the arguments of `Client.http` or of `Client.stdio`.

    Example: `from_environment("catalog")` reads CATALOG_MCP_URL and CATALOG_MCP_TOKEN,
    or CATALOG_MCP_COMMAND.

    Args:
        package: Name of the package.

    Raises:
        ConfigError: Neither URL nor COMMAND is set, or both are; or TIMEOUT is no
            number of seconds from 1 to 300.
    """
    prefix = variable_prefix(package)
    url, command = (os.environ.get(prefix + name) for name in ("URL", "COMMAND"))
    more = _timeout(f"{prefix}TIMEOUT")
    if url and not command:
        return {"url": url, "token": os.environ.get(prefix + "TOKEN"), **more}
    if command and not url:
        return {"command": _words(command), **more}
    number = "both" if url else "neither"
    raise ConfigError(
        f"expected one of {prefix}URL and {prefix}COMMAND, got {number}",
        hint=f"set {prefix}URL (and {prefix}TOKEN), or {prefix}COMMAND",
    )


def _timeout(variable: str) -> dict[str, float]:
    """Return the time for a call, {} where the variable is not set."""
    text = os.environ.get(variable)
    if not text:
        return {}
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if 1 <= seconds <= _LONGEST:
        return {"timeout": seconds}
    raise ConfigError(
        f"{variable}: expected a number of seconds from 1 to {_LONGEST}",
        hint=f"run `export {variable}=30`",
    )


def _words(command: str) -> list[Any]:
    """Return the words of a command: a JSON list, or a line as for a shell."""
    try:
        words = json.loads(command) if command.startswith("[") else shlex.split(command)
    except ValueError:
        words = []
    if not words or not all(isinstance(word, str) for word in words):
        raise ConfigError(
            "expected a command as a JSON list of texts, or as a line for a shell",
            hint='write \'["npx", "server"]\' or "npx server"',
        )
    return words
