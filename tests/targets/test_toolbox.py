"""Choosing, naming, joining, approving tools; what is known without a network."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tests.targets.conftest import USER
from tests.targets.fakes import TASK, Fake, FakeAsync

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ONE = {"user_id": USER, "task_id": 1}
DONE: dict[str, Any] = {"content": [], "structuredContent": TASK}


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


def test_a_toolbox_goes_on_without_a_server(
    todo: Any, catalog: Any, todo_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    def box() -> Any:
        there = todo.toolset(todo.Client.http(todo_url), include="add_task")
        gone = catalog.Client.http("http://127.0.0.1:9/mcp", timeout=2)
        return todo.Toolbox(there, catalog.toolset(gone))

    with caplog.at_level(logging.WARNING), box() as blocking:
        assert names(blocking) == ["add_task"]
    assert "the tools of fw_catalog are left out" in caplog.text
    assert isinstance(blocking.unreachable["fw_catalog"], catalog.TransportError)

    async def main() -> list[str]:
        async with box() as awaited:
            return names(awaited)

    assert asyncio.run(main()) == ["add_task"]


def test_names_stay_within_the_limits(todo: Any) -> None:
    client = todo.Client(Fake("fw_todo", {}))
    (tool,) = todo.toolset(client, include="add_task", prefix="a server/" * 9)
    assert len(tool.name) <= 64
    (other,) = todo.toolset(client, include="delete_task", prefix="a server/" * 9)
    assert tool.name != other.name


def decide(todo: Any, decision: Any) -> tuple[Any, Fake]:
    """Return the outcome of a call under a decision, and the transport."""
    fake = Fake("fw_todo", DONE)

    def hook(tool: str, arguments: Mapping[str, Any]) -> Any:
        assert (tool, dict(arguments)) == ("complete_task", ONE)
        return decision

    client = todo.Client(fake).with_options(before_call=hook)
    try:
        return client.complete_task(**ONE), fake
    except todo.McpError as error:
        return error, fake


def test_a_hook_allows_denies_and_replaces(todo: Any) -> None:
    result, fake = decide(todo, decision=True)
    assert result.title == "t"
    for no in (False, None, "yes", todo.Deny("too late")):
        error, fake = decide(todo, no)
        assert isinstance(error, todo.DeniedError)
        assert fake.calls == []
    assert "too late" in str(error)
    _, fake = decide(todo, todo.Replace({**ONE, "task_id": 2}))
    assert fake.calls == [("complete_task", {**ONE, "task_id": 2})]
    error, fake = decide(todo, todo.Replace({}))
    assert isinstance(error, todo.InvalidArgumentsError)


def test_an_async_hook_needs_an_async_client(todo: Any) -> None:
    async def hook(tool: str, arguments: Mapping[str, Any]) -> bool:
        return tool != "delete_task"

    fake = FakeAsync("fw_todo", DONE)
    client = todo.AsyncClient(fake).with_options(before_call=hook)

    async def main() -> None:
        await client.complete_task(**ONE)
        with pytest.raises(todo.DeniedError):
            await client.delete_task(**ONE)
        with pytest.raises(todo.DeniedError):
            await client.call_tool("delete_task", {})

    asyncio.run(main())
    assert len(fake.calls) == 1
    blocking = todo.Client(Fake("fw_todo", DONE)).with_options(before_call=hook)
    with pytest.raises(todo.McpError, match="needs an async client"):
        blocking.complete_task(**ONE)


def test_a_denied_call_is_a_clear_refusal_for_a_model(todo: Any) -> None:
    fake = Fake("fw_todo", DONE)
    asked: list[str] = []

    def ask(tool: str, arguments: Mapping[str, Any]) -> Any:
        asked.append(tool)
        return todo.Deny("ask me tomorrow")

    hook = todo.approve_destructive(ask)
    client = todo.Client(fake)
    tools = {t.name: t for t in todo.toolset(client, before_call=hook)}
    assert not tools["complete_task"].answer(ONE).is_error
    refusal = tools["delete_task"].answer(ONE)
    assert refusal.is_error
    assert refusal.text == "the call was not approved: ask me tomorrow"
    openai = import_module("fw_todo.openai")
    guarded = client.with_options(before_call=hook)
    assert "not approved" in openai.execute(guarded, "delete_task", ONE)
    assert asked == ["delete_task"] * 2
    assert [name for name, _ in fake.calls] == ["complete_task"]


@pytest.mark.parametrize(("typed", "calls"), [("yes", 1), ("n", 0), ("", 0)])
def test_a_person_at_the_terminal_is_asked(
    todo: Any, monkeypatch: pytest.MonkeyPatch, typed: str, calls: int
) -> None:
    prompts: list[str] = []
    fake = Fake("fw_todo", DONE)

    def person(prompt: str) -> str:
        prompts.append(prompt)
        return typed

    monkeypatch.setattr("builtins.input", person)
    client = todo.Client(fake).with_options(before_call=todo.approve_destructive())
    client.try_tool("delete_task", {"user_id": "\x1b[2J"})
    assert len(fake.calls) == calls
    assert "\x1b" not in prompts[0]


def test_a_call_can_be_tried_without_exceptions(todo: Any, todo_url: str) -> None:
    with todo.Client.http(todo_url) as client:
        good = client.try_tool("add_task", {"user_id": USER, "title": "x"})
        bad = client.try_tool("complete_task", {"user_id": USER, "task_id": 0})
        none = client.try_tool("nothing", {})
        assert {tool["name"] for tool in client.list_tools()} == set(todo.Tool)
    assert (good.success, good.data["title"], good.error) == (True, "x", None)
    assert (bad.success, bad.data) == (False, None)
    assert "VALIDATION_ERROR" in str(bad.error)
    assert none.result is None
    assert isinstance(none.error, todo.ProtocolError)

    async def main() -> Any:
        async with todo.AsyncClient.http(todo_url) as client:
            return await client.try_tool("nothing", {})

    assert not asyncio.run(main()).success
