"""Servers of npm and PyPI, as their authors publish them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import venv
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["Peer", "everything_over_http", "install", "peers"]

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv" / "newcomer"
_NPM = ("everything", "filesystem", "memory")
_PYPI = ("mcp-server-git", "mcp-server-time", "fastmcp>=4.1,<5")
_FASTMCP = '''
from fastmcp import FastMCP

mcp = FastMCP("adder")


@mcp.tool
def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


mcp.run(show_banner=False)
'''


class Peer(NamedTuple):
    """A server, and a typed call of one of its tools.

    Attributes:
        name: Its name in the settings.
        command: The program and its arguments.
        call: The call, as Python.
        words: Words of the result.
    """

    name: str
    command: tuple[str, ...]
    call: str
    words: str


def install() -> None:
    """Install what is not there yet: packages of npm, and an environment of Python."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = [name for name in _NPM if not _program(name).exists()]
    if missing:
        packages = [f"@modelcontextprotocol/server-{name}" for name in missing]
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", *packages]
        subprocess.run(npm, check=True, cwd=FOLDER)
    if not (_bin() / "mcp-server-time").exists():
        venv.create(_bin().parent, with_pip=True)
        pip = [str(_bin() / "python"), "-m", "pip", "install", "-q", *_PYPI]
        subprocess.run(pip, check=True)


def _program(name: str) -> Path:
    package = FOLDER / "node_modules" / "@modelcontextprotocol" / f"server-{name}"
    return package / "dist" / "index.js"


def _bin() -> Path:
    return FOLDER / "python" / "bin"


def peers(folder: Path) -> list[Peer]:
    """Return the servers that are programs.

    Args:
        folder: A folder for their files.
    """
    node = shutil.which("node") or "node"
    adder = folder / "adder.py"
    adder.write_text(_FASTMCP, "utf-8")
    repository = folder / "repository"
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    git = ("--repository", str(repository))
    return [
        Peer(
            "everything",
            (node, str(_program("everything")), "stdio"),
            'client.echo(message="hello")',
            "hello",
        ),
        Peer(
            "files",
            (node, str(_program("filesystem")), str(folder)),
            "client.list_allowed_directories()",
            str(folder),
        ),
        Peer(
            "memory",
            (node, str(_program("memory"))),
            "client.read_graph()",
            "entities",
        ),
        Peer(
            "git",
            (str(_bin() / "mcp-server-git"), *git),
            f"client.git_status(repo_path={str(repository)!r})",
            "status",
        ),
        Peer(
            "clock",
            (str(_bin() / "mcp-server-time"),),
            'client.get_current_time(timezone="Europe/Berlin")',
            "Europe/Berlin",
        ),
        Peer("adder", (str(_bin() / "python"), str(adder)), "client.add(a=2)", "3"),
    ]


@contextmanager
def everything_over_http() -> Generator[str]:
    """Serve server-everything over HTTP, and give its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    node = shutil.which("node") or "node"
    server = subprocess.Popen(
        [node, str(_program("everything")), "streamableHttp"],
        env={**os.environ, "PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.wait()


def _wait(port: int) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("server-everything does not start")
