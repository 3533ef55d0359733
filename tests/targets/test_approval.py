"""Programs and people are asked before a call."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tests.targets.fakes import DONE, ONE, Fake, FakeAsync

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    calls: list[str] = []

    def ask(tool: str, arguments: Mapping[str, Any]) -> Any:
        calls.append(tool)
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
    assert calls == ["delete_task"] * 2
    assert [name for name, _ in fake.calls] == ["complete_task"]


@pytest.mark.parametrize(("typed", "calls"), [("yes", 1), ("n", 0), ("", 0)])
def test_a_person_at_the_terminal_decides(
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


def allow(_tool: str, _arguments: Mapping[str, Any]) -> bool:
    """Allow every call."""
    return True


def deny(reason: str, reasons: list[str], todo: Any) -> Any:
    """Return a hook that denies deletions, and notes that it was asked."""

    def hook(tool: str, _arguments: Mapping[str, Any]) -> Any:
        reasons.append(reason)
        return tool != "delete_task" or todo.Deny(reason)

    return hook


def test_hooks_add_up_and_the_first_denial_counts(todo: Any) -> None:
    reasons: list[str] = []
    fake = Fake("fw_todo", DONE)
    guarded = todo.Client(fake).with_options(before_call=deny("first", reasons, todo))
    both = guarded.with_options(before_call=deny("second", reasons, todo))
    with pytest.raises(todo.DeniedError, match="first"):
        both.delete_task(**ONE)
    assert reasons == ["first"]
    both.complete_task(**ONE)
    assert reasons == ["first", "first", "second"]
    both.with_options(timeout=1).try_tool("delete_task", ONE)
    assert [name for name, _ in fake.calls] == ["complete_task"]
    both.with_options(before_call=None).call_tool("delete_task", ONE)
    assert [name for name, _ in fake.calls] == ["complete_task", "delete_task"]


def test_each_hook_sees_what_the_one_before_it_allowed(todo: Any) -> None:
    ids: list[int] = []

    def more(_tool: str, arguments: Mapping[str, Any]) -> Any:
        ids.append(arguments["task_id"])
        return todo.Replace({**arguments, "task_id": arguments["task_id"] + 1})

    fake = Fake("fw_todo", DONE)
    client = todo.Client(fake)
    for _ in range(3):
        client = client.with_options(before_call=more)
    client.complete_task(**ONE)
    assert ids == [1, 2, 3]
    assert fake.calls == [("complete_task", {**ONE, "task_id": 4})]


@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_a_guard_of_the_client_holds_for_tools_with_one_of_their_own(
    todo: Any, kind: str
) -> None:
    pytest.importorskip("langchain_core")
    langchain = import_module("fw_todo.langchain")
    fake = (Fake if kind == "Client" else FakeAsync)("fw_todo", DONE)
    client = getattr(todo, kind)(fake)
    guarded = client.with_options(before_call=deny("guard", [], todo))
    (tool,) = langchain.langchain_tools(
        guarded, include="delete_task", before_call=allow
    )
    assert "not approved: guard" in tool.invoke(ONE)
    box = todo.Toolbox(todo.toolset(guarded, before_call=allow))
    for source in (box, list(box), todo.toolset(box, before_call=allow)):
        target = import_module("fw_todo.openai")
        assert "guard" in target.execute(source, "delete_task", ONE)
    assert fake.calls == []


def test_a_raw_request_needs_approval_too(todo: Any, todo_url: str) -> None:
    call = {"name": "delete_task", "arguments": ONE}
    bad: tuple[dict[str, Any], ...] = (
        {},
        {"name": 1},
        {"name": "delete_task", "arguments": [1]},
    )

    def add(_tool: str, arguments: Mapping[str, Any]) -> Any:
        return todo.Replace({**arguments, "title": "replaced"})

    async def hook(tool: str, _arguments: Mapping[str, Any]) -> bool:
        return tool != "delete_task"

    with todo.Client.http(todo_url) as client:
        guarded = client.with_options(before_call=deny("no", [], todo))
        with pytest.raises(todo.DeniedError):
            guarded.request("tools/call", call)
        for params in bad:
            with pytest.raises(todo.McpError, match="expected the params"):
                guarded.request("tools/call", params)
        assert "tools" in guarded.request("tools/list")
        replaced = client.with_options(before_call=add).request(
            "tools/call",
            {"name": "add_task", "arguments": {"user_id": ONE["user_id"]}},
        )
        assert replaced["structuredContent"]["title"] == "replaced"

    async def main() -> None:
        async with todo.AsyncClient.http(todo_url) as client:
            guarded = client.with_options(before_call=hook)
            with pytest.raises(todo.DeniedError):
                await guarded.request("tools/call", call)
            assert "tools" in await guarded.request("tools/list")

    asyncio.run(main())
