"""An executor has the tools that a model was offered, and runs their calls alone."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tests.targets.fakes import DONE, ONE, TASK, Fake, FakeAsync
from tests.targets.test_each_call import LOOPS

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.fixture(params=LOOPS)
def loop(request: pytest.FixtureRequest, todo: Any) -> Any:
    """The module of a framework, what writes its messages, and what reads answers."""
    module, _, message, read = LOOPS[request.param]
    return import_module(f"{todo.__name__}.{module}"), message, read


def test_a_message_gets_its_answers(todo: Any, loop: Any) -> None:
    target, message, read = loop
    fake, slow = Fake("fw_todo", DONE), FakeAsync("fw_todo", DONE)
    helper = target.executor(todo.Client(fake), include="complete_*")
    names = ("complete_task", "delete_task")
    answers = read(helper.run(message(names)))
    assert json.loads(answers["c0"])["title"] == "t"
    assert "no tool called 'delete_task'" in answers["c1"]
    assert list(read(helper.run(message(names), leave_unknown=True))) == ["c0"]
    awaited = target.executor(todo.AsyncClient(slow), exclude="delete_*")
    answers = read(asyncio.run(awaited.run_async(message(names))))
    assert "no tool called" in answers["c1"]
    assert [name for name, _ in (*fake.calls, *slow.calls)] == ["complete_task"] * 3
    assert repr(helper) == "<Executor of 1 tools>"


def test_what_an_executor_leaves_out_others_may_run(todo: Any, loop: Any) -> None:
    """An executor says for itself which tools a model has."""
    target, message, read = loop
    fake = Fake("fw_todo", DONE)
    client = todo.Client(fake)
    few, others = (
        target.executor(client, include=name) for name in ("list_*", "complete_*")
    )
    assert "no tool called" in read(few.run(message(("complete_task",))))["c0"]
    assert json.loads(read(others.run(message(("complete_task",))))["c0"])["id"] == 1


def test_one_call_is_json(todo: Any, loop: Any) -> None:
    target, _, _ = loop
    helper = target.executor(todo.Client(Fake("fw_todo", DONE)), include="*_task")
    assert helper("complete_task", json.dumps(ONE)) == {"result": TASK}
    outcomes: list[Mapping[str, Any]] = [
        helper("complete_task", {"user_id": 1}),
        helper("list_tasks", {}),
        helper("complete_task", "["),
        asyncio.run(helper.call_async("complete_task", {})),
    ]
    assert all(list(outcome) == ["error"] for outcome in outcomes)
    text = Fake("fw_todo", {"content": [{"type": "text", "text": "hello"}]})
    plain = target.executor([*todo.own(str_of), *todo.toolset(todo.Client(text))])
    assert plain("str_of", {"value": 1}) == {"result": "1"}


def test_a_server_that_is_down_is_an_error(todo: Any) -> None:
    target = import_module("fw_todo.openai")
    with todo.Client.http("http://127.0.0.1:9/mcp", timeout=2) as client:
        outcome = target.executor(client)("list_tasks", {"user_id": "u"})
    assert outcome["error"].startswith("cannot connect")


def test_tools_are_those_that_were_chosen(todo: Any) -> None:
    client = todo.Client(Fake("fw_todo", DONE))
    options: dict[str, Any] = {"include": "add_task", "prefix": "my"}
    openai = import_module("fw_todo.openai").executor(client, strict=True, **options)
    (tool,) = openai.tools
    assert (tool["function"]["name"], tool["function"]["strict"]) == (
        "my_add_task",
        True,
    )
    assert openai.responses_tools[0]["strict"] is True
    (tool,) = import_module("fw_todo.anthropic").executor(client, **options).tools
    assert tool["name"] == "my_add_task"
    (tool,) = import_module("fw_todo.gemini").executor(client, **options).tools
    assert tool["function_declarations"][0]["name"] == "my_add_task"
    nameless: Any = None
    answer = import_module("fw_todo.openai").executor(client)(nameless, {})
    assert "no tool called 'None'" in answer["error"]
    with pytest.raises(todo.McpError, match="no tool is called nope"):
        import_module("fw_todo.openai").executor(client, include="nope")


def test_a_hook_decides(todo: Any, loop: Any) -> None:
    target, _, _ = loop
    client = todo.Client(Fake("fw_todo", DONE))

    def deny(_tool: str, _arguments: object) -> bool:
        return False

    helper = target.executor(client, before_call=deny)
    assert helper("complete_task", ONE) == {"error": "the call was not approved"}


def str_of(value: int) -> str:
    """Return a number as text."""
    return str(value)
