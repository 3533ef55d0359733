"""LangChain's agent loop, with a scripted model, drives tools of example servers."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module
from typing import Any

import pytest
from mcp_bindgen.pipeline.generate import generate

from tests.servers.launch import CATALOG_TOKEN
from tests.targets.conftest import USER, write
from tests.targets.fakes import BLOCKS, TASK, Fake, FakeAsync

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

ADD = {"user_id": USER, "title": "Buy milk"}


def call(tool: Any, arguments: dict[str, Any]) -> Any:
    """Return what a tool answers to a model's call, as a message."""
    tool_call = {"name": tool.name, "args": arguments, "id": "1", "type": "tool_call"}
    return tool.invoke(tool_call)


def test_an_agent_ends_with_what_the_tool_said(todo: Any, client: Any) -> None:
    agents = pytest.importorskip("langchain.agents", reason="no langchain")
    if not hasattr(agents, "create_agent"):
        pytest.skip("create_agent came with langchain 1.0")
    langchain_tools = import_module("fw_todo.langchain").langchain_tools
    fakes = import_module("langchain_core.language_models.fake_chat_models")
    message = import_module("langchain_core.messages").AIMessage

    def bind_tools(model: Any, tools: Any, **_: Any) -> Any:
        assert {tool.name for tool in tools} == {"add_task", "list_tasks"}
        return model

    scripted = type(
        "Scripted", (fakes.GenericFakeChatModel,), {"bind_tools": bind_tools}
    )

    tool_call = {"name": "add_task", "args": ADD, "id": "c1", "type": "tool_call"}
    script = [message("", tool_calls=[tool_call]), message("done")]
    tools = langchain_tools(client, include=["add_*", todo.Tool.LIST_TASKS])
    agent = agents.create_agent(scripted(messages=iter(script)), tools)
    state = agent.invoke({"messages": [{"role": "user", "content": "Buy milk"}]})
    *_, answer, last = state["messages"]
    assert last.content == "done"
    assert json.loads(answer.content)["title"] == "Buy milk"
    assert isinstance(answer.artifact, todo.AddTaskResult)


@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_both_clients_serve_invoke_and_ainvoke(
    todo: Any, todo_url: str, kind: str
) -> None:
    langchain_tools = import_module("fw_todo.langchain").langchain_tools

    client = getattr(todo, kind).http(todo_url)

    async def main() -> list[Any]:
        return await asyncio.gather(*(tool.ainvoke(ADD) for _ in range(3)))

    with todo.Toolbox(todo.toolset(client)) as box:
        (tool,) = langchain_tools(box, include="add_task")
        for _ in range(2):
            assert call(tool, ADD).artifact.title == "Buy milk"
        assert len(asyncio.run(main())) == 3
        assert call(tool, ADD).artifact.title == "Buy milk"


def test_an_async_client_that_lives_in_a_loop_serves_threads_of_it(
    todo: Any, todo_url: str
) -> None:
    add_task_tool = import_module("fw_todo.langchain").add_task_tool

    async def main() -> str:
        async with todo.AsyncClient.http(todo_url) as client:
            tool = add_task_tool(client)
            await tool.ainvoke(ADD)
            message = await asyncio.to_thread(call, tool, ADD)
            with pytest.raises(todo.McpError, match="from its own event loop"):
                tool.invoke(ADD)
            title: str = message.artifact.title
            return title

    assert asyncio.run(main()) == "Buy milk"


def test_a_failure_is_an_error_message_or_an_exception(todo: Any, client: Any) -> None:
    failure = import_module("fw_todo._langchain").McpToolException
    langchain_tools = import_module("fw_todo.langchain").langchain_tools

    (tool,) = langchain_tools(client, include="complete_task")
    message = call(tool, {"user_id": USER, "task_id": 999_999})
    assert message.status == "error"
    assert message.content.startswith("TASK_NOT_FOUND")
    assert "/task_id" in call(tool, {"user_id": USER}).content
    assert "/wrong" in call(tool, {"user_id": USER, "task_id": 1, "wrong": 1}).content
    (tool,) = langchain_tools(client, include="complete_task", handle_tool_error=False)
    with pytest.raises(failure) as caught:
        tool.invoke({"user_id": USER, "task_id": 999_999})
    assert isinstance(caught.value.answer.error, todo.ToolError)


def test_every_kind_of_content_becomes_a_block(catalog: Any) -> None:
    get_entity_details_tool = import_module(
        "fw_catalog.langchain"
    ).get_entity_details_tool

    fake = Fake("fw_catalog", {"content": BLOCKS})
    tool = get_entity_details_tool(catalog.Client(fake))
    message = call(tool, {"entityType": "table", "fqn": "a"})
    old = import_module("langchain_core.version").VERSION.startswith("0.")
    data = {"source_type": "base64", "data": "aGk="} if old else {"base64": "aGk="}
    link = {"source_type": "url"} if old else {}
    assert message.content == [
        {"type": "text", "text": "hello"},
        {"type": "image", **data, "mime_type": "image/png"},
        {"type": "audio", **data, "mime_type": "audio/wav"},
        {"type": "file", **link, "url": "https://example.org/a.pdf"},
        {"type": "text", "text": "inner"},
        {"type": "file", **data, "mime_type": "application/pdf"},
        {"type": "text", "text": "[hologram]"},
    ]
    assert old or len(message.content_blocks) == len(BLOCKS)
    assert isinstance(message.artifact, catalog.ToolResult)


def test_names_of_parameters_are_those_of_the_wire(
    catalog: Any, catalog_url: str
) -> None:
    langchain_tools = import_module("fw_catalog.langchain").langchain_tools

    client = catalog.Client.http(catalog_url, token=CATALOG_TOKEN)
    with client:
        (tool,) = langchain_tools(client, include="search_metadata", prefix="cat")
        assert tool.name == "cat_search_metadata"
        assert "from" in tool.args
        message = call(tool, {"query": "orders", "from": 0, "size": 1})
    assert message.status == "success"
    assert len(message.artifact.hits) == 1


def test_what_langchain_uses_itself_may_be_a_parameter(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("config", "run_manager", "self", "callbacks", "tool_call_id", "kwargs")
    properties: dict[str, Any] = {name: {} for name in names}
    schema = {"type": "object", "properties": properties}
    tools = [{"name": "odd", "inputSchema": schema}]
    made = generate(json.dumps({"tools": tools}).encode(), "fw_odd")
    write(dict(made.files), tmp_path / "fw_odd")
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    package = import_module("fw_odd")
    fake = Fake("fw_odd", {"content": []})
    tool = import_module("fw_odd.langchain").odd_tool(package.Client(fake))
    values: dict[str, Any] = dict.fromkeys(names, 1)
    call(tool, values)
    asyncio.run(
        tool.ainvoke({"name": "odd", "args": values, "id": "1", "type": "tool_call"})
    )
    assert fake.calls == [("odd", values)] * 2


def test_metadata_and_tags_tell_what_the_server_says(todo: Any) -> None:
    delete_task_tool = import_module("fw_todo.langchain").delete_task_tool

    tool = delete_task_tool(todo.Client(Fake("fw_todo", {})))
    assert tool.metadata["destructiveHint"] is True
    assert tool.metadata["outputSchema"]["type"] == "object"
    assert tool.metadata["server"]["name"]
    assert "destructive" in tool.tags


def test_a_typed_result_comes_from_a_fake_too(todo: Any) -> None:
    complete_task_tool = import_module("fw_todo.langchain").complete_task_tool

    fake = FakeAsync("fw_todo", {"content": [], "structuredContent": TASK})
    tool = complete_task_tool(todo.AsyncClient(fake))
    message = call(tool, {"user_id": USER, "task_id": 1})
    assert json.loads(message.content) == TASK
    assert message.artifact.title == "t"
