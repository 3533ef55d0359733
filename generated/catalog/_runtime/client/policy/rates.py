# Copied by mcp-bindgen. Do not edit.
"""Counts calls a minute; the counts are of this process."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .entry import Rate

__all__ = ["Bucket", "Buckets", "wait_for"]


@dataclass(slots=True)
class Bucket:
    """The number of calls that may be made at once; it grows with the time."""

    calls: float
    at: float


Buckets: TypeAlias = dict[tuple[str, ...], Bucket]

_shared: Buckets = {}
_lock = threading.Lock()


def wait_for(
    rate: Rate,
    key: tuple[str, ...],
    buckets: Buckets | None = None,
    *,
    taken: bool = True,
) -> float:
    """Take one call, and return 0; else return the seconds until there is one.

    Args:
        rate: The rate.
        key: Who shares it.
        buckets: Those of a client, which end with it; None for those of the process.
        taken: Whether the call is taken, and not only looked for.
    """
    now = time.monotonic()  # the clock of the system may go back
    a_second = rate.per_minute / 60
    with _lock:
        every = _shared if buckets is None else buckets
        bucket = every.setdefault(key, Bucket(rate.burst, now))
        passed = max(0.0, now - bucket.at)
        bucket.calls = min(rate.burst, bucket.calls + passed * a_second)
        bucket.at = now
        if bucket.calls >= 1:
            bucket.calls -= taken
            return 0.0
        return (1 - bucket.calls) / a_second
