# Copied by mcp-bindgen. Do not edit.
"""Closes the idle connections of an async client, also where their event loop ends."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from .http_faults import FAULTS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from .connections import Pool

__all__ = ["close_idle", "closed_at_end"]


async def closed_at_end(pool: Pool) -> AsyncGenerator[None, None]:
    """Close the idle connections when this generator ends.

    A loop ends the generators that were begun in it: at its own end, or when nothing
    refers to them.
    """
    process = os.getpid()
    try:
        yield
    finally:
        if process == os.getpid():
            await close_idle(pool)


async def close_idle(pool: Pool) -> None:
    """Close the connections that no call uses."""
    while pool.idle:
        connection = pool.idle.pop()
        pool.drop(connection)
        with anyio.CancelScope(shield=True), suppress(*FAULTS):
            await connection.close()
