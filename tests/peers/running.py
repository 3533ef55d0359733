"""Runs the servers of others, and generates the package of one of them."""

from __future__ import annotations

import importlib
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.suite import NODE
from tests.peers.install import everything, python

if TYPE_CHECKING:
    from collections.abc import Generator

HERE = Path(__file__).parent
SCRIPTS = {
    "fastmcp": ("fastmcp4.py", "fastmcp"),
    "library": ("fastmcp_library.py", "fastmcp"),
    "sdk1": ("sdk1.py", "sdk1"),
    "tasks": ("fastmcp4_tasks.py", "fastmcp"),
}


def command(peer: str) -> list[str]:
    """Return what to run, without how to serve; skip what is not installed."""
    if peer == "everything":
        words = [str(NODE), str(everything())]
    else:
        script, interpreter = SCRIPTS[peer]
        words = [str(python(interpreter)), str(HERE / script)]
    if not all(Path(word).exists() for word in words):
        pytest.skip(f"{peer} is not installed: run scripts/peers")
    return words


@contextmanager
def serving(peer: str, *more: str) -> Generator[str]:
    """Run a peer over HTTP, and give its URL."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = command(peer)
    words += ["streamableHttp"] if peer == "everything" else [str(port), *more]
    env = {**os.environ, "PORT": str(port)}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, env=env, stdout=quiet, stderr=quiet) as process:
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert process.poll() is None, "the peer does not start"
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


@contextmanager
def generated(folder: Path, name: str, *record: str) -> Generator[Any]:
    """Record a server, generate a package in a folder, and import it.

    Args:
        folder: An empty folder.
        name: The name of the package.
        record: The arguments of `record`, without the file; none if it is there.
    """
    bindgen, file = [sys.executable, "-m", "mcp_bindgen"], f"{name}.json"
    if record:
        words = [*bindgen, "record", "-o", file, *record]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
    words = [*bindgen, "generate", file, "-o", "."]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))
        for module in [each for each in sys.modules if each.split(".")[0] == name]:
            del sys.modules[module]
