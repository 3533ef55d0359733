"""Faults beside the call: in redirects, in messages without an answer, in cookies."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import McpError, TransportError

from tests.runtime.wire.answers import RIGHT
from tests.runtime.wire.server import WireServer

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.runtime.conftest import Driver
    from tests.runtime.wire.server import Exchange

LOCATIONS = [
    "//[bad",
    "http://[::1",
    "http://\u2100/",
    "/\x7f",
    "/" + "x" * 70_000,
    "http://127.0.0.1:99999/",
    "javascript:alert(1)",
]
COOKIES = [name for name in RIGHT if "cookie" in name]


async def _call(client: Any, nonce: str) -> Any:
    try:
        return (await client.call_tool("change", {"nonce": nonce})).text
    except McpError as error:
        return error


async def _call_twice(client: Any) -> list[Any]:
    return [await _call(client, nonce) for nonce in ("odd", "next")]


@pytest.mark.parametrize("status", [302, 307, 308])
@pytest.mark.parametrize("location", LOCATIONS)
def test_a_redirect_that_leads_nowhere(
    driver: Driver, location: str, status: int
) -> None:
    def act(exchange: Exchange) -> bool:
        if exchange.nonce == "odd":
            line = f"HTTP/1.1 {status} X\r\nLocation: {location}\r\n"
            exchange.send(line.encode() + b"Content-Length: 0\r\n\r\n")
        return exchange.nonce == "odd"

    with WireServer(act, modern=True) as server:
        first, second = driver.http(server.url, _call_twice)
        assert (type(first), first.outcome) == (TransportError, "refused")
        assert (first.status, second) == (status, "done next")
        assert server.got == ["odd", "next"]


@pytest.mark.parametrize("verb", ["POST", "DELETE"])
def test_a_message_whose_answer_drips(
    driver: Driver, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CLOSE_SECONDS", 0.6)
    message = None if verb == "DELETE" else "notifications/initialized"

    def act(exchange: Exchange) -> bool:
        if (exchange.verb, exchange.method) != (verb, message):
            return False
        exchange.head(202, Content_Length=60_000)
        while not ended.wait(0.02):
            exchange.send(b".")
        return True

    ended = threading.Event()
    with WireServer(act, modern=False) as server:
        ends = driver.http(server.url, _call_twice, timeout=4)
        ended.set()
        assert ends == ["done odd", "done next"]
        assert server.got == ["odd", "next"]


class _Signs(httpx.Auth):
    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["x-signed"] = "yes"
        yield request


def _set_cookie(exchange: Exchange, name: str) -> bool:
    if exchange.nonce == "odd":
        exchange.note()
        RIGHT[name](exchange)
    return exchange.nonce == "odd"


@pytest.mark.parametrize("name", COOKIES)
def test_a_cookie_that_no_request_can_carry_beside_auth(
    driver: Driver, name: str
) -> None:
    with WireServer(partial(_set_cookie, name=name), modern=True) as server:
        ends = driver.http(server.url, _call_twice, auth=_Signs())
        assert ends == ["done odd", "done next"]


def test_such_a_cookie_in_an_http_client_of_the_caller() -> None:
    act = partial(_set_cookie, name="a cookie that is no ASCII")

    async def asynchronous(url: str) -> Any:
        async with httpx.AsyncClient() as http:
            return await _call_twice(AsyncBaseClient.http(url, http=http))

    with WireServer(act, modern=True) as server:
        with httpx.Client() as http:
            client = BaseClient.http(server.url, http=http)
            assert client.call_tool("change", {"nonce": "odd"}).text == "done odd"
            with pytest.raises(TransportError, match="has a cookie") as caught:
                client.call_tool("change", {"nonce": "next"})
        first, second = asyncio.run(asynchronous(server.url))
        assert caught.value.outcome == second.outcome == "not sent"
        assert (first, type(second)) == ("done odd", TransportError)
        assert server.got == ["odd", "odd"]
