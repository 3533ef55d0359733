# Copied by mcp-bindgen. Do not edit.
"""MCP over a program's stdin and stdout: one JSON text a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..errors import TransportError
from .messages import is_response, parse_reply
from .steps import Overhear, Receive, Send, StdioStep, Tell
from .wire import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .messages import Reply
    from .steps import Flow
    from .wire import Envelope, Listener, Reading

    Listen: TypeAlias = Listener[StdioStep]


class StdioWire:
    """Sends requests as lines, and reads the messages that come for them."""

    http = False

    def exchange(self, envelope: Envelope, listen: Listen, /) -> Flow[StdioStep, Reply]:
        """Send one request and return the answer."""
        try:
            yield from Send(envelope.number, envelope.body, envelope.delivery)
            while True:
                message = yield from Receive(envelope.patience)
                if is_response(message):
                    return parse_reply(message, envelope.number)
                yield from listen(message)
        except SessionLostError as error:
            if envelope.delivery is not None:
                raise
            # It ended while the session was opened. Some old programs end at a probe
            # that they do not know; to start any other again would not help.
            fault = TransportError(
                error.message, is_legacy_server=envelope.patience is not None
            )
        raise fault

    def notify(
        self, body: bytes, headers: Mapping[str, str], /
    ) -> Flow[StdioStep, None]:
        """Send one message that gets no answer."""
        del headers
        yield from Tell(body)

    def listen(
        self,
        headers: Mapping[str, str],
        serve: Listen,
        lasts: Callable[[], bool],
        reading: Reading,
        /,
    ) -> Flow[StdioStep, None]:
        """Serve the messages that come while no call waits."""
        del headers
        yield from Overhear()
        reading.opened = True
        while lasts():
            yield from serve((yield from Receive(None)))

    def hang_up(self, headers: Mapping[str, str], /) -> Flow[StdioStep, None]:
        """Do nothing: closing stdin ends the session."""
        del headers
        yield from ()

    def older(self) -> Flow[StdioStep, None]:
        """Return None: there is one transport over stdio."""
        yield from ()
