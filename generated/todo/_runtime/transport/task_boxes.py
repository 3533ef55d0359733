# Copied by mcp-bindgen. Do not edit.
"""Lets a task wait for a message that a thread brings."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from queue import Empty
from typing import TYPE_CHECKING, Any

import anyio
from anyio.lowlevel import checkpoint

from .loops import running_loop, soon_in

if TYPE_CHECKING:
    from ..errors import TransportError
    from ..protocol.steps import Box

__all__ = ["message_in"]


async def message_in(
    box: Box, seconds: float | None
) -> dict[str, Any] | TransportError:
    """Return the next message of a box.

    Args:
        box: The box; one task at a time waits for it.
        seconds: The longest wait; None for no end.

    Raises:
        Empty: None came.
    """
    # A server that sends all the time stops no other task.
    if not box.is_empty:
        await checkpoint()
    if seconds is None:
        return await _next(box)
    with anyio.move_on_after(seconds):
        return await _next(box)
    raise Empty


async def _next(box: Box) -> dict[str, Any] | TransportError:
    while True:
        arrived = anyio.Event()
        box.ring = partial(soon_in, running_loop(), arrived.set)
        with suppress(Empty):  # it may have come before the bell was there
            return box.get_nowait()
        await arrived.wait()
