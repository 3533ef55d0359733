"""Every framework's way to call obeys the policy, and hands on cleaned results."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tests.targets.fakes import ONE, TASK, Fake, FakeAsync
from tests.targets.test_each_call import loop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.targets.test_each_call import Loop

__all__ = ["loop"]

WHY = "the framework is not installed"
HIDDEN: dict[str, Any] = {
    "content": [],
    "structuredContent": {**TASK, "title": "t\u200b\u202e sk-abc12345"},
}
POLICY = """
unreviewed = "allow"
[tools.complete_task]
results = { strip_hidden = true, mask = ["sk-[a-z0-9]+"] }
"""
NAMES = ("complete_task", "delete_task")


@pytest.fixture
def clients(todo: Any, tmp_path: Path) -> tuple[Any, Any, list[Any]]:
    """A client of each kind under a policy, and the calls that passed."""
    file = tmp_path / "policy.toml"
    file.write_text(POLICY, encoding="utf-8")
    policy = todo.Policy.load(file)
    fake, slow = Fake("fw_todo", HIDDEN), FakeAsync("fw_todo", HIDDEN)
    slow.calls = slow.inner.calls = fake.calls
    return (
        todo.Client(fake).with_options(policy=policy),
        todo.AsyncClient(slow).with_options(policy=policy),
        fake.calls,
    )


def check(answers: list[str], calls: list[Any]) -> None:
    """Check the answers to `NAMES`, and which of them was sent."""
    fine, denied = answers
    assert "t [masked]" in fine
    assert not [text for text in ("\u200b", "\u202e", "u200b", "u202e") if text in fine]
    assert "sk-" not in fine
    assert "the policy does not allow the call" in denied
    assert [name for name, _ in calls] == ["complete_task"]
    calls.clear()


def test_loops(loop: Loop, clients: tuple[Any, Any, list[Any]]) -> None:
    client, slow, calls = clients
    check([*loop[0](client, *NAMES).values()], calls)
    check([*asyncio.run(loop[1](slow, *NAMES)).values()], calls)


def test_a_toolbox(todo: Any, clients: tuple[Any, Any, list[Any]]) -> None:
    client, slow, calls = clients
    calls_of_the_model = [(name, ONE) for name in NAMES]
    box = todo.Toolbox(todo.toolset(client))
    check([answer.text for answer in box.run_each(calls_of_the_model)], calls)
    later = todo.Toolbox(todo.toolset(slow))
    answers: list[Any] = asyncio.run(later.run_each_async(calls_of_the_model))
    check([answer.text for answer in answers], calls)


def test_langchain(clients: tuple[Any, Any, list[Any]]) -> None:
    pytest.importorskip("langchain_core", reason=WHY)
    tools_of = import_module("fw_todo.langchain").langchain_tools
    client, slow, calls = clients
    blocking, awaited = (
        {tool.name: tool for tool in tools_of(each)} for each in (client, slow)
    )
    check([str(blocking[name].invoke(ONE)) for name in NAMES], calls)

    async def main() -> list[str]:
        return [str(await awaited[name].ainvoke(ONE)) for name in NAMES]

    check(asyncio.run(main()), calls)


def test_the_agents_sdk(clients: tuple[Any, Any, list[Any]]) -> None:
    pytest.importorskip("agents", reason=WHY)
    context = import_module("agents.tool_context").ToolContext
    tools_of = import_module("fw_todo.agents").agents_tools
    _, slow, calls = clients
    tools = {tool.name: tool for tool in tools_of(slow)}

    async def main() -> list[str]:
        text = json.dumps(ONE)
        about = {name: _context(context, name, text) for name in NAMES}
        return [
            str(await tools[name].on_invoke_tool(about[name], text)) for name in NAMES
        ]

    check(asyncio.run(main()), calls)


def _context(kind: Callable[..., Any], name: str, text: str) -> Any:
    return kind(context=None, tool_name=name, tool_call_id="c", tool_arguments=text)


def test_pydantic_ai(clients: tuple[Any, Any, list[Any]]) -> None:
    pydantic_ai = pytest.importorskip("pydantic_ai", reason=WHY)
    tools_of = import_module("fw_todo.pydantic_ai").pydantic_ai_toolset
    parts = import_module("pydantic_ai.messages")
    model = import_module("pydantic_ai.models.function").FunctionModel
    _, slow, calls = clients
    tool_calls = [parts.ToolCallPart(name, ONE) for name in NAMES]
    script = [parts.ModelResponse(parts=[part]) for part in tool_calls]
    script.append(parts.ModelResponse(parts=[parts.TextPart("done")]))

    def answer(_messages: Any, _info: Any) -> Any:
        return script.pop(0)

    agent = pydantic_ai.Agent(model(answer), toolsets=[tools_of(slow)])
    result = asyncio.run(agent.run("go"))
    listed = [part for message in result.all_messages() for part in message.parts]
    kinds = (parts.ToolReturnPart, parts.RetryPromptPart)
    check([str(part.content) for part in listed if isinstance(part, kinds)], calls)
