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

    The rule: when the reading ends, for any reason, all calls that wait learn why. It
    does not end with its event loop while calls of other loops wait.
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
        """Wake up whoever reads: the stream ends."""
        self._connection.cut()

    def end(self, error: TransportError) -> None:
        """End the stream, and let all calls that wait know why.

        Whoever reads it may be no longer there to notice.
        """
        self._incoming.end(error)
        self.cut()

    def needed(self) -> bool:
        """Take no further call, as the event loop ends; tell whether any waits."""
        self._incoming.refuse_calls()
        return not self.idle

    def stop(self) -> bool:
        """Take no further call, as the event loop stands still; tell whether it ended.

        A loop stands still for a moment between two runs, also where it ends in order:
        calls that wait learn of it at a later look.
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
            post: Sends an answer to the server; its errors are nobody's.
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
            pass  # the connection broke, which says no more than that it ended
        finally:
            self._incoming.end(end)
            self._connection.abandon()

    async def read_async(
        self, chunks: AsyncIterator[bytes], post: Callable[[Post], Awaitable[object]]
    ) -> None:
        """Do the same in a task of its own."""
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
