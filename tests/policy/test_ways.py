"""Each way to make a call, and each way round the policy."""

from __future__ import annotations

import asyncio
import copy
import pickle
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        with pytest.raises(shop.ConfigError, match="cannot be removed"):
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


def test_a_denied_call_asks_nobody(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    called: list[str] = []

    def hook(tool: str, _arguments: object) -> bool:
        called.append(tool)
        return True

    client = server.client(shop.Client).with_options(before_call=hook)
    client = client.with_options(policy=load(LIST))
    with pytest.raises(shop.DeniedError):
        client.delete_item(id=1)
    with pytest.raises(shop.DeniedError):
        client.request("tools/call", RAW)
    assert called == []


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


def test_params_that_were_not_decided_upon_are_not_sent(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    entry = '[methods."x/read".arguments]\nuri = { pattern = "a.*", absent = true }\n'
    client = server.client(shop.Client).with_options(policy=load("", entry))
    client.request("x/read", {"uri": "ab"})
    request = client._request("x/read", {})
    other = replace(request, params={**request.params, "uri": "b"})
    with pytest.raises(shop.DeniedError, match="was changed"):
        client._run(client._channel.session.request(other), "x/read")
    assert server.methods == ["x/read"]


def test_the_log_has_the_end_of_a_call_whose_transport_returns_nothing(
    shop: Any, load: Callable[..., Any]
) -> None:
    class Own:
        def call_tool(self, _name: str, _arguments: Mapping[str, Any], /) -> Any:
            return None

        def close(self) -> None:
            pass

    class OwnAsync:
        async def call_tool(self, _name: str, _arguments: Mapping[str, Any], /) -> Any:
            return {}

        async def close(self) -> None:
            pass

    records: list[Any] = []
    policy = load(LIST, audit=records.append)
    with pytest.raises(shop.ConfigError, match="expected a ToolResult, got NoneType"):
        shop.Client(Own()).with_options(policy=policy).list_items()
    later = shop.AsyncClient(OwnAsync()).with_options(policy=policy)
    with pytest.raises(shop.ConfigError, match="expected a ToolResult, got dict"):
        asyncio.run(later.list_items())
    events = [(record["event"], record.get("outcome")) for record in records]
    assert events == [("decided", None), ("ended", "unknown")] * 2
