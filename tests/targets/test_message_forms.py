"""The forms of a model's messages: each call in one is run, or the form is refused."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest

from tests.targets.fakes import DONE, ONE, Fake

WHY = "the extra `frameworks` is not installed"
TEXT = json.dumps(ONE)
CAMEL = {"functionCall": {"name": "complete_task", "args": ONE, "id": "c0"}}
SNAKE = {"function_call": {"name": "complete_task", "args": ONE, "id": "c0"}}
CHAT = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "c0",
            "type": "function",
            "function": {"name": "complete_task", "arguments": TEXT},
        },
        {"id": "c1", "type": "custom", "custom": {"name": "grep", "input": "x"}},
    ],
}
ITEM = {
    "type": "function_call",
    "call_id": "c0",
    "name": "complete_task",
    "arguments": TEXT,
}
USE = {"type": "tool_use", "id": "c0", "name": "complete_task", "input": ONE}


def response(*parts: object, **members: object) -> dict[str, Any]:
    """Return a response of Gemini's REST interface."""
    content = {"role": "model", "parts": [{"text": "I call it."}, *parts]}
    return {"candidates": [{"content": content}], **members}


def answers(todo: Any, module: str, message: object, **options: Any) -> list[Any]:
    """Return the answers to a message; each tool that runs is in the list of calls."""
    target = import_module(f"{todo.__name__}.{module}")
    run = getattr(target, "run_function_calls", None) or target.run_tool_calls
    replies = run(todo.Client(Fake("fw_todo", DONE)), message, **options)
    helper = target.executor(todo.Client(Fake("fw_todo", DONE)))
    assert options or helper.run(message) == replies
    return [*replies]


@pytest.mark.parametrize(
    "message",
    [
        response(CAMEL),
        response(SNAKE),
        {"parts": [CAMEL]},
        {"function_calls": [SNAKE["function_call"]]},
        {"functionCalls": [CAMEL["functionCall"]]},
        {"toolCall": {"functionCalls": [CAMEL["functionCall"]]}, "usageMetadata": {}},
        {"tool_call": {"function_calls": [CAMEL["functionCall"]]}},
    ],
)
def test_gemini_reads_the_json_of_rest(todo: Any, message: object) -> None:
    (content,) = answers(todo, "gemini", message)
    (part,) = content["parts"]
    assert part["function_response"]["id"] == "c0"
    assert json.loads(part["function_response"]["response"]["output"])["title"] == "t"


@pytest.mark.parametrize(
    "message",
    [
        response(),
        response(candidates=[]),
        response(candidates=[{"finishReason": "SAFETY"}]),
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"usageMetadata": {}},
        {"modelVersion": "m", "responseId": "r"},
        {"serverContent": {"turnComplete": True}},
        {"role": "model"} | {"parts": None},
    ],
)
def test_gemini_may_call_nothing(todo: Any, message: object) -> None:
    assert answers(todo, "gemini", message) == []


def test_gemini_reads_the_objects_of_googles_package(todo: Any) -> None:
    types = pytest.importorskip("google.genai.types", reason=WHY)
    whole = types.GenerateContentResponse.model_validate(response(CAMEL))
    live = types.LiveServerToolCall.model_validate(
        {"functionCalls": [CAMEL["functionCall"]]}
    )
    content = whole.candidates[0].content
    event = types.LiveServerMessage(tool_call=live)
    bare = whole.model_dump(), whole.to_json_dict(), event.model_dump()
    for message in (whole, content, live, event, *bare):
        assert answers(todo, "gemini", message)[0]["parts"]
    assert not answers(todo, "gemini", types.LiveServerMessage())
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
    for raw in (response(), blocked):
        assert not answers(
            todo, "gemini", types.GenerateContentResponse.model_validate(raw)
        )


PIECES: list[dict[str, Any]] = [{"willContinue": True}, {"partial_args": [1]}]


@pytest.mark.parametrize("piece", PIECES)
def test_gemini_runs_no_piece_of_a_call(todo: Any, piece: dict[str, Any]) -> None:
    part = {"functionCall": {"name": "complete_task", **piece}}
    with pytest.raises(todo.McpError, match="expected a call with all its arguments"):
        answers(todo, "gemini", response(part))


@pytest.mark.parametrize(
    ("module", "message"), [("openai", CHAT), ("openai", {"output": [{}, ITEM]})]
)
def test_openai_reads_json(todo: Any, module: str, message: object) -> None:
    (answer,) = answers(todo, module, message)
    text = answer.get("content") or answer.get("output")
    assert json.loads(text)["title"] == "t"


def test_openai_reads_the_objects_of_its_package(todo: Any) -> None:
    types = pytest.importorskip("openai.types.chat", reason=WHY)
    responses = import_module("openai.types.responses")
    chat = types.ChatCompletionMessage.model_validate(CHAT)
    plain = types.ChatCompletionMessage(role="assistant", content="Hello")
    whole = responses.Response.model_construct(
        output=[responses.ResponseFunctionToolCall.model_validate(ITEM)]
    )
    for message in (chat, chat.model_dump(), whole):
        assert len(answers(todo, "openai", message)) == 1
    assert answers(todo, "openai", plain) == []
    assert answers(todo, "openai", {"role": "assistant", "tool_calls": None}) == []


def test_anthropic_reads_the_objects_of_its_package(todo: Any) -> None:
    types = pytest.importorskip("anthropic.types", reason=WHY)
    raw = {"content": [{"type": "text", "text": "I call it."}, USE]}
    message = types.Message.model_construct(
        content=[types.ToolUseBlock.model_validate(USE)]
    )
    for each in (message, message.model_dump(), raw):
        assert answers(todo, "anthropic", each)[0]["content"]
    assert answers(todo, "anthropic", {"content": "Hello"}) == []
    assert answers(todo, "anthropic", {"content": None}) == []


@pytest.mark.parametrize(
    ("module", "message", "words"),
    [
        ("gemini", [response(CAMEL)], "class list; no call was made"),
        ("gemini", {"error": {"code": 429}}, "an object with error"),
        ("gemini", {"candidates": {"content": {}}}, "expected a list of candidates"),
        ("gemini", {"parts": CAMEL}, "expected a list of parts"),
        ("gemini", {}, "an object with nothing"),
        ("openai", {"choices": [{"message": CHAT}]}, "choices.0..message of a chat"),
        ("openai", [ITEM], "class list"),
        ("openai", None, "class NoneType"),
        (
            "openai",
            {"content": None, "function_call": {"name": "complete_task"}},
            "expected tool_calls, not a function_call",
        ),
        ("openai", {"tool_calls": {0: CHAT}}, "expected a list of tool_calls"),
        (
            "openai",  # of LangChain
            {"content": "", "tool_calls": [{"name": "complete_task", "args": ONE}]},
            "expected a call with a function, got an object with name, args",
        ),
        ("openai", {"output": "text"}, "expected a list as output"),
        ("anthropic", [USE], "class list"),
        ("anthropic", {"type": "error", "error": {}}, "with type, error"),
        ("anthropic", {"content": USE}, "expected a list of blocks"),
    ],
)
def test_another_form_is_refused(
    todo: Any, module: str, message: object, words: str
) -> None:
    """A loop that reads no call in it would end as if the model had made none."""
    with pytest.raises(todo.McpError, match=words):
        answers(todo, module, message)


@pytest.mark.parametrize(
    ("module", "message", "builtin"),
    [
        ("gemini", response(CAMEL), {"google_search": {}}),
        ("openai", CHAT, {"type": "web_search"}),
        ("anthropic", {"content": [USE]}, {"type": "bash_20250124"}),
    ],
)
def test_the_tools_of_a_request_say_what_was_offered(
    todo: Any, module: str, message: object, builtin: dict[str, Any]
) -> None:
    target = import_module(f"{todo.__name__}.{module}")
    helper = target.executor(todo.Client(Fake("fw_todo", DONE)), include="complete_*")
    few = target.executor(todo.Client(Fake("fw_todo", DONE)), include="list_*")
    for tools, is_offered in ((helper.tools, True), (few.tools, False)):
        replies = answers(todo, module, message, offered=[builtin, *tools])
        assert ("no tool called" not in str(replies)) is is_offered
    if module == "gemini":
        camel = [{"functionDeclarations": helper.tools[0]["function_declarations"]}]
        replies = answers(todo, module, message, offered=camel)
        assert "no tool called" not in str(replies)
