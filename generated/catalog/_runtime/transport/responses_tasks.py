# Copied by mcp-bindgen. Do not edit.
"""The bodies of HTTP responses, as tasks read them."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from .. import limits
from .http_faults import FAULTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from .connections import httpx

__all__ = ["chunks_of", "end_response", "read_to_end"]


def chunks_of(response: httpx.Response) -> AsyncIterator[bytes]:
    """Return the body; one that was read already, by `auth=` or a hook, at once."""
    if response.is_stream_consumed:
        return _once(response.content)
    return response.aiter_raw()


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def read_to_end(response: httpx.Response) -> bool:
    """Read the answer to a message; tell whether it was read to its end."""
    chunks, size = chunks_of(response), 0
    try:
        with suppress(*FAULTS):
            async for chunk in chunks:
                size += len(chunk)
                if size > limits.SIDE_BODY:
                    return False
            return True
        return False
    finally:
        with anyio.CancelScope(shield=True):
            await end_response(response, chunks)


async def end_response(response: httpx.Response, chunks: AsyncIterator[bytes]) -> None:
    """Close a response, and end the generators of its body, which trio asks for."""
    with suppress(*FAULTS):
        await response.aclose()
    with suppress(*FAULTS, RuntimeError):
        async for _ in chunks:
            pass
