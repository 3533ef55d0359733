# Copied by mcp-bindgen. Do not edit.
"""When a call is sent again, after which pause; when the server is told of its end."""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import DeadlineError
from .request import SessionLostError
from .steps import CallbackError

if TYPE_CHECKING:
    from ..errors import TransportError
    from .delivery import Delivery
    from .request import Negotiated

__all__ = ["given_up", "pause_before", "session_was_gone"]

_random = SystemRandom()


def given_up(error: BaseException) -> bool:
    """Tell whether we end a call that the server may still work on."""
    by_us = isinstance(error, (DeadlineError, CallbackError))
    return by_us or not isinstance(error, Exception)


def session_was_gone(
    error: TransportError, negotiated: Negotiated[Any] | None, delivery: Delivery
) -> bool:
    """Tell whether a request met a session that had ended before, and did not run."""
    lost = isinstance(error, SessionLostError) and negotiated is not None
    return lost and delivery.attempt in ("not sent", "refused")


def pause_before(tries: int, retry_after: float | None) -> float:
    """Return the seconds to wait before another attempt.

    Args:
        tries: How many attempts failed.
        retry_after: Seconds that the server asks for; else about 0.25, 0.5, 1 ... 8.
    """
    if retry_after is not None:
        return retry_after
    longest: float = min(0.125 * 2**tries, limits.RETRY_PAUSE_MOST)
    return longest * _random.uniform(0.5, 1.0)
