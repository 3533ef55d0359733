"""The clients, and a generated package, against servers on the official Python SDK."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient

from tests.packages import ROOT
from tests.servers.launch import serve_http, stdio_command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.runtime.conftest import Driver

pytestmark = pytest.mark.xdist_group("sdk")

HTTP = {"stateful": [], "stateless": ["--stateless"], "json": ["--json"]}
HTTP["both"] = ["--stateless", "--json"]
HTTP["sse"] = ["--sse"]
MODERN = [way for way in (*HTTP, "stdio") if way != "sse"]
WAYS = [
    *((way, era) for way in MODERN for era in (None, "modern", "legacy")),
    *(("sse", None), ("sse", "legacy")),
]
ERAS = {None: "2026-07-28", "modern": "2026-07-28", "legacy": "2025-11-25"}


def spoken(way: str, era: str | None) -> str:
    """Return the version that client and server agree on."""
    return ERAS["legacy" if way == "sse" else era]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Run the to-do server in a way over HTTP when it is first asked for."""
    urls: dict[str, str] = {}
    running: list[Any] = []

    def url(way: str) -> str:
        if way not in urls:
            server = serve_http("todo", *HTTP[way], cwd=tmp_path_factory.mktemp(way))
            urls[way] = server.__enter__()
            running.append(server)
        return urls[way]

    yield url
    for server in running:
        server.__exit__(None, None, None)


@pytest.fixture(scope="module")
def todo() -> Iterator[Any]:
    """Import the generated package, whatever other tests import by its name."""
    _forget("todo")
    sys.path.insert(0, str(ROOT / "generated"))
    yield importlib.import_module("todo")
    sys.path.remove(str(ROOT / "generated"))
    _forget("todo")


def _forget(package: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]


@pytest.fixture
def talk(driver: Driver, way: str, era: str | None, served: Any, tmp_path: Path) -> Any:
    """Work with a client, made one way or the other."""

    def run(package: Any, work: Any) -> Any:
        driver.client = package.Client if driver.blocking else package.AsyncClient
        if way == "stdio":
            return driver.stdio(stdio_command("todo"), work, era=era, cwd=tmp_path)
        return driver.http(served(way), work, era=era)

    return run


@pytest.mark.parametrize(("way", "era"), WAYS)
def test_the_generated_package(talk: Any, way: str, era: str | None, todo: Any) -> None:
    user = str(uuid4())

    async def work(client: Any) -> Any:
        added = await client.add_task(user_id=user, title="Buy bread", priority="high")
        done = await client.complete_task(user_id=user, task_id=added.id)
        listed = await client.list_tasks(user_id=user, status="all")
        with pytest.raises(todo.ToolError) as caught:
            await client.delete_task(user_id=user, task_id=added.id + 1_000_000)
        with pytest.raises(todo.InvalidArgumentsError):
            await client.add_task(user_id=user, title="")
        unknown = await client.try_tool("no_such_tool", {})
        version, differences = client.protocol_version, await client.verify()
        return added, done, listed, caught.value, unknown.error, version, differences

    added, done, listed, failed, unknown, version, differences = talk(todo, work)
    assert (added.status, added.priority) == ("open", "high")
    assert (done.id, done.status) == (added.id, "done")
    assert [task.title for task in listed.tasks] == ["Buy bread"]
    assert failed.tool == "delete_task"
    assert isinstance(unknown, todo.McpError)
    assert version == spoken(way, era)
    assert differences == []


@pytest.mark.parametrize(("way", "era"), WAYS)
def test_the_clients_alone(talk: Any, way: str, era: str | None) -> None:
    async def work(client: Any) -> None:
        await client.connect()
        assert len(await client.list_tools()) == 5
        result = await client.call_tool("list_tasks", {"user_id": str(uuid4())})
        assert result.has_structured
        assert (await client.request("resources/list"))["resources"]
        assert client.server_info["name"] == "todo"
        assert client.protocol_version == spoken(way, era)
        assert client.capabilities

    talk(SimpleNamespace(Client=BaseClient, AsyncClient=AsyncBaseClient), work)
