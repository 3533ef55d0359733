# Copied by mcp-bindgen. Do not edit.
"""Waits for work in threads: for a time, or in a task; bounds bodies of refusals."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar, cast

import anyio.to_thread

from ... import limits
from ...errors import ENDING, LimitError
from ..connections import httpx

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

__all__ = ["Bounded", "beside", "in_thread"]

T = TypeVar("T")


def in_thread(
    work: Callable[[], T], seconds: float | None, name: str = "", *, daemon: bool = True
) -> T:
    """Return the result of work in a thread, which continues if it takes too long.

    Args:
        work: The work.
        seconds: How long to wait; None for as long as it takes.
        name: The name of the thread, "" for none of ours.
        daemon: Whether the end of the program ends the thread, too.

    Raises:
        httpx.ReadTimeout: It takes longer.
    """
    results: SimpleQueue[T | _Failure] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except ENDING as error:  # raised in the thread of the caller
            results.put(_Failure(error))

    threading.Thread(target=run, name=name or None, daemon=daemon).start()
    try:
        result = results.get(timeout=seconds)
    except Empty:
        raise httpx.ReadTimeout("no token in time") from None
    if isinstance(result, _Failure):
        raise result.error
    return result


async def beside(work: Callable[[], T]) -> T:
    """Return the result of work in a thread, which continues if the task ends."""
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)


class _Failure:
    def __init__(self, error: BaseException) -> None:
        self.error = error


class Bounded(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The body of a refusal, which httpx reads before the next request.

    Args:
        stream: The body.
    """

    def __init__(self, stream: object) -> None:
        self._stream = stream
        self._left = limits.ERROR_BODY

    def __iter__(self) -> Iterator[bytes]:
        for chunk in cast("httpx.SyncByteStream", self._stream):
            yield self._counted(chunk)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in cast("httpx.AsyncByteStream", self._stream):
            yield self._counted(chunk)

    def close(self) -> None:
        """Close the body."""
        cast("httpx.SyncByteStream", self._stream).close()

    async def aclose(self) -> None:
        """Close the body."""
        await cast("httpx.AsyncByteStream", self._stream).aclose()

    def _counted(self, chunk: bytes) -> bytes:
        self._left -= len(chunk)
        if self._left < 0:
            raise LimitError(f"a refusal of more than {limits.ERROR_BODY} bytes")
        return chunk
