"""How a client and a server agree, and what becomes of their session."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import McpError, ProtocolError, TransportError

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver, Hostile

from tests.runtime.test_calls import calls


def test_a_forgotten_session_is_made_anew(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("forgets")
    assert driver.call(url).text == "done"
    assert hostile.methods(url).count("initialize") == 2
    assert calls(hostile, url) == 2


def test_only_404_says_that_a_session_has_expired(
    driver: Driver, hostile: Hostile
) -> None:
    async def work(client: Any) -> Any:
        with pytest.raises(ProtocolError, match="No valid session") as caught:
            await client.call_tool("tool", {})
        assert caught.value.outcome == "refused"
        return await client.call_tool("tool", {})

    url = hostile.url("forgets_400")
    assert driver.http(url, work).text == "done"
    assert calls(hostile, url) == 2


def test_a_session_forgotten_again_is_an_error(
    driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url("forgets_always")
    with pytest.raises(TransportError, match="ended the session") as caught:
        driver.call(url)
    assert caught.value.outcome == "refused"
    assert calls(hostile, url) == 2


def test_a_session_ends_with_the_client(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old")
    assert driver.call(url).text == "done"
    assert hostile.log(url)[-1]["verb"] == "DELETE"
    assert hostile.log(url)[-1]["headers"]["mcp-session-id"] == "session-1"


def test_the_version_is_agreed_again_when_the_server_changes(
    driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url("changes_mind")
    assert driver.call(url).text == "done"
    assert hostile.methods(url).count("server/discover") == 2


@pytest.mark.parametrize("act", ["modern_late", "offers_nothing", "names_version"])
def test_unusual_ways_to_agree(act: str, driver: Driver, hostile: Hostile) -> None:
    async def work(client: Any) -> Any:
        await client.call_tool("tool", {})
        return client.protocol_version

    version = driver.http(hostile.url(act), work)
    assert version == ("2025-11-25" if act == "offers_nothing" else "2026-07-28")


@pytest.mark.parametrize("act", ["refuses_all", "modern_never", "breaks_at_once"])
def test_no_way_to_agree(act: str, driver: Driver, hostile: Hostile) -> None:
    with pytest.raises((ProtocolError, TransportError)) as caught:
        driver.call(hostile.url(act), retries=1)
    assert "may have run" not in str(caught.value)


def test_many_at_once_share_the_new_session(hostile: Hostile) -> None:
    url = hostile.url("forgets")
    with BaseClient.http(url) as client:
        client.connect()
        calls = [partial(client.call_tool, "tool", {})] * 30
        results = client.call_many(calls, at_once=30)
    assert not [result for result in results if isinstance(result, McpError)]
    assert hostile.methods(url).count("initialize") == 2


def test_threads_share_one_handshake(hostile: Hostile) -> None:
    url = hostile.url("old")
    with BaseClient.http(url) as client:
        threads = [threading.Thread(target=client.connect) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert hostile.methods(url).count("initialize") == 1


def test_waiting_for_the_handshake_ends_too(hostile: Hostile) -> None:
    made: Any = BaseClient.http(hostile.url("mute"), timeout=1, retries=0)
    with made as client:
        slow = threading.Thread(target=client.call_many, args=([client.connect],))
        slow.start()
        while not client._channel.driver.turns._owners:
            pass
        with pytest.raises(McpError, match="no answer within"):
            client.with_options(timeout=0.1).connect()
        slow.join()
