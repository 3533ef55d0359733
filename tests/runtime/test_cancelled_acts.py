"""A cancelled or interrupted act leaves nothing, and the next call works."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.binding import Binding, raw
from mcp_bindgen.runtime.client.full import FullClient
from mcp_bindgen.runtime.client.full_tasks import AsyncFullClient
from mcp_bindgen.runtime.validation.models import Model

from tests.chaos.cancel import Stepped
from tests.chaos.drive import descriptors, wait_for
from tests.chaos.interrupt import Interrupt
from tests.runtime.test_tasks import TaskServer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

URI = "a://b"
_MOST = 200
_POINTS = 40
_NUMBERS = count(1)


class _Arguments(Model):
    nonce: str


_TOOL: Binding[Any] = Binding("slow", _Arguments, raw)


async def slow_async(client: Any, /, *, nonce: str) -> Any:
    """Call the tool, as a generated function does."""
    return await client.call(_TOOL, {"nonce": nonce})


class Server(TaskServer):
    """A server with a tool that runs as a task, and a resource that changes."""

    def __init__(self, *, modern: bool) -> None:
        super().__init__(modern=modern)
        self.offers["resources"] = {"subscribe": True}
        self.known = ""
        self.subscribed, self.ended = set[str](), set[str]()

    def result(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
        """Return what answers a request."""
        method = message["method"]
        if method == "resources/subscribe":
            uri = message["params"]["uri"]
            self.subscribed.add(uri)
            notice = "notifications/resources/updated"
            self.tell({"method": notice, "params": {"uri": uri}})
            return {"result": {}}
        if method == "resources/unsubscribe":
            self.ended.add(message["params"]["uri"])
            return {"result": {}}
        return super().result(message, send)

    def deliveries(self, nonce: str) -> int:
        """Return how many calls came with a nonce."""
        calls = [m["params"] for m in self.messages if m.get("method") == "tools/call"]
        return sum(params["arguments"].get("nonce") == nonce for params in calls)

    def is_even(self) -> bool:
        """Return whether each subscription that arrived was taken back.

        Each has a URI of its own. Begin and end come on two connections, which the
        server's threads may read in any order.
        """
        return self.subscribed <= self.ended


@pytest.fixture(params=["legacy", "modern"])
def server(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    # Each of some 2,000 calls would look at its task after 50 milliseconds.
    monkeypatch.setattr(limits, "TASK_PAUSE_LEAST", 0.002)
    with Server(modern=request.param == "modern") as running:
        running.looks = 1  # each task is done at the first look
        running.pause = 1
        yield running


def tool(client: Any) -> Any:
    """Return the tool as a method of a client."""
    return slow_async.__get__(client)


def wants_no_more(_uri: str) -> bool:
    """End a subscription."""
    return False


def none_opened(before: int) -> bool:
    """Return whether no more files are open than before."""
    return descriptors() <= before


async def submit(client: Any, server: Server, nonce: str) -> None:
    del server
    await client.submit(tool(client), nonce=nonce)


async def resume(client: Any, server: Server, nonce: str) -> None:
    del nonce
    await client.resume_task(tool(client), server.known).result(5)


async def stream(client: Any, server: Server, nonce: str) -> None:
    del server
    async for _ in client.stream(tool(client), nonce=nonce):
        pass


async def subscribe(client: Any, server: Server, nonce: str) -> None:
    seconds = 0.05 if server.modern else 5
    await client.subscribe(f"a://{nonce}", wants_no_more, timeout=seconds)


async def listen(client: Any, server: Server, nonce: str) -> None:
    """Make a call of a client that reads what the server sends beside the answers."""
    del server
    await client.call_tool("slow", {"nonce": nonce})


ACTS: list[Callable[..., Awaitable[None]]] = [
    submit,
    resume,
    stream,
    subscribe,
    listen,
]


async def cut(act: Any, server: Server, at: int, how: str) -> int:
    """Cancel an act at one of its awaits, make another call, and return its awaits."""
    nonce, later = f"fault-{next(_NUMBERS)}", f"later-{next(_NUMBERS)}"
    options: dict[str, Any] = {"on_list_changed": print} if act is listen else {}
    client = AsyncFullClient.http(server.url, timeout=10, **options)
    step = Stepped(act(client, server, nonce), at, how)
    if how == "trio":
        await step.run()
    else:
        with suppress(asyncio.CancelledError):
            await asyncio.ensure_future(step.run())
    result = await client.call_tool("slow", {"nonce": later})
    assert result.json() == "done"
    assert server.deliveries(nonce) <= 1
    assert server.deliveries(later) == 1
    await client.close()
    if how != "trio":
        await ended()
    return step.steps


async def ended() -> None:
    """Wait until no task is left but this one."""
    with anyio.fail_after(5):
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=0.01)


@pytest.mark.parametrize("how", ["scope", "cancel", "late", "trio"])
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_a_cancelled_act_leaves_nothing(act: Any, how: str, server: Server) -> None:
    async def made() -> str:
        async with AsyncFullClient.http(server.url) as client:
            return str((await client.submit(tool(client), nonce="early")).to_json())

    server.known = asyncio.run(made())
    backend = "trio" if how == "trio" else "asyncio"
    for at in range(1, _MOST):
        before = descriptors()
        steps = anyio.run(partial(cut, act, server, at, how), backend=backend)
        closed = wait_for(partial(none_opened, before), 5)
        assert closed, f"open after await {at}"
        assert wait_for(server.is_even, 5), f"subscribed after await {at}"
        if steps < at:
            return
    raise AssertionError("the act does not end")


def interrupted(client: Any, interrupt: Interrupt) -> None:
    """Subscribe, and raise something out of a signal handler on the way."""
    sys.setprofile(interrupt)
    try:
        client.subscribe(f"a://{next(_NUMBERS)}", wants_no_more, timeout=20)
    except BaseException:  # noqa: BLE001, the one of the handler
        sys.setprofile(None)
    finally:
        sys.setprofile(None)


class InDriver(Interrupt):
    """Raises in the functions that run the steps of a call, and nowhere else."""

    def __call__(self, frame: Any, event: str, argument: object) -> None:
        if frame.f_code.co_name in {"drive", "perform", "common"}:
            super().__call__(frame, event, argument)


# An interrupt between two lines of Python's `create_connection`, or of the library that
# calls it, loses the socket; only the collection of garbage can close that one. Where
# Python ends a generator of that library, it prints the interrupt as "ignored".
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", [Interrupt, InDriver])
def test_an_interrupted_subscription_is_taken_back(kind: type[Interrupt]) -> None:
    with Server(modern=False) as server, FullClient.http(server.url) as client:
        count = kind(0)
        interrupted(client, count)  # imports are no steps
        interrupted(client, count := kind(0))
        for number in range(_POINTS):
            at = 1 + number * count.points // _POINTS
            interrupted(client, kind(at))
            assert wait_for(server.is_even, 5), f"subscribed at point {at}"
            assert client.call_tool("slow", {"nonce": "later"}).json() == "done"


def test_a_user_may_interrupt_a_subscription() -> None:
    with Server(modern=False) as server, FullClient.http(server.url) as client:

        def interrupt(_uri: str) -> None:
            signal.setitimer(signal.ITIMER_REAL, 0.01)  # while nothing changes

        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            with pytest.raises(KeyboardInterrupt):
                client.subscribe(URI, interrupt, timeout=60)
        finally:
            signal.signal(signal.SIGALRM, before)
        assert server.methods()[-1] == "resources/unsubscribe"


def test_a_later_era_needs_no_end() -> None:
    with Server(modern=True) as server, FullClient.http(server.url) as client:
        client.subscribe(URI, print, timeout=0.05)
        assert "resources/unsubscribe" not in server.methods()
