"""Cases of a stranger who knows no more than the promises of docs/policy.md."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.strict_json import dumps

from tests.policy.counting import AsyncCountingServer, CountingServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIST = "[tools.list_items.arguments]\nsize = { maximum = 5 }\n"


def test_an_alias_and_another_server_do_not_change_whose_policy_counts(
    shop: Any, load: Callable[..., Any]
) -> None:
    first, second = CountingServer(), CountingServer()
    policy = load("[tools.list_items]\n[tools.fetch_page]\n")
    box = shop.Toolbox(
        shop.toolset(
            first.client(shop.Client, "one").with_options(policy=policy), prefix="a"
        ),
        shop.toolset(second.client(shop.Client, "two"), prefix="b"),
    )
    denied = box.run("a_delete_item", {"id": 1})
    assert denied.is_error
    assert "the policy does not allow" in denied.text
    assert not box.run("b_delete_item", {"id": 1}).is_error
    assert not box.run("a_list_items", {}).is_error
    assert box.run("delete_item", {"id": 1}).is_error  # no tool has this name
    assert first.calls == [("list_items", {})]
    assert second.calls == [("delete_item", {"id": 1})]
    with pytest.raises(shop.ConfigError, match="no such tool"):
        load("[tools.a_list_items]\n")


class Twice(dict[str, Any]):
    """Lists one key twice, with two values."""

    def items(self) -> Any:
        return [("size", 1), ("size", 999)]

    def __iter__(self) -> Iterator[str]:
        return iter(["size", "size"])


class Text(str):
    """A text that is another key each time."""

    __slots__ = ()

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class Number(int):
    """A number that says to be small, and another one in words."""

    def __le__(self, other: object) -> bool:
        return True

    def __repr__(self) -> str:
        return "1"


class Ping(str):
    """A method that claims to be another one."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash("ping")

    def __eq__(self, other: object) -> bool:
        return other == "ping" or str.__eq__(self, other)

    def __str__(self) -> str:
        return "ping"


def test_a_method_is_what_its_characters_say(
    shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    client = server.client(shop.Client).with_options(policy=load(LIST))
    for method in ("tools/call", "resources/read"):
        with pytest.raises(shop.DeniedError):
            client.request(Ping(method), {"name": "delete_item", "arguments": {}})
    assert (server.calls, server.methods) == ([], [])


@pytest.mark.parametrize(
    "arguments",
    [
        *(Twice(size=1), {Text("size"): 1, Text("size"): 999}),
        *({"size": Number(999)}, {"size": 5.5}, {"size": "5"}, {1: 1, "size": 1}),
    ],
    ids=["two items", "two keys", "number", "float", "text", "key"],
)
@pytest.mark.parametrize("raw", [False, True])
def test_arguments_that_are_not_what_they_seem(
    arguments: Any, shop: Any, load: Callable[..., Any], *, raw: Any
) -> None:
    server, later = CountingServer(), AsyncCountingServer()
    params = {"name": "list_items", "arguments": arguments}

    def call(client: Any) -> Any:
        if raw:
            return client.request("tools/call", params)
        return client.call_tool("list_items", arguments)

    async def main() -> None:
        client = later.client(shop.AsyncClient).with_options(policy=load(LIST))
        try:
            await call(client)
        except shop.McpError:
            assert later.calls == []

    try:
        call(server.client(shop.Client).with_options(policy=load(LIST)))
    except shop.McpError:
        assert server.calls == []
    asyncio.run(main())
    for _, sent in (*server.calls, *later.calls):
        assert sent == {"size": 1}


def test_a_tool_that_calls_tools(shop: Any, load: Callable[..., Any]) -> None:
    server = CountingServer()
    calls: list[Any] = []

    def approve(request: Any) -> bool:
        """Look the thing up first, with a tool, then with one that nobody may call."""
        calls.append(request.tool)
        client.list_items()
        client.fetch_page(url="u")
        return True

    entries = '[tools.delete_item]\napproval = "always"\n[tools.list_items]\n'
    policy = load(entries, approve=approve)
    client: Any = server.client(shop.Client).with_options(policy=policy)
    with pytest.raises(shop.PolicyError, match="the approver failed: PolicyError"):
        client.delete_item(id=1)
    assert calls == ["delete_item"]
    assert server.calls == [("list_items", {})]


def test_a_question_that_lives_longer_than_the_policy_says(
    shop: Any, load: Callable[..., Any]
) -> None:
    server, supervisor = CountingServer(), shop.Supervisor()
    policy = load(
        '[tools.delete_item]\napproval = "always"\n',
        supervisor=supervisor,
        approval_seconds=60,
    )
    client = server.client(shop.Client).with_options(policy=policy)
    question = client.try_tool("delete_item", {"id": 1}).error.pending
    supervisor.grant(replace(question, expires=question.expires + 3_600))
    with pytest.raises(shop.ApprovalRequired):
        client.delete_item(id=1)
    other = replace(question, id="another")  # no longer that of these arguments
    supervisor.grant(other)
    with pytest.raises(shop.ApprovalRequired):
        client.delete_item(id=1)
    assert server.calls == []


def test_five_tasks_and_one_approval(shop: Any, load: Callable[..., Any]) -> None:
    server, supervisor = AsyncCountingServer(), shop.Supervisor()
    policy = load('[tools.delete_item]\napproval = "always"\n', supervisor=supervisor)
    client = server.client(shop.AsyncClient).with_options(policy=policy)
    call = partial(client.try_tool, "delete_item", {"id": 1})

    async def main() -> list[Any]:
        supervisor.grant((await call()).error.pending)
        return [*await asyncio.gather(*(call() for _ in range(5)))]

    errors = [outcome.error for outcome in asyncio.run(main())]
    assert sum(error is None for error in errors) == 1
    assert server.calls == [("delete_item", {"id": 1})]


@pytest.mark.parametrize(
    "texts",
    [
        ['\n"\\' * 3_000],
        ["\u200b\u00e9\U0001f600" * 3_000],
        ["x"] * 3_000,
        ["x" * 9_000],
    ],
    ids=["escapes", "wide", "many blocks", "one block"],
)
def test_a_result_has_no_more_bytes_than_the_policy_says(
    texts: list[str], shop: Any, load: Callable[..., Any]
) -> None:
    server = CountingServer()
    blocks = [{"type": "text", "text": text} for text in texts]
    server.result = {"content": blocks, "structuredContent": {"x": texts}}
    policy = load("[tools.list_items]\nresults = { max_bytes = 1000 }\n")
    client = server.client(shop.Client).with_options(policy=policy)
    result = client.list_items()
    size = len(dumps(result.raw))
    assert 900 < size <= 1_000
    assert "cut by the policy" in result.text
    assert result.text[:1] == texts[0][:1]
