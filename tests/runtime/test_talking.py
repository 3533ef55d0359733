"""Streams and questions of a server on the official SDK: each transport, each kind."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp_bindgen.runtime.client.binding import Binding, raw
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.client.streaming import Done, Log, Progress
from mcp_bindgen.runtime.validation.models import Model
from pydantic import BaseModel

from tests.servers.launch import python_program

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SERVER = python_program(Path(__file__).parent / "talking_server.py")


class Name(BaseModel):
    """The answer to a form."""

    name: str


class _Number(Model):
    number: int


class _Nothing(Model):
    pass


_COUNT: Binding[Any] = Binding("count", _Number, raw)
_WAIT: Binding[Any] = Binding("wait", _Nothing, raw)


def count(client: BaseClient, /, *, number: int) -> Any:
    """Call the tool, as a generated function does."""
    return client.call(_COUNT, {"number": number})


def wait(client: BaseClient, /) -> Any:
    """Call the tool, as a generated function does."""
    return client.call(_WAIT, {})


async def count_async(client: AsyncBaseClient, /, *, number: int) -> Any:
    """Call the tool, as a generated function does."""
    return await client.call(_COUNT, {"number": number})


async def wait_async(client: AsyncBaseClient, /) -> Any:
    """Call the tool, as a generated function does."""
    return await client.call(_WAIT, {})


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen([*SERVER, str(port)], stderr=subprocess.DEVNULL) as process:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                assert process.poll() is None, "the server does not start"
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
        process.kill()


def answer(params: Mapping[str, Any]) -> Name:
    """Fill in the form."""
    assert params["message"] == "who?"
    return Name(name="Ann")


def checked(parts: list[Any]) -> None:
    """Compare the parts of a count to two, in their order."""
    *before, done = parts
    assert [p.message for p in before if isinstance(p, Progress)] == [
        "step 1",
        "step 2",
    ]
    assert [p.data for p in before if isinstance(p, Log)] == ["log 1", "log 2"]
    assert done == Done(done.result)
    assert done.result.text == "2"


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("way", ["http", "stdio"])
def test_blocking(way: str, era: str, url: str) -> None:
    target: Any = url if way == "http" else [*SERVER, "stdio"]
    pages: list[Any] = []

    def agree(request: Any) -> bool:
        pages.append(request)
        return True

    answers: dict[str, Any] = {"on_elicit": answer, "on_url": agree, "timeout": 60}
    with getattr(BaseClient, way)(target, era=era, **answers) as client:
        loud = client.with_options(log_level="info")
        checked(list(loud.stream(count.__get__(loud), number=2)))
        for part in client.stream(wait.__get__(client)):
            assert part == Progress(1, None, "waiting")
            break
        if era == "legacy":  # in the later era, this SDK asks from no tool that runs
            assert client.call_tool("greet", {}).text == "accept Ann"
            assert client.call_tool("page", {}).text == "accept"
            assert [page.url for page in pages] == ["https://pay.example/1?key=a"]
        checked(list(loud.stream(count.__get__(loud), number=2)))


async def _in_tasks(way: str, era: str, target: Any) -> None:
    make = getattr(AsyncBaseClient, way)
    async with make(target, era=era, on_elicit=answer, timeout=60) as client:
        loud = client.with_options(log_level="info")
        stream = loud.stream(count_async.__get__(loud), number=2)
        checked([part async for part in stream])
        async for part in client.stream(wait_async.__get__(client)):
            assert part == Progress(1, None, "waiting")
            break
        if era == "legacy":
            assert (await client.call_tool("greet", {})).text == "accept Ann"
        stream = loud.stream(count_async.__get__(loud), number=2)
        checked([part async for part in stream])


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("way", ["http", "stdio"])
def test_in_tasks(way: str, era: str, backend: str, url: str) -> None:
    target: Any = url if way == "http" else [*SERVER, "stdio"]
    anyio.run(_in_tasks, way, era, target, backend=backend)
