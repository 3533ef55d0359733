"""An `auth=` that sends a request again: a call that may have run is sent once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from mcp_bindgen.runtime.errors import TransportError

if TYPE_CHECKING:
    from collections.abc import Generator

    from tests.runtime.conftest import Driver, Hostile


class Stubborn(httpx.Auth):
    """Sends each request three times, whatever the answers are."""

    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Yield the same request again and again."""
        for _ in range(3):
            yield request


class Copying(httpx.Auth):
    """Sends another object with the same content, after a request of its own."""

    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Yield a request for a token, the request, and a copy of it."""
        yield httpx.Request("GET", request.url.copy_with(path="/token"))
        yield request
        headers, content = request.headers, request.content
        yield httpx.Request("POST", request.url, headers=headers, content=content)


class Server:
    """Counts the calls; the first ones get an answer other than the result."""

    def __init__(self, *first: int | Exception) -> None:
        self.first = [*first]
        self.calls = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        if request.method == "GET":
            return httpx.Response(200)
        message = json.loads(request.content)
        result: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}}
        if message["method"] == "tools/call":
            self.calls += 1
            other = self.first.pop(0) if self.first else 200
            if isinstance(other, Exception):
                raise other
            if other != 200:
                return httpx.Response(other)
            result = {"content": [{"type": "text", "text": "done"}]}
        if "id" not in message:
            return httpx.Response(202)
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return httpx.Response(200, json=answer)


def call(driver: Driver, server: Server, auth: httpx.Auth) -> Any:
    """Call a tool through the caller's own HTTP client, with its own auth."""
    transport = httpx.MockTransport(server)
    kind: Any = httpx.Client if driver.blocking else httpx.AsyncClient
    own = kind(transport=transport, auth=auth)
    return driver.call("http://127.0.0.1:9/mcp", http=own, era="legacy")


@pytest.mark.parametrize("kind", [Stubborn, Copying])
def test_a_call_that_was_answered_is_not_sent_again(
    kind: type[httpx.Auth], driver: Driver
) -> None:
    server = Server()
    assert call(driver, server, kind()).text == "done"
    assert server.calls == 1


@pytest.mark.parametrize("kind", [Stubborn, Copying])
def test_a_call_that_may_have_run_is_not_sent_again(
    kind: type[httpx.Auth], driver: Driver
) -> None:
    server = Server(500)
    with pytest.raises(TransportError) as caught:
        call(driver, server, kind())
    assert (server.calls, caught.value.outcome) == (1, "unknown")


@pytest.mark.parametrize("status", [401, 403, 400])
@pytest.mark.parametrize("kind", [Stubborn, Copying])
def test_a_call_that_was_refused_is_sent_again(
    kind: type[httpx.Auth], status: int, driver: Driver
) -> None:
    server = Server(status)
    assert call(driver, server, kind()).text == "done"
    assert server.calls == 2


def test_the_last_sending_decides_about_the_outcome(driver: Driver) -> None:
    server = Server(401, httpx.ReadError("broken"))
    with pytest.raises(TransportError) as caught:
        call(driver, server, Stubborn())
    assert (server.calls, caught.value.outcome) == (2, "unknown")


def test_a_client_with_connections_of_its_own(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("good")
    assert driver.call(url, auth=Stubborn()).text == "done"
    assert hostile.methods(url).count("tools/call") == 1
