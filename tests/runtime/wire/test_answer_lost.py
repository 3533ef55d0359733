"""Our answer to a question of the server gets lost: the result of the call counts."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.runtime.client.client import BaseClient
from mcp_bindgen.runtime.errors import DeadlineError

from tests.runtime.wire.server import WireServer

if TYPE_CHECKING:
    from tests.runtime.wire.server import Exchange

QUESTION = {"jsonrpc": "2.0", "id": 5, "method": "roots/list"}


@pytest.mark.parametrize("way", ["closed", "reset"])
def test_the_result_of_a_call_counts(way: str) -> None:
    def act(exchange: Exchange) -> bool:
        if exchange.method is None and exchange.verb == "POST":
            exchange.hang_up(reset=way == "reset")
        if exchange.method != "tools/call":
            return False
        exchange.note()
        exchange.events(QUESTION, exchange.result())
        return True

    with WireServer(act, modern=False) as server:
        with BaseClient.http(server.url, timeout=9) as client:
            assert client.call_tool("change", {"nonce": "one"}).text == "done one"
            assert client.call_tool("change", {"nonce": "two"}).text == "done two"
        assert server.ran == ["one", "two"]


def test_the_time_of_a_call_ends_while_it_answers() -> None:
    over = threading.Event()

    def act(exchange: Exchange) -> bool:
        if exchange.method == "tools/call":
            exchange.events(QUESTION, last=False)
            over.wait(9)
            return True
        if exchange.method is None and exchange.verb == "POST":
            over.wait(9)
            return True
        return False

    with (
        WireServer(act, modern=False) as server,
        BaseClient.http(server.url, timeout=0.5) as client,
    ):
        with pytest.raises(DeadlineError) as caught:
            client.call_tool("change", {"nonce": "one"})
        assert caught.value.outcome == "unknown"
        over.set()
