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

__all__ = ["RequestBody", "chunks_of", "end_response", "read_to_end"]


class RequestBody(httpx.AsyncByteStream):
    """The body of a request.

    The one of httpx is read by a generator, which nobody ends where the call is
    cancelled; trio warns of that.
    """

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Return the whole body as one chunk."""
        return _OneChunk(self._content)


class _OneChunk:
    """Gives one chunk of a body."""

    def __init__(self, content: bytes) -> None:
        self._chunks = iter((content,))

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        for chunk in self._chunks:
            return chunk
        raise StopAsyncIteration


def chunks_of(response: httpx.Response) -> AsyncIterator[bytes]:
    """Return the body; one that was read already, by `auth=` or a hook, at once."""
    if response.is_stream_consumed:
        return _OneChunk(response.content)
    return response.aiter_raw()


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
