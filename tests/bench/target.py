"""Starts the server that calls are measured against, in one of several ways."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcp import StdioServerParameters

from tests.bench.callers import AT_ONCE
from tests.certificates import self_signed

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["WAYS", "Load", "Target", "serving"]

WAYS = ("json", "sse", "tls", "stdio")
_SERVER = (sys.executable, "-m", "tests.bench.server")
_TRUSTED = "SSL_CERT_FILE"  # all clients read it


@dataclass(frozen=True, slots=True)
class Load:
    """How many calls are made.

    Attributes:
        calls: In each round.
        rounds: How often.
        at_once: Tasks or threads of the second measure.
    """

    calls: int
    rounds: int
    at_once: int = AT_ONCE


@dataclass(frozen=True, slots=True)
class Target:
    """The server: a URL, or a command whose standard input and output it uses."""

    url: str = ""
    command: tuple[str, ...] = ()

    def parameters(self) -> StdioServerParameters | None:
        """Return the command as the official SDK takes it, None for a URL."""
        if not self.command:
            return None
        program, *arguments = self.command
        return StdioServerParameters(command=program, args=arguments, cwd=Path.cwd())


@contextmanager
def serving(way: str = "json") -> Generator[Target]:
    """Run the server, and yield where it is.

    Args:
        way: How it answers: one of `WAYS`.
    """
    if way == "stdio":
        yield Target(command=(*_SERVER, way))
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [*_SERVER, way]
        if way == "tls":
            certificate = str(self_signed(Path(folder)))
            os.environ[_TRUSTED] = certificate
            command.append(certificate)
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=quiet, text=True
        ) as server:
            assert server.stdout is not None
            try:
                yield Target(server.stdout.readline().strip())
            finally:
                server.terminate()
                os.environ.pop(_TRUSTED, None)
