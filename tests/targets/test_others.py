"""The other frameworks, each by its own library, with a scripted model."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from typing import Any

import pytest

from tests.targets.conftest import USER
from tests.targets.endpoint import scripted
from tests.targets.fakes import BLOCKS, Fake

WHY = "the extra `frameworks` is not installed"
ADD = {"user_id": USER, "title": "Buy milk"}


def test_anthropic_ends_with_what_the_tool_said(todo: Any, client: Any) -> None:
    anthropic = pytest.importorskip("anthropic", reason=WHY)
    target = import_module("fw_todo.anthropic")

    def message(stop: str, *content: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
            "content": list(content),
        }

    use = {"type": "tool_use", "id": "t1", "name": "add_task", "input": ADD}
    bad = {"type": "tool_use", "id": "t2", "name": "add_task", "input": {"title": 1}}
    last = message("end_turn", {"type": "text", "text": "done"})
    with scripted(message("tool_use", use, bad), last) as endpoint:
        model = anthropic.Anthropic(base_url=endpoint.url, api_key="none")
        messages: list[Any] = [{"role": "user", "content": "Buy milk"}]
        request = {"model": "scripted", "max_tokens": 9, "tools": target.TOOLS}
        answer = model.messages.create(messages=messages, **request)
        messages.append({"role": "assistant", "content": answer.content})
        messages += target.run_tool_calls(client, answer)
        final = model.messages.create(messages=messages, **request)
    assert final.content[0].text == "done"
    good, wrong = endpoint.requests[1]["messages"][-1]["content"]
    assert json.loads(good["content"])["title"] == "Buy milk"
    assert wrong["is_error"] is True
    assert "/user_id" in wrong["content"]
    assert target.renamed_parameters() == {}


def test_anthropic_sees_images(catalog: Any) -> None:
    target = import_module("fw_catalog.anthropic")

    fake = Fake("fw_catalog", {"content": BLOCKS[:3]})
    arguments = {"entityType": "table", "fqn": "a"}
    use = {
        "type": "tool_use",
        "id": "1",
        "name": "get_entity_details",
        "input": arguments,
    }
    (message,) = target.run_tool_calls(catalog.Client(fake), {"content": [use]})
    kinds = [block["type"] for block in message["content"][0]["content"]]
    assert kinds == ["text", "image", "text"]


def test_the_agents_sdk_ends_with_what_the_tool_said(todo: Any, todo_url: str) -> None:
    agents = pytest.importorskip("agents", reason=WHY)
    agents_tools = import_module("fw_todo.agents").agents_tools
    model = import_module("agents.models.interface").Model
    usage = import_module("agents.usage").Usage()
    items = import_module("openai.types.responses")

    arguments = json.dumps({"user_id": USER, "title": "Buy milk"})
    text = items.ResponseOutputText(type="output_text", text="done", annotations=[])
    script: list[Any] = [
        items.ResponseFunctionToolCall(
            type="function_call", call_id="c1", name="t_add_task", arguments=arguments
        ),
        items.ResponseOutputMessage(
            id="m",
            type="message",
            role="assistant",
            status="completed",
            content=[text],
        ),
    ]
    inputs: list[Any] = []

    async def get_response(*args: Any, **kwargs: Any) -> Any:
        inputs.append(kwargs.get("input", args[2] if len(args) > 2 else None))
        output = [script.pop(0)]
        return agents.ModelResponse(output=output, usage=usage, response_id=None)

    members = {"get_response": get_response, "stream_response": get_response}
    scripted_model = type("Scripted", (model,), members)

    async def main() -> str:
        async with todo.AsyncClient.http(todo_url) as client:
            agent = agents.Agent(
                name="a",
                model=scripted_model(),
                tools=agents_tools(client, prefix="t", strict=True),
            )
            config = agents.RunConfig(tracing_disabled=True)
            result = await agents.Runner.run(agent, "Buy milk", run_config=config)
            output: str = result.final_output
            return output

    assert asyncio.run(main()) == "done"
    (output,) = (i for i in inputs[1] if i.get("type") == "function_call_output")
    assert json.loads(output["output"])["title"] == "Buy milk"


def test_pydantic_ai_ends_with_what_the_tool_said(todo: Any, client: Any) -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai", reason=WHY)
    pydantic_ai_toolset = import_module("fw_todo.pydantic_ai").pydantic_ai_toolset
    parts = import_module("pydantic_ai.messages")
    model = import_module("pydantic_ai.models.function").FunctionModel

    script = [
        parts.ModelResponse(parts=[parts.ToolCallPart("add_task", {"title": "x"})]),
        parts.ModelResponse(parts=[parts.ToolCallPart("add_task", ADD)]),
        parts.ModelResponse(parts=[parts.TextPart("done")]),
    ]

    def answer(messages: Any, info: Any) -> Any:
        return script.pop(0)

    agent = pydantic_ai.Agent(
        model(answer),
        toolsets=[pydantic_ai_toolset(client)],
    )
    result = asyncio.run(agent.run("Buy milk"))
    assert result.output == "done"
    pieces = [part for message in result.all_messages() for part in message.parts]
    assert "/user_id" in str(pieces[2])
    (output,) = (
        part
        for part in pieces
        if isinstance(part, parts.ToolReturnPart) and part.metadata is not None
    )
    assert json.loads(str(output.content))["title"] == "Buy milk"
    assert isinstance(output.metadata, todo.AddTaskResult)


def test_pydantic_ais_test_model_calls_every_tool_that_reads(
    catalog: Any, catalog_client: Any
) -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai", reason=WHY)
    pydantic_ai_toolset = import_module("fw_catalog.pydantic_ai").pydantic_ai_toolset

    toolset = pydantic_ai_toolset(catalog_client, include=catalog.read_only())
    model = import_module("pydantic_ai.models.test").TestModel()
    result = asyncio.run(pydantic_ai.Agent(model, toolsets=[toolset]).run("look"))
    assert set(json.loads(result.output)) == set(catalog.read_only())


def test_gemini_gets_contents(todo: Any, client: Any) -> None:
    types = pytest.importorskip("google.genai.types", reason=WHY)
    target = import_module("fw_todo.gemini")

    config = types.GenerateContentConfig(tools=target.TOOLS)
    names = [one.name for one in config.tools[0].function_declarations]
    assert names == [tool.value for tool in todo.Tool]
    calls = [
        {"function_call": {"name": "add_task", "args": ADD}},
        {"function_call": {"name": "complete_task", "args": {"user_id": USER}}},
    ]
    response = types.GenerateContentResponse.model_validate(
        {"candidates": [{"content": {"role": "model", "parts": calls}}]}
    )
    (content,) = target.run_function_calls(client, response)
    checked = types.Content.model_validate(content)
    good, wrong = (part.function_response.response for part in checked.parts)
    assert json.loads(good["output"])["title"] == "Buy milk"
    assert "/task_id" in wrong["error"]
