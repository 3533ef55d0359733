"""Tasks of FastMCP (the extension of 2026-07-28), called as generated functions."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from pydantic import BaseModel

from tests.peers.install import python
from tests.peers.running import command, generated, serving

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("peers")

RESUME = """
import sys
from tasked import Client
with Client.http(sys.argv[1]) as client:
    print(client.resume_task(client.report, sys.stdin.read()).result(30))
"""


class Name(BaseModel):
    """The answer to a question."""

    name: str


def answer(_: Mapping[str, Any]) -> Name:
    """Give a name."""
    return Name(name="Ann")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    installed = (
        python("fastmcp").exists()
        and not subprocess.run(
            [str(python("fastmcp")), "-c", "import fastmcp_tasks"],
            check=False,
            capture_output=True,
        ).returncode
    )
    if not installed:
        pytest.skip("FastMCP's tasks are not installed: run scripts/peers")
    with serving("tasks") as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tasked")


@pytest.fixture(scope="module")
def tasked(url: str, folder: Path) -> Iterator[Any]:
    """Record the server, generate a package, and import it."""
    with generated(folder, "tasked", url) as package:
        yield package


@pytest.mark.parametrize("way", ["http", "stdio"])
def test_tasks_are_ordinary_calls(way: str, url: str, tasked: Any) -> None:
    target = url if way == "http" else [*command("tasks"), "stdio"]
    make = getattr(tasked.Client, way)
    messages: list[str] = []

    def note(_number: object, _total: object, message: str) -> None:
        messages.append(message)

    with make(target, on_elicit=answer, timeout=30) as client:
        report = client.with_options(on_progress=note).report(year=2026)
        assert list(report) == [2026, 2027]
        assert messages[-1] == "part 2"
        assert client.greet().text == "Hello Ann"
        assert client.maybe(number=4) == 8
        with pytest.raises(tasked.ToolError, match="it broke"):
            client.broken()
        with pytest.raises(tasked.DeadlineError):
            client.with_options(timeout=0.5).forever()
        *progress, done = client.stream(client.report, year=1)
        assert [part.message for part in progress][-1] == "part 2"
        assert list(done.result) == [1, 2]


def test_a_handle_survives_its_process(url: str, tasked: Any, folder: Path) -> None:
    with tasked.Client.http(url, timeout=30) as client:
        text = client.submit(client.report, year=7).to_json()
    other = subprocess.run(
        [sys.executable, "-c", RESUME, url],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "7, 8" in other.stdout


def test_a_handle_cancels_its_task(url: str, tasked: Any) -> None:
    with tasked.Client.http(url, timeout=30) as client:
        task = client.submit(client.forever)
        assert task.status().status == "working"
        task.cancel()
        assert task.status().status == "cancelled"
        with pytest.raises(tasked.TaskCancelledError):
            task.result(10)


async def _in_tasks(url: str, tasked: Any) -> None:
    async with tasked.AsyncClient.http(url, on_elicit=answer, timeout=30) as client:
        assert (await client.greet()).text == "Hello Ann"
        task = await client.submit(client.report, year=5)
        assert list(await task.result(30)) == [5, 6]
        parts = [part async for part in client.stream(client.report, year=3)]
        assert list(parts[-1].result) == [3, 4]
        with pytest.raises(TimeoutError), anyio.fail_after(0.5):
            await client.forever()
        assert await client.maybe(number=1) == 2


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_tasks_of_async_clients(backend: str, url: str, tasked: Any) -> None:
    anyio.run(_in_tasks, url, tasked, backend=backend)
