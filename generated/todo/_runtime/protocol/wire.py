# Copied by mcp-bindgen. Do not edit.
"""The wire that carries messages to a server and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..errors import TransportError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .delivery import Delivery
    from .messages import Reply
    from .steps import Flow

StepT = TypeVar("StepT")
StepT_co = TypeVar("StepT_co", covariant=True)


class SessionLostError(TransportError):
    """The server no longer knows our session, or its program has ended."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """One request as it goes over the wire.

    Attributes:
        number: Its JSON-RPC id.
        body: The JSON text.
        headers: The MCP header fields, for HTTP.
        delivery: The call that it carries; None where it opens a session.
        patience: Seconds to wait for the answer of a probe; None for a request.
    """

    number: int
    body: bytes
    headers: Mapping[str, str]
    delivery: Delivery | None = None
    patience: float | None = None


@dataclass(eq=False, slots=True)
class Reading:
    """The state of the stream on which a server sends messages that belong to no call.

    Attributes:
        turn: Held by the flow that reads. One that is cut off with its event loop gives
            it back, so that a later call begins another; one that ends by itself holds
            it for ever, as there is nothing more to read.
        opened: Whether that flow hears the server, or knows that it cannot.
        last_id: The last event that came.
        failures: How often in a row that flow could not hear the server.
        is_lost: Whether it has learned that the session is over.
    """

    turn: Lock = field(default_factory=Lock)
    opened: bool = False
    last_id: str = ""
    failures: int = 0
    is_lost: bool = False


class Listener(Protocol[StepT_co]):
    """Takes a message that comes before the answer."""

    def __call__(self, message: dict[str, Any], /) -> Flow[StepT_co, None]:
        """Serve the message."""
        ...


class Wire(Protocol[StepT]):
    """Carries messages to the server and back, by steps of one transport."""

    @property
    def http(self) -> bool:
        """Whether messages carry HTTP header fields."""
        ...

    def exchange(
        self, envelope: Envelope, listen: Listener[StepT], /
    ) -> Flow[StepT, Reply]:
        """Send one request and return the answer."""
        ...

    def notify(self, body: bytes, headers: Mapping[str, str], /) -> Flow[StepT, None]:
        """Send one message that gets no answer."""
        ...

    def listen(
        self,
        headers: Mapping[str, str],
        serve: Listener[StepT],
        lasts: Callable[[], bool],
        reading: Reading,
        /,
    ) -> Flow[StepT, None]:
        """Read the server's messages outside of calls, as long as the session lasts.

        Args:
            headers: The header fields of the session.
            serve: Takes each message.
            lasts: Returns whether the session is still the one of the client.
            reading: Gets to know how far that is.
        """
        ...

    def hang_up(self, headers: Mapping[str, str], /) -> Flow[StepT, None]:
        """End the session."""
        ...

    def older(self) -> Flow[StepT, Wire[StepT] | None]:
        """Return a wire for the older transport, None if the server has none.

        It is for a server that refused `initialize` over this wire.
        """
        ...
