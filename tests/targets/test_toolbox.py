"""Choosing, naming, joining tools; what is known without a network."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import threading
from importlib import import_module
from typing import TYPE_CHECKING, Any

import anyio
import pytest
import trio

from tests.targets.conftest import USER
from tests.targets.fakes import DONE, ONE, Fake, FakeAsync

if TYPE_CHECKING:
    from pathlib import Path

NOBODY = "http://127.0.0.1:9/mcp"


def names(tools: Any) -> list[str]:
    """Return the names of tools."""
    return [tool.name for tool in tools]


def test_tools_are_known_without_a_network(todo: Any) -> None:
    info = todo.TOOLS[todo.Tool.ADD_TASK]
    assert info is todo.tool_info(todo.Tool.ADD_TASK)
    assert info.title == "Add task"
    assert info.description.startswith("Add a task")
    first, *_, last = info.parameters
    assert (first.name, first.type, first.required) == ("user_id", "str", True)
    assert (last.name, last.type, last.default) == ("due_on", "str | None", None)
    assert first.description.startswith("Owner of the tasks")
    assert info.input_schema["properties"].keys() == info.schema["properties"].keys()
    assert info.output_schema["type"] == "object"
    assert info.annotations["destructiveHint"] is False
    assert list(todo.TOOLS) == list(todo.Tool)
    assert repr(todo.TOOLS) == "<ToolInfos of fw_todo: 5>"
    assert todo.read_only() == [todo.Tool.LIST_TASKS]
    assert todo.destructive("delete_*") == [todo.Tool.DELETE_TASK]


@pytest.mark.parametrize("module", ["info", "openai", "anthropic", "gemini", "toolbox"])
def test_no_tool_and_no_framework_is_imported_unasked(
    packages: Path, module: str
) -> None:
    program = (
        f"import sys, fw_todo.{module}, fw_todo; fw_todo.TOOLS['add_task'].title; "
        "frameworks = ('openai', 'langchain_core', 'agents', 'anthropic', 'httpx'); "
        "print([m for m in sys.modules if m.startswith('fw_todo.tools.')"
        " or m in frameworks])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=packages,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize(
    ("module", "library", "package"),
    [
        ("langchain", "langchain_core", "langchain-core"),
        ("agents", "agents", "openai-agents"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai-slim"),
    ],
)
def test_a_missing_framework_is_named(
    packages: Path, module: str, library: str, package: str
) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; import fw_todo.{module}"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=packages,
        capture_output=True,
        text=True,
        check=False,
    )
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert f"pip install '{package}" in last


def test_include_and_exclude_take_members_and_globs(todo: Any) -> None:
    client = todo.Client(Fake("fw_todo", {}))
    chosen = todo.toolset(client, include=["*_task", todo.Tool.LIST_TASKS])
    assert len(chosen) == len(todo.Tool)
    kept = todo.toolset(client, exclude=todo.destructive())
    assert names(kept) == ["add_task", "complete_task", "list_tasks"]
    assert names(todo.toolset(client, include="add_task")) == ["add_task"]
    with pytest.raises(ValueError, match="no tool is called nothing"):
        todo.toolset(client, include="nothing")


def test_a_toolbox_joins_servers(todo: Any, catalog: Any) -> None:
    one, two = (Fake("fw_todo", DONE), Fake("fw_catalog", {"content": []}))
    box = todo.Toolbox(
        todo.toolset(todo.Client(one), include="complete_task", prefix="my"),
        catalog.toolset(catalog.Client(two), include="get_entity_details"),
    )
    assert names(box) == ["my_complete_task", "get_entity_details"]
    assert box.run("my_complete_task", json.dumps(ONE)).value.title == "t"
    answer = asyncio.run(
        box.run_async("get_entity_details", {"entityType": "table", "fqn": "x"})
    )
    assert not answer.is_error
    assert one.calls == [("complete_task", ONE)]
    assert two.calls[0][0] == "get_entity_details"
    for target in ("fw_todo.openai", "fw_catalog.openai"):
        functions = [tool["function"] for tool in import_module(target).tools(box)]
        assert [function["name"] for function in functions] == names(box)


def test_equal_names_are_refused_or_renamed(todo: Any, catalog: Any) -> None:
    client, other = (todo.Client(Fake("fw_todo", {})) for _ in range(2))
    mine = todo.toolset(client, include="add_task")
    yours = catalog.toolset(
        catalog.Client(Fake("fw_catalog", {})), include="search_metadata"
    )[0].renamed("add_task")
    with pytest.raises(todo.McpError, match="two tools are called add_task"):
        todo.Toolbox(mine, [yours])
    box = todo.Toolbox(mine, [yours], duplicates="rename")
    assert names(box) == ["fw_todo_add_task", "fw_catalog_add_task"]
    with pytest.raises(todo.McpError, match="two tools are called"):
        todo.Toolbox(mine, todo.toolset(other), duplicates="rename")


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


def test_an_async_client_outlives_its_loop(todo: Any) -> None:
    fake = FakeAsync("fw_todo", DONE)
    (tool,) = todo.toolset(todo.AsyncClient(fake), include="complete_task")
    for _ in range(2):
        assert not asyncio.run(tool.answer_async(ONE)).is_error
    assert not tool.answer(ONE).is_error

    async def wrong() -> None:
        assert not (await tool.answer_async(ONE)).is_error  # at home in another loop
        tool.answer(ONE)

    assert not asyncio.run(wrong())
    assert len(fake.calls) == 5


def test_an_async_client_serves_trio(todo: Any) -> None:
    fake = FakeAsync("fw_todo", DONE)
    (tool,) = todo.toolset(todo.AsyncClient(fake), include="complete_task")
    assert not trio.run(tool.answer_async, ONE).is_error
    assert fake.calls == [("complete_task", ONE)]


def test_a_tool_that_is_only_described_cannot_be_called(todo: Any) -> None:
    (tool,) = todo.toolset(None, include="add_task")
    for use in (lambda: tool.answer({}), tool.connect, tool.close):
        with pytest.raises(todo.McpError, match="no client"):
            use()


def test_names_stay_within_the_limits(todo: Any) -> None:
    client = todo.Client(Fake("fw_todo", {}))
    (tool,) = todo.toolset(client, include="add_task", prefix="a server/" * 9)
    assert len(tool.name) <= 64
    (other,) = todo.toolset(client, include="delete_task", prefix="a server/" * 9)
    assert tool.name != other.name


def test_a_call_can_be_tried_without_exceptions(todo: Any, todo_url: str) -> None:
    with todo.Client.http(todo_url) as client:
        good = client.try_tool("add_task", {"user_id": USER, "title": "x"})
        bad = client.try_tool("complete_task", {"user_id": USER, "task_id": 0})
        none = client.try_tool("nothing", {})
        assert {tool.tool for tool in client.list_tools()} == set(todo.Tool)
    assert (good.success, good.data["title"], good.error) == (True, "x", None)
    assert (bad.success, bad.data) == (False, None)
    assert "VALIDATION_ERROR" in str(bad.error)
    assert none.result.is_error
    assert "UNKNOWN_TOOL" in str(none.error)

    async def main() -> Any:
        async with todo.AsyncClient.http(todo_url) as client:
            return await client.try_tool("nothing", {})

    assert not asyncio.run(main()).success


def test_what_a_tried_call_gives_without_a_structured_value(todo: Any) -> None:
    for text, data in (('{"a": 1}', {"a": 1}), ("[1,]", "[1,]")):
        fake = Fake("fw_todo", {"content": [{"type": "text", "text": text}]})
        assert todo.Client(fake).try_tool("list_tasks", {}).data == data


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
