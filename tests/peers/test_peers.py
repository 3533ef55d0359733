"""One generated package calls a tool on servers that others wrote (scripts/peers)."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import trio

from tests.conformance.suite import NODE
from tests.peers.install import everything, python

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

pytestmark = pytest.mark.xdist_group("peers")

HERE = Path(__file__).parent
SCRIPTS = {
    "fastmcp": ("fastmcp4.py", "fastmcp"),
    "library": ("fastmcp_library.py", "fastmcp"),
    "sdk1": ("sdk1.py", "sdk1"),
}
SCHEMA = {
    "type": "object",
    "properties": {"message": {"type": "string"}},
    "required": ["message"],
}
RECORDING = {"tools": [{"name": "echo", "inputSchema": SCHEMA}]}


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


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Generate a package for an echo server, and import it."""
    folder = tmp_path_factory.mktemp("peers")
    (folder / "echoer.json").write_text(json.dumps(RECORDING))
    words = [sys.executable, "-m", "mcp_bindgen", "generate", "echoer.json", "-o", "."]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("echoer")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.startswith("echoer")]:
        del sys.modules[name]


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


def echo(package: Any, way: str, target: Any, kind: str, era: str | None) -> Any:
    """Call the tool, and return what came and the version that was spoken."""
    options: dict[str, Any] = {"era": era, "timeout": 60}
    if kind == "sync":
        with getattr(package.Client, way)(target, **options) as client:
            return client.echo(message="caf\u00e9").text, client.protocol_version

    async def run() -> Any:
        made = getattr(package.AsyncClient, way)(target, **options)
        async with made as client:
            result = await client.echo(message="caf\u00e9")
            return result.text, client.protocol_version

    return asyncio.run(run()) if kind == "asyncio" else trio.run(run)


KINDS = ["sync", "asyncio", "trio"]
VERSIONS = {"fastmcp": "2026-07-28", "sdk1": "2025-11-25", "everything": "2025-11-25"}
SERVERS = [
    *(("sdk1",), ("sdk1", "stateless"), ("sdk1", "json"), ("everything",)),
    *(("fastmcp",), ("fastmcp", "stateless"), ("fastmcp", "json")),
]


@pytest.mark.parametrize("server", SERVERS, ids="-".join)
def test_over_http(server: tuple[str, ...], package: Any) -> None:
    with serving(*server) as url:
        for kind in KINDS:
            for era in (None, "legacy"):
                text, version = echo(package, "http", url, kind, era)
                assert text == "Echo: caf\u00e9"
                assert version == ("2025-11-25" if era else VERSIONS[server[0]])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("peer", ["sdk1", "everything", "fastmcp"])
def test_over_stdio(peer: str, kind: str, package: Any) -> None:
    words = [*command(peer), "stdio"]
    for era in (None, "legacy"):
        text, version = echo(package, "stdio", words, kind, era)
        assert text == "Echo: caf\u00e9"
        assert version == ("2025-11-25" if era else VERSIONS[peer])
