"""One odd answer: the outcome is true, and the next call on the client works."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.runtime.errors import McpError

from tests.runtime.wire.answers import FAULTS, RIGHT
from tests.runtime.wire.server import WireServer

if TYPE_CHECKING:
    from tests.runtime.conftest import Driver
    from tests.runtime.wire.server import Exchange

ANSWERS = {**FAULTS, **RIGHT}


async def _caught(client: Any, nonce: str) -> Any:
    try:
        return (await client.call_tool("change", {"nonce": nonce})).text
    except McpError as error:
        return error


async def _calls(client: Any, served: threading.Event) -> list[Any]:
    await client.connect()
    first = await _caught(client, "odd")
    # No client can know of a connection's end that comes behind its next request.
    served.wait(10)
    return [first, await _caught(client, "next"), await _caught(client, "last")]


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("name", ANSWERS)
def test_an_odd_answer(driver: Driver, name: str, era: str) -> None:
    served = threading.Event()
    if name != "closed at once":
        served.set()

    def act(exchange: Exchange) -> bool:
        if exchange.nonce == "odd":
            exchange.note()
            try:
                ANSWERS[name](exchange)
            finally:
                served.set()
        return exchange.nonce == "odd"

    with WireServer(act, modern=era == "modern") as server:
        first, *others = driver.http(
            server.url, partial(_calls, served=served), timeout=20
        )
        if name in RIGHT:
            assert first == "done odd"
        else:
            assert first.outcome == "unknown", first
        assert others == ["done next", "done last"]
        assert server.got == server.ran == ["odd", "next", "last"]
