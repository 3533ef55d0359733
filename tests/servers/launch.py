"""Start the example servers for tests and the demo, and always end them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

__all__ = [
    "CATALOG_TOKEN",
    "ServerName",
    "lasting_port",
    "plain_start",
    "python_program",
    "serve_http",
    "start_quickly",
    "stdio_command",
]

ServerName = Literal["catalog", "todo"]

CATALOG_TOKEN = "catalog-demo-token"
"""The bearer token that the catalog server takes where CATALOG_TOKEN is not set."""

START_LIMIT = 60.0
STOP_LIMIT = 10.0
FOLDER = Path(__file__).resolve().parent
_STARTER = [sys.executable]


def start_quickly(folder: str, owner: str) -> None:
    """Start all further servers of this process through `quick.py`, where that works.

    Args:
        folder: A folder that all processes of a test run share.
        owner: The number of the process that the run ends with.
    """
    # The system takes no socket with a longer path.
    if hasattr(os, "pidfd_open") and len(folder) < 90:
        quick = str(FOLDER / "quick.py")
        _STARTER[:] = [sys.executable, "-I", "-S", quick, folder, owner]


@contextmanager
def plain_start() -> Generator[None]:
    """Start servers as a user does, where a test is about their processes."""
    quick = [*_STARTER]
    _STARTER[:] = [sys.executable]
    try:
        yield
    finally:
        _STARTER[:] = quick


def python_program(path: Path) -> list[str]:
    """Return the command that runs a server, a file or folder of ours in Python."""
    return [*_STARTER, str(path)]


def stdio_command(name: ServerName) -> list[str]:
    """Return the command that serves on stdin and stdout, from any folder."""
    return [*python_program(FOLDER / name), "stdio"]


@contextmanager
def serve_http(
    name: ServerName,
    *options: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Generator[str]:
    """Serve over HTTP on a free port of this machine.

    Args:
        name: Which server.
        options: "--stateless", "--json".
        env: Environment variables to set on top of the present ones.
        cwd: Folder to run in; the todo server keeps `todo.db` there by default.

    Yields:
        The URL, which accepts connections.

    Raises:
        RuntimeError: If the server does not start; holds what it wrote to stderr.
    """
    command = [*python_program(FOLDER / name), "http", "--port", "0", *options]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, **(env or {})},
            cwd=cwd,
            text=True,
            start_new_session=True,
        )
        try:
            yield _await_url(process, log)
        finally:
            _stop(process)


def _await_url(process: subprocess.Popen[str], log: IO[str]) -> str:
    assert process.stdout is not None
    limit = threading.Timer(START_LIMIT, process.kill)
    limit.start()
    try:
        line = process.stdout.readline()
    finally:
        limit.cancel()
    marker = "listening on "
    if not line.startswith(marker):
        process.kill()
        process.wait()
        log.seek(0)
        raise RuntimeError(f"the server did not start: {line}{log.read()}")
    return line.removeprefix(marker).strip()


def _stop(process: subprocess.Popen[str]) -> None:
    # The group holds the server and any child of it; a dead group is no error.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_LIMIT)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def lasting_port() -> int:
    """Return a free port that nobody gets who asks the system for any port."""
    for port in range(15_000 + os.getpid() % 10_000, 30_000):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")
