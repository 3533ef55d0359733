"""A task that waits for a message wakes up when a thread brings one."""

from __future__ import annotations

import threading
from queue import Empty
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from mcp_bindgen.runtime.protocol.steps import Box
from mcp_bindgen.runtime.transport.task_boxes import message_in

pytestmark = pytest.mark.parametrize("backend", ["asyncio", "trio"])


def message(number: int) -> dict[str, Any]:
    return {"id": number, "result": {}}


def test_messages_of_a_thread_arrive_in_their_order(backend: str) -> None:
    box = Box()

    def bring() -> None:
        for number in range(200):
            box.put(message(number))

    async def take() -> list[Any]:
        thread = threading.Thread(target=bring)
        thread.start()
        taken = [await message_in(box, None) for _ in range(200)]
        thread.join()
        return taken

    assert anyio.run(take, backend=backend) == [*map(message, range(200))]


def test_a_wait_ends_and_the_next_one_gets_the_message(backend: str) -> None:
    box = Box()

    async def wait() -> object:
        with pytest.raises(Empty):
            await message_in(box, 0.01)
        threading.Timer(0.05, box.put, [message(1)]).start()
        return await message_in(box, 30)

    assert anyio.run(wait, backend=backend) == message(1)


def test_a_wait_that_is_cancelled_loses_no_message(backend: str) -> None:
    box = Box()

    async def wait() -> object:
        with anyio.move_on_after(0.01) as scope:
            await message_in(box, None)
        assert scope.cancelled_caught
        box.put(message(1))  # which rings for a task that is gone
        return await message_in(box, None)

    assert anyio.run(wait, backend=backend) == message(1)


def test_a_flood_stops_no_other_task(backend: str) -> None:
    box = Box()
    steps: list[str] = []

    async def other() -> None:
        for _ in range(3):
            steps.append("other")
            await anyio.lowlevel.checkpoint()

    async def flood() -> None:
        for number in range(100):
            box.put(message(number))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(other)
            for _ in range(100):
                await message_in(box, None)
                steps.append("flood")

    anyio.run(flood, backend=backend)
    assert steps.index("other") < 10
    assert steps[:10].count("other") == 3


def test_a_box_outlives_the_loop_that_waited(backend: str) -> None:
    box = Box()

    async def give_up() -> None:
        with pytest.raises(Empty):
            await message_in(box, 0.01)

    async def take() -> object:
        return await message_in(box, None)

    anyio.run(give_up, backend=backend)
    box.put(message(1))  # its bell belongs to a loop that has ended
    assert anyio.run(take, backend=backend) == message(1)
