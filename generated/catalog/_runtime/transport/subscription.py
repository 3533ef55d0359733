# Copied by mcp-bindgen. Do not edit.
"""Streams that are read beside the calls, for as long as their session lasts."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from .. import limits
from ..errors import FAILURE, TransportError
from ..protocol.wire import SessionLostError
from .log_redaction import in_request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from ..protocol.steps import Incoming, Post
    from .connections import Connection

__all__ = ["Subscription"]

# Seconds until the system asks whether a silent peer is there, between two such
# questions, and their number: else nobody notices a server that just vanished.
_ALIVE = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3}


class Subscription:
    """One stream, and the connection that it comes on.

    The rule: when the reading ends, all calls that wait get the reason. It does not end
    with its event loop while calls of other loops wait.
    """

    def __init__(self, connection: Connection, incoming: Incoming) -> None:
        self._connection = connection
        self._incoming = incoming
        self._stopped: float | None = None
        with suppress(AttributeError, OSError):
            sock = connection.stream.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in _ALIVE.items():
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    @property
    def idle(self) -> bool:
        """Whether no call waits for a message of the stream."""
        return self._incoming.idle

    def cut(self) -> None:
        """Wake up the reader: the stream ends."""
        self._connection.cut()

    def end(self, error: TransportError) -> None:
        """End the stream, and give the reason to all calls that wait.

        The reader may have ended before, and not notice it.
        """
        self._incoming.end(error)
        self.cut()

    def needed(self) -> bool:
        """Take no further call, as the event loop ends; return whether any waits."""
        self._incoming.refuse_calls()
        return not self.idle

    def stop(self) -> bool:
        """Take no further call, as the event loop is paused; return whether it ended.

        A loop pauses for a moment between two runs, also at a normal end: calls that
        wait notice it at a later check.
        """
        now = time.monotonic()
        self._stopped = now if self._stopped is None else self._stopped
        over = not self.needed() or now - self._stopped >= limits.LOOP_POLL
        if over:
            self.end(_loop_stopped())
        return over

    def read(self, chunks: Iterator[bytes], post: Callable[[Post], object]) -> None:
        """Read the stream to its end, in a thread of its own.

        Args:
            chunks: The bytes of the stream.
            post: Sends an answer to the server; its errors are ignored.
        """
        in_request.set(True)
        end: TransportError = _ended()
        try:
            for chunk in chunks:
                for answer in self._incoming.feed(chunk):
                    with suppress(*FAILURE):
                        post(answer)
        except TransportError as error:
            end = error
        except FAILURE:
            pass  # a broken connection only means that the stream ended
        finally:
            self._incoming.end(end)
            self._connection.abandon()

    async def read_async(
        self, chunks: AsyncIterator[bytes], post: Callable[[Post], Awaitable[object]]
    ) -> None:
        """Read the stream to its end, in a task of its own."""
        in_request.set(True)
        end: TransportError = _ended()
        try:
            async for chunk in chunks:
                for answer in self._incoming.feed(chunk):
                    with suppress(*FAILURE):
                        await post(answer)
        except TransportError as error:
            end = error
        except FAILURE:
            pass
        except BaseException:  # the task is cancelled where its event loop ends
            end = _loop_stopped()
            raise
        finally:
            self._incoming.end(end)


def _loop_stopped() -> TransportError:
    """Return the error for calls of one event loop whose stream another one read."""
    return SessionLostError(
        "the event loop that read the event stream stopped", transient=True
    )


def _ended() -> TransportError:
    return SessionLostError("the server ended the event stream", transient=True)
