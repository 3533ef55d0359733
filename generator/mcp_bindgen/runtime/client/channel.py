"""A session and its driver, which all clients on one connection share."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..protocol.session import Session

__all__ = ["Channel"]

DriverT = TypeVar("DriverT")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Channel(Generic[DriverT]):
    """A session with a server, and the driver that runs its flows.

    Attributes:
        server: Scheme and host, or the name of a program.
        identity: The URL, or the words of the command; it may hold secrets.
        hide: Takes the tokens of OAuth out of a text of the server.
    """

    session: Session[Any] = field(repr=False)
    driver: DriverT = field(repr=False)
    server: str
    identity: tuple[str, ...] = field(default=(), repr=False)
    hide: Callable[[str], str] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _channels.add(self)


_channels: WeakSet[Channel[Any]] = WeakSet()


def _forked() -> None:
    """Give a forked process sessions, connections and programs of its own."""
    for channel in [*_channels]:
        # Parent and child share no id, also where there is no session.
        channel.session.forked(os.getpid() << 20)
        channel.driver.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
