"""An async client that several event loops used, closed in one of them."""

from __future__ import annotations

import asyncio
import gc
import threading
import warnings
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
import trio
from mcp_bindgen.runtime.client.bridge import perform
from mcp_bindgen.runtime.client.client import AsyncBaseClient
from mcp_bindgen.runtime.errors import ClosedError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from tests.runtime.conftest import Hostile

T = TypeVar("T")


class LoopOfThread:
    """An event loop that runs in a thread until the test ends."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._end = asyncio.Event()
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def _work(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self._until_end())

    async def _until_end(self) -> None:
        await self._end.wait()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the loop, and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(20)

    def end(self) -> None:
        """End the loop as `asyncio.run` does."""
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self._end.set)
            self._thread.join()


@pytest.fixture
def thread() -> Iterator[LoopOfThread]:
    thread = LoopOfThread()
    yield thread
    thread.end()


@pytest.fixture
def client(hostile: Hostile) -> Iterator[AsyncBaseClient]:
    """Make a client; whatever it leaves open is an error of the test."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield AsyncBaseClient.http(hostile.url("good"), timeout=20)
        gc.collect()
    assert [str(one.message) for one in caught] == []


async def call(client: AsyncBaseClient) -> None:
    assert (await client.call_tool("tool", {})).text == "done"


def one_after_another(client: AsyncBaseClient, _: LoopOfThread) -> None:
    asyncio.run(call(client))
    asyncio.run(call(client))


def one_that_runs(client: AsyncBaseClient, thread: LoopOfThread) -> None:
    thread.run(call(client))
    asyncio.run(call(client))


def one_in_the_background(client: AsyncBaseClient, _: LoopOfThread) -> None:
    asyncio.run(call(client))
    perform(client, lambda: call(client))


def one_of_trio(client: AsyncBaseClient, thread: LoopOfThread) -> None:
    trio.run(call, client)
    thread.run(call(client))


def one_that_may_go_on(client: AsyncBaseClient, _: LoopOfThread) -> None:
    loop = asyncio.new_event_loop()
    loop.run_until_complete(call(client))
    asyncio.run(client.close())
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


@pytest.mark.parametrize("where", ["asyncio", "trio", "thread"])
@pytest.mark.parametrize(
    "use",
    [
        one_after_another,
        one_that_runs,
        one_in_the_background,
        one_of_trio,
        one_that_may_go_on,
    ],
)
def test_a_close_leaves_nothing_open_in_any_loop(
    use: Callable[[AsyncBaseClient, LoopOfThread], None],
    where: str,
    client: AsyncBaseClient,
    thread: LoopOfThread,
) -> None:
    use(client, thread)
    if where == "trio":
        trio.run(client.close)
    elif where == "thread":
        thread.run(client.close())
    else:
        asyncio.run(client.close())
    thread.end()


def test_a_loop_that_ends_closes_its_connections(client: AsyncBaseClient) -> None:
    """They are closed before the client is."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        asyncio.run(call(client))
        gc.collect()
    assert [str(one.message) for one in caught] == []
    asyncio.run(client.close())


def test_a_closed_client_is_closed_in_each_loop(
    client: AsyncBaseClient, thread: LoopOfThread
) -> None:
    thread.run(call(client))
    asyncio.run(client.close())
    with pytest.raises(ClosedError) as caught:
        thread.run(call(client))
    assert caught.value.outcome == "not sent"


def test_a_close_waits_for_no_loop_that_stands_still(
    client: AsyncBaseClient, thread: LoopOfThread
) -> None:
    """A loop that waits for the close would never end it."""
    thread.run(call(client))

    async def stand_still() -> None:
        closing = threading.Thread(target=lambda: asyncio.run(client.close()))
        closing.start()
        closing.join()

    thread.run(stand_still())
