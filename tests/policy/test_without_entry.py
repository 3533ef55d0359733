"""Requests that no policy decides about: they open, list, measure and take back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.full_tasks import AsyncFullClient

from tests.policy.counting import AsyncCountingServer
from tests.runtime.test_watching import URI, Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.policy.counting import CountingServer

ALL_DENIED = (
    '[default]\ntools = "deny"\nresources = "deny"\n[tools.list_items]\ndeny = true\n'
)


def test_the_health_of_a_server_whose_tools_are_all_denied(
    shop: Any, server: CountingServer, load: Callable[..., Any]
) -> None:
    records: list[Any] = []
    policy = load("", ALL_DENIED, audit=records.append)
    client = server.client(shop.Client).with_options(policy=policy)
    other = AsyncCountingServer()
    later = other.client(shop.AsyncClient).with_options(policy=policy)
    box = shop.Toolbox(shop.toolset(client))
    box_of_task = shop.Toolbox(shop.toolset(later))
    (seconds,) = box.health().values()
    (seconds_of_task,) = asyncio.run(box_of_task.health_async()).values()
    for measured in (seconds, seconds_of_task):
        assert isinstance(measured, float)
        assert 0 <= measured < 60
    assert (box.unreachable, box_of_task.unreachable) == ({}, {})
    assert (server.methods, other.methods) == (["ping"], ["ping"])
    assert records == []
    # Health opens no way: the next call is denied as before.
    assert box.run("list_items", {}).is_error
    assert server.calls == []


@pytest.mark.parametrize("is_async", [False, True])
def test_a_subscription_is_taken_back_after_the_policy_denies_it(
    is_async: Any, shop: Any, load: Callable[..., Any]
) -> None:
    supervisor = shop.Supervisor()
    records: list[Any] = []
    begin = '[methods."resources/subscribe"]\nmodes = ["NORMAL"]\n'
    policy = load("", begin, supervisor=supervisor, audit=records.append)

    def on_update(_uri: str) -> bool:
        supervisor.switch("ALERT")
        return False

    async def main(url: str) -> None:
        async with AsyncFullClient.http(url, policy=policy) as client:
            await client.subscribe(URI, on_update, timeout=20)
            with pytest.raises(shop.DeniedError):
                await client.subscribe(URI, on_update, timeout=20)

    with Watched() as server:
        if is_async:
            asyncio.run(main(server.url))
        else:
            with FullClient.http(server.url, policy=policy) as client:
                client.subscribe(URI, on_update, timeout=20)
                with pytest.raises(shop.DeniedError):
                    client.subscribe(URI, on_update, timeout=20)
                # A request of one's own is decided about as any other.
                with pytest.raises(shop.DeniedError):
                    client.request("resources/unsubscribe", {"uri": URI})
        methods = [m for m in server.methods() if m.startswith("resources/")]
    assert methods == ["resources/subscribe", "resources/unsubscribe"]
    decisions = [r["decision"] for r in records if r["event"] == "decided"]
    assert decisions[0] == "allow"
    assert {*decisions[1:]} == {"deny"}
