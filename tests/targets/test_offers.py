"""A tool that no model was offered does not run, whatever a model asks for."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.targets.fakes import DONE, ONE, Fake, FakeAsync

if TYPE_CHECKING:
    from collections.abc import Iterator


def chat(name: str) -> dict[str, Any]:
    """Return a message of OpenAI's with one call."""
    function = {"name": name, "arguments": json.dumps(ONE)}
    return {"tool_calls": [{"id": "1", "type": "function", "function": function}]}


def blocks(name: str) -> dict[str, Any]:
    """Return a message of Anthropic's with one call."""
    call = {"type": "tool_use", "id": "1", "name": name, "input": ONE}
    return {"content": [call]}


def parts(name: str) -> dict[str, Any]:
    """Return a response of Gemini's with one call."""
    return {"function_calls": [{"id": "1", "name": name, "args": ONE}]}


TARGETS = [
    ("openai", "tools", "run_tool_calls", chat),
    ("openai", "responses_tools", "run_tool_calls", chat),
    ("anthropic", "tools", "run_tool_calls", blocks),
    ("gemini", "declarations", "run_function_calls", parts),
]


@pytest.fixture(params=TARGETS, ids=lambda row: f"{row[0]}.{row[1]}")
def target(request: pytest.FixtureRequest, todo: Any) -> Iterator[Any]:
    """A freshly imported module, so that no other test has made offers."""
    name, offer, run, message = request.param
    module = importlib.import_module(f"{todo.__name__}.{name}")
    del sys.modules[module.__name__]
    fresh: Any = importlib.import_module(module.__name__)
    run_async = getattr(fresh, f"{run}_async")
    yield getattr(fresh, offer), getattr(fresh, run), run_async, message
    sys.modules[module.__name__] = module


def test_what_was_not_offered_does_not_run(todo: Any, target: Any) -> None:
    offer, run, run_async, message = target
    fake, slow = Fake("fw_todo", DONE), FakeAsync("fw_todo", DONE)
    client = todo.Client(fake)
    run(client, message("delete_task"))  # offered by TOOLS, as far as anyone knows
    assert fake.calls.pop()[0] == "delete_task"
    offer(exclude="delete_task")
    for source in (client, todo.toolset(client), todo.Toolbox(todo.toolset(client))):
        assert "no tool called 'delete_task'" in str(
            run(source, message("delete_task"))
        )
    awaited = run_async(todo.AsyncClient(slow), message("delete_task"))
    assert "no tool called" in str(asyncio.run(awaited))
    assert fake.calls == slow.calls == []
    run(client, message("complete_task"))
    asyncio.run(run_async(todo.AsyncClient(slow), message("complete_task")))
    assert [name for name, _ in fake.calls + slow.calls] == ["complete_task"] * 2


def test_where_offers_differ_the_caller_says_which_counts(
    todo: Any, target: Any
) -> None:
    offer, run, run_async, message = target
    fake = Fake("fw_todo", DONE)
    client = todo.Client(fake)
    few, most = offer(include="complete_task"), offer(exclude="add_task")
    with pytest.raises(
        todo.McpError, match="cannot tell whether the model was offered"
    ):
        run(client, message("delete_task"))
    assert "no tool called" in str(run(client, message("delete_task"), offered=few))
    assert "no tool called" in str(run(client, message("add_task")))
    assert fake.calls == []
    run(client, message("delete_task"), offered=most)
    run(todo.toolset(client, include="delete_task"), message("delete_task"))
    assert [name for name, _ in fake.calls] == ["delete_task"] * 2
    slow = FakeAsync("fw_todo", DONE)
    asyncio.run(
        run_async(todo.AsyncClient(slow), message("delete_task"), offered=iter(most))
    )
    assert len(slow.calls) == 1
