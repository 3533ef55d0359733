"""OpenAI's own client gets tool calls from a scripted endpoint; they run for real."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from tests.targets.conftest import USER
from tests.targets.endpoint import scripted

if find_spec("openai") is None:  # importing it takes as long as collecting a room
    pytest.skip("the extra `frameworks` is not installed", allow_module_level=True)

TITLE = "Buy milk"
ADD = json.dumps({"user_id": USER, "title": TITLE, "notes": None})


def chat(*calls: tuple[str, str], text: str | None = None) -> dict[str, Any]:
    """Return a chat completion with tool calls, or with a text."""
    tool_calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for number, (name, arguments) in enumerate(calls)
    ]
    message = {"role": "assistant", "content": text, "tool_calls": tool_calls or None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [
            {"index": 0, "finish_reason": "tool_calls", "message": message},
        ],
    }


def test_a_chat_ends_with_what_the_tool_said(todo: Any, client: Any) -> None:
    target = import_module("fw_todo.openai")

    calls = [("add_task", ADD), ("nope", "{}"), ("list_tasks", "[1]")]
    with scripted(chat(*calls), chat(text="done")) as endpoint:
        model = import_module("openai").OpenAI(
            base_url=f"{endpoint.url}/v1", api_key="none"
        )
        messages: list[Any] = [{"role": "user", "content": "Buy milk"}]
        answer = model.chat.completions.create(
            model="scripted", messages=messages, tools=target.tools(strict=True)
        )
        message = answer.choices[0].message
        messages += [message, *target.run_tool_calls(client, message)]
        last = model.chat.completions.create(
            model="scripted", messages=messages, tools=target.TOOLS
        )
    assert last.choices[0].message.content == "done"
    sent = endpoint.requests[1]["messages"]
    added, unknown, bad = (one["content"] for one in sent if one["role"] == "tool")
    assert json.loads(added)["title"] == TITLE
    assert "no tool called 'nope'" in unknown
    assert "must be a JSON object" in bad
    assert [one["tool_call_id"] for one in sent[2:]] == ["call_0", "call_1", "call_2"]


def test_a_response_ends_with_what_the_tool_said(todo: Any, todo_url: str) -> None:
    target = import_module("fw_todo.openai")

    first = response(
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_7",
            "name": "add_task",
            "arguments": ADD,
            "status": "completed",
        }
    )
    done: dict[str, Any] = {"type": "output_text", "text": "done", "annotations": []}
    last = response(
        {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": [done],
        }
    )

    async def main() -> tuple[str, Any]:
        with scripted(first, last) as endpoint:
            model = import_module("openai").AsyncOpenAI(
                base_url=f"{endpoint.url}/v1", api_key="none"
            )
            items: list[Any] = [{"role": "user", "content": "Buy milk"}]
            async with todo.AsyncClient.http(todo_url) as client:
                answer = await model.responses.create(
                    model="scripted", input=items, tools=target.RESPONSES_TOOLS
                )
                items += answer.output
                items += await target.run_tool_calls_async(client, answer)
            again = await model.responses.create(model="scripted", input=items)
            return again.output_text, endpoint.requests

    text, requests = asyncio.run(main())
    assert text == "done"
    (output,) = (
        item
        for item in requests[1]["input"]
        if item.get("type") == "function_call_output"
    )
    assert output["call_id"] == "call_7"
    assert json.loads(output["output"])["title"] == TITLE
    assert all(tool["strict"] is False for tool in requests[0]["tools"])


def response(*output: dict[str, Any]) -> dict[str, Any]:
    """Return a response of the Responses API."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "scripted",
        "output": list(output),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def test_a_failure_that_a_model_can_mend_is_a_text(todo: Any, client: Any) -> None:
    target = import_module("fw_todo.openai")

    missing = target.execute(
        client, "complete_task", json.dumps({"user_id": USER, "task_id": 999_999})
    )
    assert missing.startswith("TASK_NOT_FOUND")
    invalid = target.execute(client, "complete_task", {"user_id": USER})
    assert "/task_id" in invalid
    assert "did you mean add_task?" in target.execute(client, "add_tsk", "{}")


def test_an_unreachable_server_is_for_the_program(todo: Any) -> None:
    target = import_module("fw_todo.openai")

    client = todo.Client.http("http://127.0.0.1:9/mcp", timeout=2)
    with client, pytest.raises(todo.TransportError):
        target.execute(client, "list_tasks", {"user_id": USER})


def test_the_json_file_is_what_the_module_gives(todo: Any, packages: Any) -> None:
    target = import_module("fw_todo.openai")

    text = (packages / "fw_todo" / "openai.json").read_text()
    assert text.isascii()
    assert json.loads(text) == json.loads(json.dumps(target.TOOLS))
    names = [tool["function"]["name"] for tool in target.tools(include="*_task")]
    assert names == ["add_task", "complete_task", "delete_task", "update_task"]
