"""At most once, and after anything the next call works."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import ConfigError, TransportError
from mcp_bindgen.runtime.protocol.delivery import Delivery
from mcp_bindgen.runtime.transport.waiting import Turns

from tests.runtime.test_calls import calls

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver, Hostile


class Deliveries(RuleBasedStateMachine):
    """Whatever the order of attempts, no outcome is more hopeful than the worst."""

    def __init__(self) -> None:
        super().__init__()
        self.delivery = Delivery()
        self.at_server = False
        self.sending = False

    @rule()
    def attempt(self) -> None:
        self.at_server |= self.sending  # nobody knows better
        self.delivery.again()
        self.delivery.sending()
        self.sending = True

    @rule(connected=st.booleans())
    def ends(self, *, connected: bool) -> None:
        if self.sending:
            self.at_server |= connected
            if not connected:
                self.delivery.unsent()
        self.sending = False

    @invariant()
    def is_true(self) -> None:
        if self.at_server or self.sending:
            assert self.delivery.outcome == "unknown"
        else:
            assert self.delivery.outcome == "not sent"


TestDeliveries = Deliveries.TestCase


@pytest.mark.parametrize("act", ["good", "old", "resumes", "talks_on"])
def test_a_call_that_is_cancelled_anywhere_breaks_no_other(
    act: str, hostile: Hostile
) -> None:
    url = hostile.url(act)

    async def one(client: Any, steps: int) -> None:
        task = asyncio.ensure_future(client.call_tool("tool", {}))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    async def main() -> None:
        for steps in (*range(30), *range(30, 120, 10)):
            async with AsyncBaseClient.http(url, timeout=20) as client:
                await one(client, steps)
                assert (await client.call_tool("tool", {})).text == "done"

    asyncio.run(main())


def test_an_error_of_a_callback_is_not_ours(driver: Driver, hostile: Hostile) -> None:
    def fails(*_: object) -> None:
        raise TransportError("of another client", outcome="not sent", transient=True)

    async def work(client: Any) -> None:
        heard = client.with_options(on_progress=fails)
        with pytest.raises(TransportError, match="of another") as caught:
            await heard.call_tool("tool", {})
        assert caught.value.outcome == "unknown"

    url = hostile.url("progress")
    driver.http(url, work)
    assert calls(hostile, url) == 1


def test_a_lock_of_a_call_that_was_cut_off_is_taken_over() -> None:
    turns = Turns()
    turns.enter("session", "first", lambda: None)
    turns.enter("session", "second", lambda: None)
    assert turns.has("session", "second")
    turns.leave("first")
    assert not turns.take("session", "third")
    turns.leave("second")
    assert turns.take("session", "third")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "1"])
def test_timeouts_that_are_none(seconds: Any) -> None:
    with pytest.raises(ConfigError, match="timeout"):
        BaseClient.http("https://x", timeout=seconds)


def test_connections_are_bounded(hostile: Hostile) -> None:
    url = hostile.url("echo")
    with BaseClient.http(url, max_connections=3) as client:
        client.connect()
        work = [partial(client.call_tool, "tool", {"nonce": n}) for n in range(40)]
        assert len(client.call_many(work, at_once=20)) == 40
    assert len({entry["connection"] for entry in hostile.log(url)}) <= 3
    with pytest.raises(ConfigError):
        BaseClient.http(url, max_connections=0)
