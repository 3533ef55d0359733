"""Where a package's server is, as the environment says."""

from __future__ import annotations

import json
import os
import re
import shlex
from typing import Any

from ..errors import ConfigError

__all__ = ["from_environment"]


def from_environment(package: str) -> dict[str, Any]:
    """Return what `http` takes, a URL and a token, or what `stdio` takes, a command.

    Raises:
        ConfigError: If neither, or both, of URL and COMMAND are set.
    """
    prefix = re.sub(r"\W", "_", package).upper() + "_MCP_"
    url, command = (os.environ.get(prefix + name) for name in ("URL", "COMMAND"))
    if url and not command:
        return {"url": url, "token": os.environ.get(prefix + "TOKEN")}
    if command and not url:
        return {"command": _words(command)}
    raise ConfigError(
        f"set {prefix}URL (and {prefix}TOKEN) or {prefix}COMMAND, one of the two"
    )


def _words(command: str) -> list[Any]:
    """Return a command's words: from a JSON list, or as a shell would split them."""
    try:
        words = json.loads(command) if command.startswith("[") else shlex.split(command)
    except ValueError:
        words = []
    if not words or not all(isinstance(word, str) for word in words):
        raise ConfigError("the command is neither a JSON list nor a command line")
    return words
