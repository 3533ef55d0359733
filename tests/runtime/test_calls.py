"""How calls go: retries, resumed streams, restarts, many at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.client import AsyncBaseClient, BaseClient
from mcp_bindgen.runtime.errors import (
    ClosedError,
    McpError,
    ProtocolError,
    TransportError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.runtime.conftest import Driver, Hostile


class Safe:
    """Stands for a generated binding of a tool that is read-only."""

    tool = "tool"
    retryable = True
    header_params: dict[str, tuple[str, ...]] = {}  # noqa: RUF012  # a stand-in

    def prepare(self, arguments: Any) -> Any:
        return dict(arguments)

    def parse(self, result: Any) -> Any:
        return result


class Unsafe(Safe):
    """Stands for a tool that may do something."""

    retryable = False


def calls(hostile: Hostile, url: str) -> int:
    """Return how many tool calls came to a URL."""
    return hostile.methods(url).count("tools/call")


@pytest.mark.parametrize("act", ["talks_on", "sse_cr"])
def test_the_end_of_a_stream_is_not_waited_for(
    act: str, driver: Driver, hostile: Hostile
) -> None:
    async def work(client: Any) -> Any:
        unlimited = client.with_options(timeout=None)
        assert (await unlimited.call_tool("tool", {})).text == "done"
        return await client.call_tool("tool", {})

    url = hostile.url(act)
    assert driver.http(url, work).text == "done"
    if driver.blocking:
        with httpx.Client() as own:
            assert driver.call(url, http=own).text == "done"


def test_what_httpx_refuses_to_send(hostile: Hostile) -> None:
    with httpx.Client(headers={"x-own": "a\nb"}) as own:
        made = BaseClient.http(hostile.url("good"), http=own, retries=0)
        with pytest.raises(TransportError, match="was not sent") as caught:
            made.connect()
    assert "LocalProtocolError" in str(caught.value)


def test_idle_connections_are_closed_but_for_a_few(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "IDLE_FEW", 1)
    monkeypatch.setattr(limits, "IDLE_SECONDS", 0.2)
    url = hostile.url("echo")
    made: Any = BaseClient.http(url)
    with made as client:
        calls = [partial(client.call_tool, "tool", {"nonce": n}) for n in range(20)]
        assert len(client.call_many(calls, at_once=10)) == 20
        pool = client._channel.driver.pool
        until(lambda: len(pool.idle) == 1)

    async def many() -> None:
        waiting: Any = AsyncBaseClient.http(url)
        async with waiting:
            calls = [
                partial(waiting.call_tool, "tool", {"nonce": n}) for n in range(20)
            ]
            assert len(await waiting.call_many(calls, at_once=10)) == 20
            pool = waiting._channel.driver.connections.pool
            await anyio.sleep(1)
            assert len(pool.idle) == 1

    anyio.run(many)


def until(done: Callable[[], bool]) -> None:
    """Wait for something that happens soon."""
    while not done():
        time.sleep(0.02)


def test_only_what_is_safe_is_sent_again(driver: Driver, hostile: Hostile) -> None:
    for binding, times in ((Safe(), 2), (Unsafe(), 1)):
        for act in ("breaks_once", "busy"):
            url = hostile.url(act)
            call = partial(_typed, binding)
            if times == 2:
                assert driver.http(url, call).text == "done"
            else:
                with pytest.raises(TransportError):
                    driver.http(url, call)
            assert calls(hostile, url) == times


async def _typed(binding: Any, client: Any) -> Any:
    return await client.call(binding, {})


def test_retries_come_to_an_end(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("busy_always")
    with pytest.raises(TransportError, match="HTTP 503") as caught:
        driver.http(url, partial(_typed, Safe()), retries=1)
    assert caught.value.status == 503
    assert calls(hostile, url) == 2


def test_a_server_that_is_not_there(driver: Driver) -> None:
    with pytest.raises(TransportError, match="cannot connect") as caught:
        driver.call("http://127.0.0.1:9/", retries=1)
    assert caught.value.outcome == "not sent"
    assert "hint: is the server running" in str(caught.value)


def test_changed_headers_are_learned(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("changed_headers")
    assert driver.call(url, arguments={"a": "x"}).text == "done"
    assert hostile.log(url)[-1]["headers"]["mcp-param-a"] == "x"
    with pytest.raises(ProtocolError, match="HeaderMismatch"):
        driver.call(hostile.url("changed_headers"), arguments={})


@pytest.mark.parametrize("act", ["resumes", "resets"])
def test_a_broken_stream_is_resumed(act: str, driver: Driver, hostile: Hostile) -> None:
    url = hostile.url(act)
    assert driver.call(url).text == "done"
    (resumed,) = (entry for entry in hostile.log(url) if entry["verb"] == "GET")
    assert resumed["headers"]["last-event-id"].endswith("-1")


@pytest.mark.parametrize("act", ["resumes_never", "resume_refused", "stream_breaks"])
def test_a_stream_that_cannot_be_resumed(
    act: str, driver: Driver, hostile: Hostile
) -> None:
    url = hostile.url(act)
    with pytest.raises(TransportError) as caught:
        driver.call(url)
    assert caught.value.outcome == "unknown"
    resumed = [entry for entry in hostile.log(url) if entry["verb"] == "GET"]
    assert len(resumed) == {"resumes_never": 2, "resume_refused": 1}.get(act, 0)


def test_progress_and_log(driver: Driver, hostile: Hostile) -> None:
    reports: list[object] = []

    def note(*facts: object) -> None:
        reports.append(facts)

    async def work(client: Any) -> Any:
        heard = client.with_options(on_progress=note, on_log=note)
        await heard.call_tool("tool", {})
        await client.with_options(on_progress=note).call_tool("tool", {})
        await client.call_tool("tool", {})

    driver.http(hostile.url("progress"), work)
    half, log = (1, 2, "half"), ("info", "x", "hello")
    assert reports == [half, log, half]


def test_one_connection_serves_call_after_call(
    driver: Driver, hostile: Hostile
) -> None:
    async def work(client: Any) -> None:
        for _ in range(10):
            await client.call_tool("tool", {})

    url = hostile.url("good")
    driver.http(url, work)
    assert len({entry["connection"] for entry in hostile.log(url)}) == 1


def test_a_hundred_threads_get_their_own_answers(hostile: Hostile) -> None:
    with BaseClient.http(hostile.url("echo")) as client:

        def one(nonce: int) -> int:
            answer = client.call_tool("tool", {"nonce": nonce}).structured
            return int(answer["nonce"])

        with ThreadPoolExecutor(100) as pool:
            assert list(pool.map(one, range(300))) == list(range(300))


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_hundred_tasks_get_their_own_answers(backend: str, hostile: Hostile) -> None:
    url = hostile.url("echo")
    answers: dict[int, int] = {}

    async def main() -> None:
        async with AsyncBaseClient.http(url) as client:

            async def one(nonce: int) -> None:
                answer = await client.call_tool("tool", {"nonce": nonce})
                answers[nonce] = answer.structured["nonce"]

            async with anyio.create_task_group() as group:
                for nonce in range(100):
                    group.start_soon(one, nonce)

    anyio.run(main, backend=backend)
    assert answers == {nonce: nonce for nonce in range(100)}
    assert hostile.methods(url).count("server/discover") == 1


def test_many_calls_at_once_in_order(driver: Driver, hostile: Hostile) -> None:
    async def work(client: Any) -> Any:
        inner = getattr(client, "_client", client)
        sent = [{"nonce": n} if n != 3 else {"nonce": object()} for n in range(20)]
        return await client.call_many(
            [partial(inner.call_tool, "tool", arguments) for arguments in sent],
            at_once=5,
        )

    results = driver.http(hostile.url("echo"), work)
    assert isinstance(results[3], McpError)
    nonces = [r.structured["nonce"] for r in results if not isinstance(r, McpError)]
    assert nonces == [n for n in range(20) if n != 3]


def test_a_closed_client_says_so(driver: Driver, hostile: Hostile) -> None:
    async def work(client: Any) -> None:
        await client.call_tool("tool", {})
        await client.close()
        with pytest.raises(ClosedError, match="closed"):
            await client.call_tool("tool", {})

    driver.http(hostile.url("good"), work)  # which closes it a second time


def test_the_callers_own_http_client(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("good")
    kind: Any = httpx.Client if driver.blocking else httpx.AsyncClient
    own = kind(headers={"x-own": "1"}, auth=("user", "pass"))

    async def work(client: Any) -> None:
        await client.call_tool("tool", {})
        await client.close()
        assert not own.is_closed
        if driver.blocking:
            own.close()
        else:
            await own.aclose()

    driver.http(url, work, http=own)
    assert hostile.log(url)[-1]["headers"]["x-own"] == "1"
    assert hostile.log(url)[-1]["headers"]["authorization"].startswith("Basic ")
    with pytest.raises(ClosedError):
        driver.call(url, http=own)


def test_any_httpx_auth(driver: Driver, hostile: Hostile) -> None:
    url = hostile.url("good")
    auth = httpx.BasicAuth("user", "pass")
    assert driver.call(url, auth=auth, headers={"X-More": "1"}).text == "done"
    headers = hostile.log(url)[-1]["headers"]
    assert headers["authorization"].startswith("Basic ")
    assert headers["x-more"] == "1"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_cancelling_a_task_ends_the_request(backend: str, hostile: Hostile) -> None:
    url = hostile.url("old_silence")

    async def main() -> None:
        async with AsyncBaseClient.http(url) as client:
            await client.connect()
            with anyio.move_on_after(0.3) as scope:
                await client.call_tool("tool", {})
            assert scope.cancelled_caught

    anyio.run(main, backend=backend)
    assert "notifications/cancelled" in hostile.methods(url)
