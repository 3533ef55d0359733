"""A hostile server for the whole run, and one way to drive all kinds of client."""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.request import urlopen

import pytest
import trio
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Hostile:
    """The server, and what it saw."""

    base: str
    keys: Iterator[int]

    def url(self, act: str) -> str:
        """Return the URL of an act, with a log of its own."""
        return f"{self.base}/{act}/{next(self.keys)}"

    def log(self, url: str) -> list[dict[str, Any]]:
        """Return the requests that came to a URL."""
        path = url.removeprefix(self.base)
        with urlopen(f"{self.base}/log{path}") as answer:
            entries: list[dict[str, Any]] = json.load(answer)
            return entries

    def methods(self, url: str) -> list[str]:
        """Return the methods that came to a URL."""
        return [entries["method"] for entries in self.log(url)]


@pytest.fixture(scope="session")
def hostile() -> Iterator[Hostile]:
    """Run the hostile server."""
    command = [sys.executable, "-m", "tests.runtime.acts"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield Hostile(f"http://127.0.0.1:{port}", itertools.count(1))
        process.kill()


class Driver:
    """Drives the blocking client, or the async one on asyncio or trio, alike."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.blocking = kind == "sync"
        self.client: Any = BaseClient if self.blocking else AsyncBaseClient

    def run(
        self, work: Callable[[Any], Awaitable[Any]], make: Callable[[], Any]
    ) -> Any:
        """Make a client, let it work, and close it.

        `work` is written as for the async client; see `Twin`.
        """
        if self.blocking:
            coroutine = self._work(work, make, wrap=Twin)
            try:
                coroutine.send(None)
            except StopIteration as stop:
                return stop.value
            raise AssertionError("the blocking client waited")
        runner: Any = asyncio.run if self.kind == "asyncio" else None
        if runner:
            return runner(self._work(work, make))
        return trio.run(self._work, work, make)

    async def _work(
        self,
        work: Callable[[Any], Awaitable[Any]],
        make: Callable[[], Any],
        wrap: Callable[[Any], Any] = lambda client: client,
    ) -> Any:
        async with wrap(make()) as client:
            return await work(client)

    def http(
        self, url: str, work: Callable[[Any], Awaitable[Any]], **options: Any
    ) -> Any:
        """Work with a client of a URL."""
        return self.run(work, lambda: self.client.http(url, **options))

    def stdio(
        self,
        command: list[str],
        work: Callable[[Any], Awaitable[Any]],
        **options: Any,
    ) -> Any:
        """Work with a client of a program."""
        return self.run(work, lambda: self.client.stdio(command, **options))

    def call(self, url: str, /, **options: Any) -> Any:
        """Call one tool."""
        arguments = options.pop("arguments", {"a": 1})
        return self.http(url, lambda c: c.call_tool("tool", arguments), **options)


async def hurry(client: Any) -> Any:
    """Call a tool with little time, once connected: that may take long elsewhere."""
    await client.connect()
    return await client.with_options(timeout=0.5).call_tool("tool", {})


class Twin:
    """A blocking client with the async client's face: tests are written once."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._client, name)
        if not callable(value):
            return value

        async def call(*arguments: Any, **named: Any) -> Any:
            return value(*arguments, **named)

        return call

    def with_options(self, **options: Any) -> Twin:
        """Return the twin of the other client."""
        return Twin(self._client.with_options(**options))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._client.close()


@pytest.fixture(params=["sync", "asyncio", "trio"])
def driver(request: pytest.FixtureRequest) -> Driver:
    """Every kind of client in turn."""
    return Driver(request.param)
