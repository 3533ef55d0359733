# Copied by mcp-bindgen. Do not edit.
"""Looks up host names within a time, and connects to one address after the other."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from .. import limits
from ..errors import FAILURE
from .connections import httpx

__all__ = ["BoundedConnect"]


class BoundedConnect:
    """Makes connections through another network backend, but within a time.

    The system's own look-up of a name cannot be ended, and a connection is tried with
    each address in turn: both together must stay within the time for connecting.

    Args:
        backend: Of httpcore; it gets addresses in place of names.
    """

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, **options: Any
    ) -> Any:
        """Connect within so many seconds.

        Raises:
            httpx.ConnectError: The name is not known.
            httpx.ConnectTimeout: The look-up takes too long.
        """
        end = time.monotonic() + (limits.CONNECT if timeout is None else timeout)
        *others, last = _addresses(host, port, end - time.monotonic())
        for number, address in enumerate(others):
            share = max(end - time.monotonic(), 0.0) / (len(others) + 1 - number)
            with suppress(*FAILURE):
                return self._backend.connect_tcp(address, port, share, **options)
        left = max(end - time.monotonic(), 0.001)
        return self._backend.connect_tcp(last, port, left, **options)


def _addresses(host: str, port: int, seconds: float) -> list[str]:
    """Return the addresses of a name, at least one."""
    for family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError, ValueError):
            socket.inet_pton(family, host)
            return [host]
    box: SimpleQueue[list[str] | OSError | UnicodeError] = SimpleQueue()

    def look_up() -> None:
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            box.put(error)
        else:
            box.put([str(address[0]) for *_, address in entries])

    threading.Thread(target=look_up, daemon=True).start()
    try:
        answer = box.get(timeout=seconds)
    except Empty:
        raise httpx.ConnectTimeout("the name was not looked up in time") from None
    if isinstance(answer, list) and answer:
        return answer
    try:
        raise answer if isinstance(answer, OSError) else socket.gaierror("no address")
    except OSError as error:
        # httpcore takes the cause of an error away, but not the context.
        raise httpx.ConnectError("the name is not known") from error
