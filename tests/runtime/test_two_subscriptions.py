"""Two subscriptions of one client to one resource: each ends alone."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.full_tasks import AsyncFullClient

from tests.runtime.test_watching import URI, Watched

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server() -> Iterator[Watched]:
    with Watched() as running:
        yield running


LAST = f"{URI}/last"


def test_the_time_of_with_options_ends_a_subscription(server: Watched) -> None:
    with FullClient.http(server.url) as client:
        client.connect()
        client.with_options(timeout=0.5).subscribe(URI, lambda _uri: None)
    assert server.methods().count("resources/unsubscribe") == 1


def test_the_time_of_with_options_ends_a_task_that_listens(server: Watched) -> None:
    async def work() -> None:
        async with AsyncFullClient.http(server.url) as client:
            await client.connect()
            await client.with_options(timeout=0.5).subscribe(URI, lambda _uri: None)

    anyio.run(work)
    assert server.methods().count("resources/unsubscribe") == 1


def test_the_end_of_one_subscription_leaves_another_one(server: Watched) -> None:
    heard: list[str] = []
    begun = threading.Event()

    def on_update(uri: str) -> bool:
        heard.append(uri)
        begun.set()
        return uri != LAST

    with FullClient.http(server.url) as client:
        watch = partial(client.subscribe, URI, on_update, timeout=60)
        other = threading.Thread(target=watch)
        other.start()
        assert begun.wait(60)
        client.subscribe(URI, lambda _uri: False, timeout=60)
        assert "resources/unsubscribe" not in server.methods()
        server.update(LAST)
        other.join(60)
    assert heard[-1] == LAST
    assert server.methods().count("resources/unsubscribe") == 1


def test_a_task_that_is_cancelled_leaves_the_subscription_of_another(
    server: Watched,
) -> None:
    heard: list[str] = []

    async def work() -> None:
        begun, again = anyio.Event(), anyio.Event()

        def on_other(_uri: str) -> None:
            again.set()

        def on_update(uri: str) -> bool:
            heard.append(uri)
            begun.set()
            return uri != LAST

        async with (
            AsyncFullClient.http(server.url) as client,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(partial(client.subscribe, URI, on_update, timeout=60))
            await begun.wait()
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as others:
                    others.start_soon(client.subscribe, URI, on_other)
                    await again.wait()
                    scope.cancel()
            assert "resources/unsubscribe" not in server.methods()
            server.update(LAST)

    anyio.run(work)
    assert heard[-1] == LAST
    assert server.methods().count("resources/unsubscribe") == 1


def test_a_subscription_that_begins_as_another_ends_stays(server: Watched) -> None:
    with FullClient.http(server.url) as client:
        begun = threading.Event()

        def on_update(uri: str) -> bool:
            begun.set()
            return uri != LAST

        watch = partial(client.subscribe, URI, on_update, timeout=60)
        other = threading.Thread(target=watch)

        def at_end() -> None:
            server.at_end = bool
            other.start()
            assert begun.wait(60)

        server.at_end = at_end
        client.subscribe(URI, lambda _uri: False, timeout=60)
        subscribed = [m for m in server.methods() if m.startswith("resources/")]
        server.update(LAST)
        other.join(60)
    assert [m.removeprefix("resources/") for m in subscribed] == [
        *("subscribe", "unsubscribe", "subscribe", "subscribe"),
    ]
