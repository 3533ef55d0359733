"""Servers of MCP 2024-11-05, over HTTP with server-sent events."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import (
    AuthError,
    DeadlineError,
    LimitError,
    ProtocolError,
    TransportError,
)
from mcp_bindgen.runtime.protocol.http_requests import HttpRequests
from mcp_bindgen.runtime.protocol.http_sse import EventStream, HttpSse
from mcp_bindgen.runtime.protocol.stdio import StdioWire

from tests.runtime.acts.old import ENDPOINTS
from tests.runtime.waits import caught, count, two_calls, until

if TYPE_CHECKING:

    from tests.runtime.conftest import Driver, Hostile


def test_one_session_for_all_calls(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_good")
    results = driver.http(url, two_calls)
    assert [result.text for result in results] == ["done", "done"]
    methods = hostile.methods(url)
    assert methods.count("GET") == 1
    assert methods.count("notifications/initialized") == 1
    until(lambda: "stream closed" in hostile.methods(url))


@pytest.mark.parametrize("era", ["legacy", "2024-11-05"])
def test_a_pinned_era_asks_nothing(era: str, driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_good")
    assert driver.call(url, era=era).text == "done"
    assert "server/discover" not in hostile.methods(url)


def test_the_callers_own_client(hostile: Hostile) -> None:
    url = hostile.url("old_good")
    with httpx.Client() as own, BaseClient.http(url, http=own) as client:
        assert client.call_tool("tool", {}).text == "done"

    async def work() -> None:
        async with (
            httpx.AsyncClient() as mine,
            AsyncBaseClient.http(url, http=mine) as waiting,
        ):
            assert (await waiting.call_tool("tool", {})).text == "done"

    asyncio.run(work())


def test_answers_find_their_calls(hostile: Hostile) -> None:
    with BaseClient.http(hostile.url("old_out_of_order")) as client:
        client.connect()
        calls = [partial(client.call_tool, "tool", {"n": n}) for n in (1, 2)]
        texts = [getattr(result, "text", result) for result in client.call_many(calls)]
        assert texts == ["1", "2"]

    async def work() -> None:
        url = hostile.url("old_out_of_order")
        async with AsyncBaseClient.http(url) as waiting:
            calls = [partial(waiting.call_tool, "tool", {"n": n}) for n in (1, 2)]
            results = await waiting.call_many(calls)
            assert [getattr(r, "text", r) for r in results] == ["1", "2"]

    asyncio.run(work())


def test_a_server_error_is_no_refusal(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_fails")
    with pytest.raises(TransportError, match="HTTP 503") as error:
        driver.call(url)
    assert error.value.outcome == "unknown"
    assert count(hostile, url) == 1


def test_a_call_that_is_too_late(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_silent_once")

    async def work(client: Any) -> Any:
        await client.connect()
        error = await caught(client.with_options(timeout=0.5).call_tool("tool", {}))
        return error, await client.call_tool("tool", {})

    error, later = driver.http(url, work)
    assert isinstance(error, DeadlineError)
    assert error.outcome == "unknown"
    assert later.text == "done"
    assert count(hostile, url, "notifications/cancelled") == 1
    assert count(hostile, url, "GET") == 1


def test_a_ping_is_answered_while_nobody_waits(
    driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url("old_pings")

    async def work(client: Any) -> None:
        await client.call_tool("tool", {})
        sleep = time.sleep if driver.blocking else anyio.sleep
        for _ in range(200):
            if "p1" in [
                entry.get("message", {}).get("id") for entry in hostile.log(url)
            ]:
                return
            if (pause := sleep(0.02)) is not None:
                await pause
        raise AssertionError("the ping has no answer")

    driver.http(url, work)


def test_what_a_server_says_and_asks_meanwhile(
    driver: Driver, hostile: Hostile
) -> None:
    url, reports = hostile.url("old_asks"), list[Any]()
    answer = {"action": "accept", "content": {"name": "Ada"}}

    def note(*facts: object) -> None:
        reports.append(facts)

    async def work(client: Any) -> Any:
        client = client.with_options(on_progress=note)
        return await client.call_tool("tool", {})

    def elicit(params: Any) -> Any:
        reports.append(params)
        return answer

    assert driver.http(url, work, on_elicit=elicit).text == "done"
    assert reports[0] == (1, 2, "half")
    assert reports[1]["message"] == "who?"
    replies = [r["message"] for r in hostile.log(url) if r.get("message", {}).get("id")]
    assert {"jsonrpc": "2.0", "id": "q1", "result": answer} in replies


def test_a_malformed_answer(driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(TransportError, match="malformed") as error:
        driver.call(hostile.url("old_malformed"))
    assert error.value.outcome == "unknown"


def test_a_flood_of_events(
    driver: Driver, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "EVENTS", 500)
    with pytest.raises(LimitError, match="events without an answer"):
        driver.call(hostile.url("old_floods"))


def test_a_server_that_refuses_to_initialize(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("old_refuses")
    with pytest.raises(ProtocolError, match="out of order"):
        driver.call(url)
    until(lambda: "stream closed" in hostile.methods(url))


@pytest.mark.parametrize("name", ENDPOINTS)
def test_an_endpoint_that_must_not_be_used(
    name: str, driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url(f"endpoint_{name}")
    with pytest.raises(TransportError, match="names an endpoint") as error:
        driver.call(url)
    assert error.value.outcome == "not sent"
    assert error.value.hint
    assert hostile.methods(url)[:3] == ["server/discover", "initialize", "GET"]
    assert "\x1b" not in str(error.value)
    assert "pass" not in str(error.value)


@pytest.mark.parametrize(
    "act", ["get_405", "get_html", "get_other_first", "get_ends", "get_breaks"]
)
def test_a_server_without_this_transport(
    act: str, driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url(act)
    with pytest.raises(TransportError, match="HTTP 405") as error:
        driver.call(url)
    assert error.value.outcome == "not sent"
    assert count(hostile, url, "GET") == 1


def test_a_stream_that_says_nothing(
    driver: Driver, hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = hostile.url("get_mute")
    monkeypatch.setattr(limits, "PROBE_SECONDS", 0.3)
    with pytest.raises(TransportError, match="HTTP 405"):
        driver.call(url)
    monkeypatch.undo()
    with pytest.raises(DeadlineError) as error:
        driver.call(url, timeout=0.5)
    assert error.value.outcome == "not sent"


def test_a_stream_that_wants_credentials(driver: Driver, hostile: Hostile) -> None:
    with pytest.raises(AuthError):
        driver.call(hostile.url("get_401"))


def test_nothing_is_older_than_these() -> None:
    stream = EventStream("http://x/sse", {})
    assert list(HttpSse(HttpRequests("http://x/sse", {}, None), stream).older()) == []
    assert list(StdioWire().older()) == []
