"""Each call of a model's message gets one answer, whatever happens to the others."""

from __future__ import annotations

import asyncio
import json
import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.launch import serve_http
from tests.targets.fakes import DONE, ONE, Fake, FakeAsync

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOBODY = "http://127.0.0.1:9/mcp"
Names = tuple[str, ...]


def chat(names: Names) -> dict[str, Any]:
    """Return a message of a chat completion with a call of each tool."""
    calls = [
        {"id": f"c{n}", "function": {"name": name, "arguments": json.dumps(ONE)}}
        for n, name in enumerate(names)
    ]
    return {"tool_calls": calls}


def output(names: Names) -> dict[str, Any]:
    """Return a response of the Responses API with a call of each tool."""
    calls = [
        {
            "type": "function_call",
            "call_id": f"c{n}",
            "name": name,
            "arguments": json.dumps(ONE),
        }
        for n, name in enumerate(names)
    ]
    return {"output": calls}


def blocks(names: Names) -> dict[str, Any]:
    """Return a message of Anthropic's with a call of each tool."""
    calls = [
        {"type": "tool_use", "id": f"c{n}", "name": name, "input": ONE}
        for n, name in enumerate(names)
    ]
    return {"content": calls}


def parts(names: Names) -> dict[str, Any]:
    """Return a response of Gemini's with a call of each tool."""
    calls = [{"id": f"c{n}", "name": name, "args": ONE} for n, name in enumerate(names)]
    return {"function_calls": calls}


def read_chat(messages: Any) -> dict[str, str]:
    """Return the text of each answer by the id of its call."""
    return {one["tool_call_id"]: one["content"] for one in messages}


def read_output(items: Any) -> dict[str, str]:
    """Return the text of each answer by the id of its call."""
    return {one["call_id"]: one["output"] for one in items}


def read_blocks(messages: Any) -> dict[str, str]:
    """Return the text of each answer by the id of its call."""
    listed: list[Any] = messages[0]["content"] if messages else []
    return {one["tool_use_id"]: one["content"] for one in listed}


def read_parts(contents: Any) -> dict[str, str]:
    """Return the text of each answer by the id of its call."""
    listed: list[Any] = contents[0]["parts"] if contents else []
    responses: list[Any] = [part["function_response"] for part in listed]
    return {one["id"]: "".join(one["response"].values()) for one in responses}


LOOPS = {
    "chat": ("openai", "run_tool_calls", chat, read_chat),
    "responses": ("openai", "run_tool_calls", output, read_output),
    "anthropic": ("anthropic", "run_tool_calls", blocks, read_blocks),
    "gemini": ("gemini", "run_function_calls", parts, read_parts),
}
Loop = Any


@pytest.fixture(params=LOOPS)
def loop(request: pytest.FixtureRequest, todo: Any) -> Loop:
    """The module of a framework: runs the calls of some tools, returns the answers."""
    module, run, message, read = LOOPS[request.param]
    target = import_module(f"{todo.__name__}.{module}")
    blocking, awaited = getattr(target, run), getattr(target, f"{run}_async")

    def answers(source: Any, *names: str, **options: Any) -> dict[str, str]:
        return read(blocking(source, message(names), **options))

    async def answers_async(source: Any, *names: str, **options: Any) -> dict[str, str]:
        return read(await awaited(source, message(names), **options))

    return answers, answers_async


class Breaking(Fake):
    """Answers each call but one, which raises."""

    def __init__(self, error: BaseException) -> None:
        super().__init__("fw_todo", DONE)
        self.error = error

    def call_tool(self, name: str, arguments: Any, /) -> Any:
        result = super().call_tool(name, arguments)
        if name == "delete_task":
            raise self.error
        return result


class BreakingAsync(FakeAsync):
    """The same for tasks."""

    def __init__(self, error: BaseException) -> None:
        self.inner = Breaking(error)
        self.calls = self.inner.calls


THREE = ("complete_task", "delete_task", "complete_task")


@pytest.mark.parametrize("is_async", [False, True])
def test_a_call_that_fails_loses_no_other(
    todo: Any, loop: Loop, *, is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    error = todo.TransportError("the server went away")
    fake = (BreakingAsync if is_async else Breaking)(error)
    with caplog.at_level(logging.WARNING):
        if is_async:
            answers = asyncio.run(loop[1](todo.AsyncClient(fake), *THREE))
        else:
            answers = loop[0](todo.Client(fake), *THREE)
    assert list(answers) == ["c0", "c1", "c2"]
    assert answers["c1"] == "the server went away\nThe tool may have run."
    assert json.loads(answers["c0"]) == json.loads(answers["c2"])
    assert [name for name, _ in fake.calls] == list(THREE)
    assert "the call delete_task (c1) failed" in caplog.text


def test_the_error_of_a_hook_is_for_the_program(todo: Any, loop: Loop) -> None:
    def hook(_tool: str, _arguments: object) -> bool:
        raise RuntimeError("password=hunter2")

    client = todo.Client(Fake("fw_todo", DONE)).with_options(before_call=hook)
    (text,) = loop[0](client, "complete_task").values()
    assert text == "the call ended with RuntimeError\nThe tool may have run."


@pytest.mark.parametrize("is_async", [False, True])
def test_an_interrupt_says_how_far_the_calls_have_come(
    todo: Any, loop: Loop, *, is_async: bool
) -> None:
    error = (asyncio.CancelledError if is_async else KeyboardInterrupt)()
    fake = (BreakingAsync if is_async else Breaking)(error)

    def run() -> object:
        if is_async:
            return asyncio.run(loop[1](todo.AsyncClient(fake), *THREE))
        return loop[0](todo.Client(fake), *THREE)

    with pytest.raises((KeyboardInterrupt, asyncio.CancelledError)) as caught:
        run()
    notes = "".join(caught.value.__notes__)
    assert notes.splitlines() == [
        "calls that have an answer: complete_task (c0)",
        "interrupted, so that it may have run: delete_task (c1)",
        "not begun: complete_task (c2)",
    ]


def test_calls_of_other_tools_are_left_to_the_caller(todo: Any, loop: Loop) -> None:
    names = ("mine", "complete_task", "web_search")
    fake, slow = Fake("fw_todo", DONE), FakeAsync("fw_todo", DONE)
    answers = loop[0](todo.Client(fake), *names, leave_unknown=True)
    assert list(answers) == ["c1"]
    box = todo.Toolbox(todo.toolset(todo.AsyncClient(slow)))
    awaited = loop[1](box, *names, leave_unknown=True)
    assert list(asyncio.run(awaited)) == ["c1"]
    assert list(loop[0](todo.Client(fake), *names)) == ["c0", "c1", "c2"]
    assert loop[0](todo.Client(fake), "mine", leave_unknown=True) == {}


def test_a_list_of_tools_may_be_an_iterator(todo: Any, loop: Loop) -> None:
    fake = Fake("fw_todo", DONE)
    tools = iter(todo.toolset(todo.Client(fake)))
    assert len(loop[0](tools, "complete_task", "complete_task")) == 2
    assert len(fake.calls) == 2


@pytest.fixture(scope="module")
def own_todo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The todo server with a database of its own, without tasks."""
    with serve_http("todo", cwd=tmp_path_factory.mktemp("todo")) as url:
        yield url


@pytest.mark.parametrize("is_async", [False, True])
def test_a_server_that_is_down_is_an_answer(
    todo: Any, own_todo_url: str, loop: Loop, *, is_async: bool
) -> None:
    kind = todo.AsyncClient if is_async else todo.Client
    box = todo.Toolbox(
        todo.toolset(kind.http(NOBODY, timeout=2), include="list_tasks"),
        todo.toolset(kind.http(own_todo_url), include="complete_task"),
    )

    async def main() -> dict[str, str]:
        async with box:
            answers: dict[str, str] = await loop[1](box, *names, leave_unknown=True)
            return answers

    names = ("list_tasks", "complete_task")
    if is_async:
        answers = asyncio.run(main())
    else:
        with box:
            answers = loop[0](box, *names, leave_unknown=True)
    assert answers["c0"].startswith("cannot connect to the server")
    assert "TASK_NOT_FOUND" in answers["c1"]


def test_a_toolbox_answers_each_call(todo: Any) -> None:
    error = todo.AuthError(401, {})
    calls: list[tuple[str, Any]] = [(name, ONE) for name in THREE]
    box = todo.Toolbox(todo.toolset(todo.Client(Breaking(error))))
    slow = todo.Toolbox(todo.toolset(todo.AsyncClient(BreakingAsync(error))))
    for answers in (box.run_each(calls), asyncio.run(slow.run_each_async(calls))):
        assert [answer.is_error for answer in answers] == [False, True, False]
        assert answers[1].error is error
        assert answers[1].text.endswith("\nThe tool has not run.")
    with pytest.raises(todo.AuthError):
        box.run("delete_task", ONE)


def test_a_name_of_a_tool_is_no_part_of_a_toolbox(todo: Any) -> None:
    """A server can name tools as it likes; a client has methods of these names."""
    members: dict[str, Callable[..., Any]] = {
        name: lambda *_: 1 / 0 for name in ("tools", "reach", "reach_async")
    }
    client = type("Client", (todo.Client,), members)(Fake("fw_todo", DONE))
    target = import_module("fw_todo.openai")
    assert json.loads(target.execute(client, "complete_task", ONE))["title"] == "t"


@pytest.mark.parametrize("arguments", [[1], 7])
def test_arguments_that_are_no_object_are_an_answer(todo: Any, arguments: Any) -> None:
    target = import_module("fw_todo.anthropic")
    use = {"type": "tool_use", "id": "1", "name": "list_tasks", "input": arguments}
    client = todo.Client(Fake("fw_todo", DONE))
    (message,) = target.run_tool_calls(client, {"content": [use]})
    assert "must be a JSON object" in message["content"][0]["content"]
