"""A session and its driver, which all clients on one connection share; its facts."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakSet

from ..json_values import members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..protocol.session import Session

__all__ = ["Channel", "SessionFacts"]

DriverT = TypeVar("DriverT")


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Channel(Generic[DriverT]):
    """A session with a server, and the driver that runs its flows.

    Attributes:
        server: Scheme and host, or the name of a program.
        identity: The URL, or the words of the command; it may hold secrets.
    """

    session: Session[Any] = field(repr=False)
    driver: DriverT = field(repr=False)
    server: str
    identity: tuple[str, ...] = field(default=(), repr=False)

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


class SessionFacts:
    """The facts of a client's session."""

    if TYPE_CHECKING:

        @property
        def _channel(self) -> Channel[Any]: ...

        @property
        def server(self) -> str:
            """Where the calls go."""
            ...

    @property
    def server_info(self) -> Mapping[str, Any]:
        """The server's own name, version ...; {} before the first connection."""
        negotiated = self._channel.session.negotiated
        return negotiated.server_info if negotiated else {}

    @property
    def protocol_version(self) -> str | None:
        """The negotiated protocol version; None before the first connection."""
        negotiated = self._channel.session.negotiated
        return negotiated.version if negotiated else None

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """The server's capabilities; {} before the first connection."""
        negotiated = self._channel.session.negotiated
        return members(negotiated.facts.get("capabilities")) if negotiated else {}

    @property
    def instructions(self) -> str | None:
        """The server's words to a model, where there are any."""
        negotiated = self._channel.session.negotiated
        text = negotiated.facts.get("instructions") if negotiated else None
        return text if isinstance(text, str) else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.server!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a client holds a connection and cannot be pickled")
