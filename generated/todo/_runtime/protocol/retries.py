# Copied by mcp-bindgen. Do not edit.
"""Whether a call is sent again, after which pause; whether we end a call early."""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import DeadlineError, McpError
from .messages import HEADER_MISMATCH
from .wire import SessionLostError

if TYPE_CHECKING:
    from ..errors import ProtocolError, TransportError
    from .delivery import Delivery
    from .request import Negotiated, Request

__all__ = ["Repeats", "is_abandoned"]

_random = SystemRandom()


def is_abandoned(error: BaseException) -> bool:
    """Return whether we end a call that the server may still work on.

    Our own errors, except for the deadline, come from the server: it knows of them. A
    flow that is closed can send nothing.
    """
    ours = isinstance(error, (McpError, GeneratorExit))
    return isinstance(error, DeadlineError) or not ours


class Repeats:
    """Counts how often one request was sent again, and decides about the next time.

    Args:
        request: The request.
        retries: How often it is sent again at most, where that is safe.
    """

    __slots__ = (
        "_lists",
        "_renewals",
        "_request",
        "_retries",
        "_tries",
        "_unused",
    )

    def __init__(self, request: Request, retries: int) -> None:
        self._request = request
        self._retries = retries
        self._tries = self._renewals = self._unused = self._lists = 0

    def after_list(self, error: ProtocolError) -> bool:
        """Return whether the request is sent again after the tools were listed.

        It is, once, if the server's header rules are not those of the recording.
        """
        self._lists += 1
        stale = error.code == HEADER_MISMATCH
        return stale and self._lists == 1 and self._request.method == "tools/call"

    def pause(
        self,
        error: TransportError,
        negotiated: Negotiated[Any] | None,
        delivery: Delivery,
    ) -> float | None:
        """Return the seconds to wait before the request is sent again.

        Args:
            error: It ended the last attempt.
            negotiated: The session of that attempt; None if none could be opened.
            delivery: How far that attempt got.

        Returns:
            The pause; None to raise the error.
        """
        if _session_was_gone(error, negotiated, delivery):
            # A session that has answered may end at any time; the second one that never
            # answered ends the call.
            self._renewals += 1
            self._unused += not (negotiated and negotiated.answered)
            endless = self._renewals > limits.SESSION_RENEWALS
            return None if endless or self._unused > 1 else 0.0
        self._tries += 1
        safe = self._request.retryable or delivery.attempt == "not sent"
        if not (error.transient and safe) or self._tries > self._retries:
            return None
        return _pause_before(self._tries, error.retry_after)


def _session_was_gone(
    error: TransportError, negotiated: Negotiated[Any] | None, delivery: Delivery
) -> bool:
    """Return whether a request met a session that had ended before, and did not run."""
    lost = isinstance(error, SessionLostError) and negotiated is not None
    return lost and delivery.did_not_run


def _pause_before(tries: int, retry_after: float | None) -> float:
    """Return the seconds to wait before another attempt.

    Args:
        tries: How many attempts failed.
        retry_after: Seconds that the server asks for; else about 0.25, 0.5, 1 ... 8.
    """
    if retry_after is not None:
        return retry_after
    longest: float = min(0.125 * 2**tries, limits.RETRY_PAUSE_MOST)
    return longest * _random.uniform(0.5, 1.0)
