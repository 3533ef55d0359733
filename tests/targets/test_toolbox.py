"""Choosing, naming, joining tools; what is known without a network."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
import trio

from tests.targets.conftest import USER, names
from tests.targets.fakes import DONE, ONE, Fake, FakeAsync

if TYPE_CHECKING:
    from pathlib import Path


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
    assert repr(todo.TOOLS) == "<5 tools of fw_todo>"
    assert repr(todo.toolset(None, include=["delete_*"])) == (
        "[<tool delete_task of fw_todo>]"
    )
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
    harmless = todo.toolset(client, exclude=todo.destructive())
    assert names(harmless) == ["add_task", "complete_task", "list_tasks"]
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
    assert repr(box) == "Toolbox(2 tools of fw_todo, fw_catalog)"
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
