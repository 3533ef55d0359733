"""Each way to make a call, and each way round the policy."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import pickle
from collections import UserDict
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.policy.counting import CountingServer

LIST = '[tools.list_items]\nrisk = "low"\n'
RAW = {"name": "delete_item", "arguments": {"id": 1}}

WAYS: dict[str, Callable[[Any, Any], object]] = {
    "method": lambda c, _: c.delete_item(id=1),
    "function": lambda c, shop: shop.delete_item(c, id=1),
    "call_tool": lambda c, _: c.call_tool("delete_item", {"id": 1}),
    "request": lambda c, _: c.request("tools/call", RAW),
    "no hook": lambda c, _: c.with_options(before_call=None).delete_item(id=1),
    "no hook, raw": lambda c, _: c.with_options(before_call=None).request(
        "tools/call", RAW
    ),
    "copy": lambda c, _: _copied(c).delete_item(id=1),
    "run": lambda c, _: c._run(
        c._channel.session.request(c._request("tools/call", RAW)), "tools/call"
    ),
}


def _copied(client: Any) -> Any:
    kind: Any = client.__class__
    other: Any = kind.__new__(kind)
    other.__dict__ |= client.__dict__
    return other


@pytest.mark.parametrize("way", WAYS)
def test_no_way_leads_round_the_policy(
    way: str, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client)
    WAYS[way](client, shop)
    assert len(server.calls) == 1
    denied = client.with_options(policy=load(LIST))
    with pytest.raises(shop.DeniedError) as caught:
        WAYS[way](denied, shop)
    assert caught.value.rule == "default.tools"
    assert caught.value.outcome == "not sent"
    assert len(server.calls) == 1
    denied.list_items()
    assert len(server.calls) == 2


def test_values_instead_of_errors_and_answers_for_models(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client).with_options(policy=load(LIST))
    outcome = client.try_tool("delete_item", {"id": 1})
    assert isinstance(outcome.error, shop.PolicyError)
    failed, fine = client.call_many(
        [partial(client.delete_item, id=1), client.list_items]
    )
    assert isinstance(failed, shop.DeniedError)
    assert fine.text == "{}"
    with shop.Toolbox(shop.toolset(client)) as box:
        answer = box.run("delete_item", {"id": 1})
    assert answer.is_error
    assert "policy" in answer.text
    assert [name for name, _ in server.calls] == ["list_items"]


def test_a_transport_of_ones_own_obeys(shop: Any, load: Callable[..., Any]) -> None:
    class Own:
        def __init__(self) -> None:
            self.calls: list[Any] = []

        def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
            self.calls.append((name, arguments))
            return shop.ToolResult.from_wire({"content": []})

        def close(self) -> None:
            pass

    class OwnAsync:
        def __init__(self) -> None:
            self.calls: list[Any] = []

        async def call_tool(self, name: str, arguments: Mapping[str, Any], /) -> Any:
            self.calls.append((name, arguments))
            return shop.ToolResult.from_wire({"content": []})

        async def close(self) -> None:
            pass

    policy = load(LIST)
    own, own_async = Own(), OwnAsync()
    client = shop.Client(own).with_options(policy=policy)
    with pytest.raises(shop.DeniedError):
        client.delete_item(id=1)
    client.list_items(size=1)
    assert own.calls == [("list_items", {"size": 1})]
    later = shop.AsyncClient(own_async).with_options(policy=policy)

    async def main() -> None:
        await later.list_items(size=2)
        with pytest.raises(shop.DeniedError):
            await later.delete_item(id=1)

    asyncio.run(main())
    assert own_async.calls == [("list_items", {"size": 2})]


def test_nothing_takes_a_policy_from_a_client(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load(LIST)
    client = server.client(shop.Client).with_options(policy=policy)
    for other in (None, False, "none"):
        with pytest.raises(shop.ConfigError, match="keeps the policies"):
            client.with_options(policy=other)
    # One more policy can only deny more.
    wider = client.with_options(policy=load("[tools.delete_item]\n"))
    for call in (partial(wider.delete_item, id=1), wider.list_items):
        with pytest.raises(shop.DeniedError):
            call()
    for change in ("document", "powers"):
        with pytest.raises(AttributeError):
            setattr(policy, change, None)
    with pytest.raises(TypeError):
        pickle.dumps(policy)
    with pytest.raises(TypeError):
        copy.copy(client)
    assert server.calls == []


def test_arguments_that_change_after_the_check_are_sent_as_checked(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    nested: dict[str, Any] = {"paths": ["/data/a"]}

    def change(_message: dict[str, Any]) -> list[dict[str, Any]]:
        nested["paths"].append("/etc/passwd")
        return []

    def decide(_tool: str, arguments: dict[str, Any]) -> bool:
        arguments["action"] = "delete"
        arguments["nested"]["paths"].append("/etc/shadow")
        return True

    entry = '[tools.manage_item.paths]\n"/nested/paths/*" = { allowed = ["/data"] }\n'
    policy = load(entry, decide=decide)
    client = server.client(shop.Client).with_options(policy=policy)
    server.before = change
    client.call_tool("manage_item", {"action": "show", "nested": nested})
    sent = {"action": "show", "nested": {"paths": ["/data/a"]}}
    assert server.calls == [("manage_item", sent)]
    # What is written into it now is checked at the next call.
    with pytest.raises(shop.DeniedError):
        client.call_tool("manage_item", {"action": "show", "nested": nested})


def test_what_a_hook_changes_is_decided_again(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load('[tools.manage_item.arguments]\naction = { allowed = ["show"] }\n')

    def hook(_tool: str, arguments: dict[str, Any]) -> Any:
        return shop.Replace({**arguments, "action": "delete"})

    client = server.client(shop.Client).with_options(before_call=hook, policy=policy)
    with pytest.raises(shop.DeniedError, match="action"):
        client.manage_item(action="show")
    assert server.calls == []


def test_a_denied_call_asks_nobody(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    asked: list[str] = []

    def hook(tool: str, _arguments: object) -> bool:
        asked.append(tool)
        return True

    client = server.client(shop.Client).with_options(before_call=hook)
    client = client.with_options(policy=load(LIST))
    with pytest.raises(shop.DeniedError):
        client.delete_item(id=1)
    with pytest.raises(shop.DeniedError):
        client.request("tools/call", RAW)
    assert asked == []


class Changing(UserDict[str, Any]):
    """Says something else each time that it is asked."""

    def __init__(self) -> None:
        super().__init__({"action": "show"})
        self.times = 0

    def __iter__(self) -> Iterator[str]:
        return iter(["action"])

    def __getitem__(self, key: str) -> str:
        self.times += 1
        return "show" if self.times == 1 else "delete"


class Lying(dict[str, Any]):
    """Says one thing to Python and another to its JSON encoder."""

    def __getitem__(self, key: str) -> str:
        return "show"

    def get(self, key: str, default: Any = None) -> Any:
        return "show" if key == "action" else default


def test_a_mapping_with_changing_answers_is_read_once(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load('[tools.manage_item.arguments]\naction = { allowed = ["show"] }\n')
    client = server.client(shop.Client).with_options(policy=policy)
    for arguments in (Changing(), Lying({"action": "delete"})):
        for call in (
            partial(client.call_tool, "manage_item", arguments),
            partial(
                client.request,
                "tools/call",
                {"name": "manage_item", "arguments": arguments},
            ),
        ):
            with contextlib.suppress(shop.McpError):
                call()
    assert all(sent == {"action": "show"} for _, sent in server.calls)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": 5},
        {"name": "list_items", "arguments": None},
        {"name": "list_items", "arguments": []},
        {"name": ["list_items"]},
        {"arguments": {}},
    ],
)
def test_malformed_raw_calls_are_denied(
    params: Any, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client).with_options(policy=load(LIST))
    with pytest.raises(shop.McpError):
        client.request("tools/call", params)
    assert server.calls == []


def test_other_methods_are_denied_by_default(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    begin = '[default]\nprompts = "allow"\n[methods."x/known"]\nmodes = ["NORMAL"]\n'
    supervisor = shop.Supervisor()
    policy = load("", begin, supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    assert len(client.list_tools()) == 5
    client.request("prompts/get", {"name": "a"})
    client.request("x/known")
    supervisor.switch("ALERT")
    for method in ("resources/read", "completion/complete", "x/known", "Tools/Call"):
        with pytest.raises(shop.DeniedError):
            client.request(method, {"name": "list_items"})
    assert server.methods == ["prompts/get", "x/known"]


@pytest.mark.parametrize(
    "name",
    [
        *("List_items", "list_items ", "list-items", "list_item", "list_itemss", ""),
        *("l\u0456st_items", "list_items\u200b", "list_items\x00", "shop.list_items"),
    ],
)
def test_a_name_that_looks_like_an_allowed_one_is_another(
    name: str, shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    client = server.client(shop.Client).with_options(policy=load(LIST))
    with pytest.raises(shop.DeniedError):
        client.call_tool(name, {})
    assert server.calls == []


def test_a_mode_that_changes_before_the_call_is_sent_counts(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load('[tools.delete_item]\nmodes = ["NORMAL"]\n', supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)

    def switch(message: dict[str, Any]) -> list[dict[str, Any]]:
        if message["method"] == "initialize":
            supervisor.switch("DEGRADED")
        return []

    server.before = switch
    with pytest.raises(shop.DeniedError, match="DEGRADED"):
        client.delete_item(id=1)
    assert server.calls == []
    supervisor.switch("NORMAL")
    client.delete_item(id=1)
    supervisor.revoke("delete_item", "an incident")
    with pytest.raises(shop.DeniedError, match="an incident"):
        client.delete_item(id=1)
    supervisor.restore("delete_item")
    client.delete_item(id=1)
    assert len(server.calls) == 2
    with pytest.raises(shop.ConfigError, match="no mode"):
        supervisor.switch("PANIC")


def test_a_second_attempt_is_decided_again(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    policy = load('[tools.list_items]\nmodes = ["NORMAL"]\n', supervisor=supervisor)
    client = server.client(shop.Client).with_options(policy=policy)
    client.list_items()

    def stop(_message: dict[str, Any]) -> list[dict[str, Any]]:
        supervisor.switch("ALERT")
        return []

    # The server refuses the header fields, so that the session lists and tries again.
    server.errors = [{"error": {"code": -32020, "message": "mismatch"}}]
    server.before = stop
    with pytest.raises(shop.DeniedError):
        client.list_items()
    assert len(server.calls) == 2


def test_the_policy_shortens_the_time_of_a_call(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    policy = load("[tools.list_items]\ntimeout = 2.5\n[tools.fetch_page]\n")
    client = server.client(shop.Client).with_options(policy=policy, timeout=10)
    client.list_items()
    assert server.timeout == 2.5
    client.with_options(timeout=1).list_items()
    assert server.timeout == 1
    client.fetch_page(url="u")
    assert server.timeout == 10
