"""Servers of a toolbox: unreachable, connected at once, back again."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import Any

import anyio
import pytest

from tests.targets.conftest import USER, names

NOBODY = "http://127.0.0.1:9/mcp"


@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_a_toolbox_goes_on_without_a_server(
    todo: Any,
    catalog: Any,
    todo_url: str,
    caplog: pytest.LogCaptureFixture,
    kind: str,
) -> None:
    arguments = {"user_id": USER}

    def box() -> Any:
        there = getattr(todo, kind).http(todo_url)
        gone = [
            package.toolset(getattr(package, kind).http(NOBODY, timeout=2), prefix="x")
            for package in (todo, catalog)
        ]
        return todo.Toolbox(todo.toolset(there, include="list_tasks"), *gone)

    with caplog.at_level(logging.WARNING), box() as blocking:
        assert names(blocking) == ["list_tasks"]
        assert not blocking.run("list_tasks", arguments).is_error
    todo_gone = "fw_todo at http://127.0.0.1:9"
    for name, package in ((todo_gone, todo), ("fw_catalog", catalog)):
        assert f"the tools of {name} are left out" in caplog.text
        assert isinstance(blocking.unreachable[name], package.TransportError)
    with pytest.raises(todo.McpError, match="is closed"):
        blocking.run("list_tasks", arguments)

    async def main() -> list[str]:
        async with box() as awaited:
            assert not (await awaited.run_async("list_tasks", arguments)).is_error
            unknown = await awaited.run_async("list_task", arguments)
            assert "did you mean list_tasks?" in unknown.text
            wrong = await awaited.run_async("list_tasks", {"user_id": 7})
            assert "/user_id" in wrong.text
        with pytest.raises(todo.McpError, match="is closed"):
            await awaited.run_async("list_tasks", arguments)
        return names(awaited)

    assert asyncio.run(main()) == ["list_tasks"]


@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_servers_are_connected_at_once(
    todo: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each waits for the others: one after the other, they would wait for ever."""
    clients = [getattr(todo, kind).http(f"{NOBODY}/{n}") for n in range(3)]
    barrier = threading.Barrier(3)
    arrived: list[None] = []
    all_here = anyio.Event()

    def connect(_client: Any) -> None:
        barrier.wait(30)

    async def connect_async(_client: Any) -> None:
        arrived.append(None)
        if len(arrived) == 3:
            all_here.set()
        with anyio.fail_after(30):
            await all_here.wait()

    work = connect if kind == "Client" else connect_async
    monkeypatch.setattr(getattr(todo, kind), "connect", work, raising=False)
    box = todo.Toolbox(
        *(todo.toolset(c, prefix=f"s{n}") for n, c in enumerate(clients))
    )
    if kind == "Client":
        box.connect()
    else:
        asyncio.run(box.connect_async())
    assert box.unreachable == {}
    assert len(box) == 3 * len(todo.Tool)


def test_clients_of_one_package_are_distinguished(todo: Any) -> None:
    urls = (NOBODY, "http://127.0.0.1:10/mcp", NOBODY)
    clients = [todo.Client.http(url, timeout=5) for url in urls]
    gone = todo.Client.stdio(["no-such-program-anywhere"])
    box = todo.Toolbox(
        *(todo.toolset(c, prefix=f"s{n}") for n, c in enumerate([*clients, gone]))
    )
    with box:
        assert list(box) == []
        assert list(box.unreachable) == [
            "fw_todo at http://127.0.0.1:9",
            "fw_todo at http://127.0.0.1:10",
            "fw_todo at http://127.0.0.1:9 #2",
            "fw_todo at no-such-program-anywhere",
        ]
        assert "there is no program" in str([*box.unreachable.values()][-1])


@pytest.mark.parametrize("how", ["connect", "run", "connect_async", "run_async"])
def test_a_server_that_comes_back_is_used_again(
    todo: Any, todo_url: str, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    arguments = {"user_id": USER}
    is_async = how.endswith("_async")
    client: Any = (todo.AsyncClient if is_async else todo.Client).http(todo_url)
    kind: Any = client.__class__
    connect = kind.connect

    def refuse(_client: Any) -> Any:
        raise todo.TransportError("down")

    box = todo.Toolbox(todo.toolset(client))

    async def main() -> None:
        monkeypatch.setattr(kind, "connect", refuse)
        await box.connect_async()
        assert len(box) == 0
        assert (await box.run_async("list_tasks", arguments)).text == "down"
        monkeypatch.setattr(kind, "connect", connect)
        if how == "connect_async":
            await box.connect_async()
        else:
            assert not (await box.run_async("list_tasks", arguments)).is_error
        await box.close_async()

    if is_async:
        asyncio.run(main())
    else:
        monkeypatch.setattr(kind, "connect", refuse)
        box.connect()
        assert len(box) == 0
        assert box.run("list_tasks", arguments).text == "down"
        monkeypatch.setattr(kind, "connect", connect)
        if how == "connect":
            box.connect()
        else:
            assert not box.run("list_tasks", arguments).is_error
        box.close()
    assert len(box) == len(todo.Tool)
    assert box.unreachable == {}
