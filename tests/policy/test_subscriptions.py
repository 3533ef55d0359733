"""Subscriptions are approved, denied and ended as the policy says."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.full_tasks import AsyncFullClient

from tests.policy.counting import AsyncCountingServer, CountingServer

if TYPE_CHECKING:
    from collections.abc import Callable

BEGIN = '[default]\nresources = "approve"\n'
ADDRESS = "a://b"


class Telling(CountingServer):
    """A server that takes a subscription, and then fails."""

    def _answer(self, message: dict[str, Any]) -> None:
        super()._answer(message)
        if message.get("method") == "initialize":
            offers = {"resources": {"subscribe": True}}
            self._queue[-1]["result"]["capabilities"] = offers
        if message.get("method") == "resources/subscribe":
            error = {"code": -32603, "message": "no more"}
            self._queue[-1] = {"jsonrpc": "2.0", "id": message["id"], "error": error}


class AsyncTelling(Telling, AsyncCountingServer):
    """The same for clients in tasks."""


@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_person_approves_a_subscription(
    yes: Any, is_async: Any, shop: Any, load: Callable[..., Any]
) -> None:
    requested: list[str] = []

    def approve(request: Any) -> bool:
        requested.append(request.tool)
        return bool(yes)

    policy = load("", BEGIN, approve=approve)
    server = AsyncTelling() if is_async else Telling()
    client = server.client(AsyncFullClient if is_async else FullClient)
    client = client.with_options(policy=policy)

    async def main() -> None:
        await client.subscribe(ADDRESS, print, timeout=1)

    def call() -> None:
        if is_async:
            asyncio.run(main())
        else:
            client.subscribe(ADDRESS, print, timeout=1)

    reason = "no more" if yes else "nobody approved"
    with pytest.raises(shop.McpError, match=reason):
        call()
    assert requested == ["resources/subscribe"]
    assert ("resources/subscribe" in server.methods) is yes
