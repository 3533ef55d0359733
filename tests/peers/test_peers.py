"""One generated package calls a tool on servers that others wrote (scripts/peers)."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
import trio

from tests.peers.running import command, generated, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.xdist_group("peers")

SCHEMA = {
    "type": "object",
    "properties": {"message": {"type": "string"}},
    "required": ["message"],
}
RECORDING = {"tools": [{"name": "echo", "inputSchema": SCHEMA}]}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Generate a package for an echo server, and import it."""
    folder = tmp_path_factory.mktemp("peers")
    (folder / "echoer.json").write_text(json.dumps(RECORDING))
    with generated(folder, "echoer") as package:
        yield package


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
