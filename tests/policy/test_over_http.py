"""Each way to ask a real server over HTTP, in both eras: no denied request arrives."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.runtime.asking import AskingServer

if TYPE_CHECKING:
    from collections.abc import Callable

RAW: dict[str, Any] = {"name": "form", "arguments": {}}
WAYS: dict[str, Callable[[Any], Any]] = {
    "call_tool": lambda c: c.call_tool("form", {}),
    "method": lambda c: c.delete_item(id=1),
    "request": lambda c: c.request("tools/call", {**RAW, "task": {}}),
    "submit": lambda c: c.submit(c.delete_item, id=1),
    "tasks": lambda c: c.request("tasks/result", {"taskId": "1"}),
    "update": lambda c: c.request("tasks/update", {"taskId": "1"}),
    "read": lambda c: c.request("resources/read", {"uri": "a://b"}),
    "listen": lambda c: c.request("subscriptions/listen", {"notifications": {}}),
    "prompt": lambda c: c.request("prompts/get", {"name": "p"}),
    "unknown": lambda c: c.request("vendor/x", {}),
    "case": lambda c: c.request("Tools/Call", RAW),
}
FREE = {"server/discover", "initialize", "notifications/initialized", "tools/list"}


@pytest.mark.parametrize("modern", [False, True])
def test_nothing_that_is_denied_arrives(
    shop: Any, load: Callable[..., Any], *, modern: Any
) -> None:
    records: list[Any] = []
    policy = load("[tools.list_items]\n", audit=records.append)

    async def later(url: str) -> None:
        async with shop.AsyncClient.http(url, policy=policy) as client:
            for way in WAYS.values():
                with pytest.raises(shop.DeniedError):
                    await way(client)

    with AskingServer(modern=modern) as server:
        with shop.Client.http(server.url, policy=policy) as client:
            client.connect()
            for way in WAYS.values():
                with pytest.raises(shop.DeniedError):
                    way(client)
            (error,) = client.call_many([partial(client.call_tool, "form", {})])
            assert isinstance(error, shop.DeniedError)
        asyncio.run(later(server.url))
        assert {*server.methods()} <= FREE
    assert {record["event"] for record in records} == {"decided"}
    assert len(records) == 2 * len(WAYS) + 1
