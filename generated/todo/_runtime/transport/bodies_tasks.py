# Copied by mcp-bindgen. Do not edit.
"""Bodies of requests and responses in a task, where generators need an end."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from .. import limits
from .connections import httpx
from .http_faults import FAULTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

__all__ = ["WholeBody", "chunks_of", "end_response", "read_to_end"]


class WholeBody(httpx.AsyncByteStream):
    """A body of one chunk.

    httpx reads a body with a generator. A cancelled call leaves that generator open,
    and trio warns of it; so this is none.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._is_read = False

    def __aiter__(self) -> Self:
        """Begin anew: an `auth=` may have the same request sent twice."""
        self._is_read = False
        return self

    async def __anext__(self) -> bytes:
        if self._is_read:
            raise StopAsyncIteration
        self._is_read = True
        return self._content


def chunks_of(response: httpx.Response) -> AsyncIterator[bytes]:
    """Return the body; one that was read already, by `auth=` or a hook, at once."""
    if response.is_stream_consumed:
        return WholeBody(response.content)
    return response.aiter_raw()


async def read_to_end(response: httpx.Response) -> bool:
    """Read the answer to a message; return whether it was read to its end."""
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
