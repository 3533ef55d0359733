# Copied by mcp-bindgen. Do not edit.
"""The messages of a server outside of calls: reads and serves them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Generic

from .. import limits
from ..errors import McpError, ProtocolError, TransportError
from ..json_values import members
from .headers import request_headers
from .messages import is_response
from .request import Request
from .server_messages import serve_idle
from .steps import Beside, Sleep
from .wire import SessionLostError, StepT

if TYPE_CHECKING:
    from collections.abc import Callable

    from .request import Negotiated, SessionSettings
    from .steps import Flow
    from .wire import Reading

__all__ = ["listen"]

_KINDS = ("tools", "prompts", "resources")

_log = logging.getLogger(__name__.partition("._runtime")[0])


def listen(
    settings: SessionSettings,
    negotiated: Negotiated[StepT],
    lasts: Callable[[], bool],
    send: Callable[[Request], Flow[StepT, Any]],
) -> Flow[StepT, None]:
    """Begin to read the messages that a server sends outside of calls.

    Messages that a legacy server sends before that are lost, so the call waits for it.
    Legacy servers send it on a stream of the session. Modern ones send it where we
    subscribe to it (MCP 2026-07-28, `subscriptions/listen`), and ask nothing there.

    Args:
        settings: The handlers of questions and of changes, and the gates.
        negotiated: The session.
        lasts: Returns whether it is still the one of the client.
        send: Sends a request.
    """
    reading = negotiated.reading
    if negotiated.modern:
        watched = settings.on_change or settings.gates.compares
        kinds = _changing(negotiated) if watched else {}
        if kinds:
            yield from Beside(_read(reading, _subscribed(send, lasts, kinds)))
        else:
            reading.turn.acquire(blocking=False)  # there is nothing to read
        return
    reading.opened = False
    headers = request_headers(negotiated, {}, {})
    serve = _Idle(settings, negotiated).take
    flow = negotiated.wire.listen(headers, serve, lasts, reading)
    yield from Beside(_read(reading, flow))
    waited, pause = 0.0, limits.TASK_POLL
    while not reading.opened and waited < limits.STREAM_OPENS:
        if not (yield from Sleep(pause)):
            return
        waited, pause = waited + pause, min(pause * 2, limits.URL_POLL)


def _read(reading: Reading, flow: Flow[StepT, None]) -> Flow[StepT, None]:
    """Run the one flow that reads; see `Reading`."""
    if not reading.turn.acquire(blocking=False):
        reading.opened = True  # another call began at the same moment
        return
    try:
        yield from flow
    except BaseException as error:
        reading.is_lost = isinstance(error, SessionLostError)
        if not isinstance(error, Exception):
            reading.turn.release()
        raise
    finally:
        reading.opened = True


class _Idle(Generic[StepT]):
    """Serves messages that belong to no request of ours.

    Args:
        settings: The handlers of questions.
        negotiated: The session.
    """

    def __init__(
        self, settings: SessionSettings, negotiated: Negotiated[StepT]
    ) -> None:
        self._settings = settings
        self._negotiated = negotiated
        self._serving = 0

    def take(self, message: dict[str, Any], /) -> Flow[StepT, None]:
        """Serve a message; questions run beside each other, as people need minutes."""
        if is_response(message):
            return
        if message.get("method") not in self._settings.handlers:
            yield from serve_idle(self._settings, self._negotiated, message)
        elif self._serving < limits.SERVED_AT_ONCE:
            self._serving += 1
            yield from Beside(self._served(message))
        else:
            refused = {**message, "method": ""}
            yield from serve_idle(self._settings, self._negotiated, refused)

    def _served(self, message: dict[str, Any]) -> Flow[StepT, None]:
        try:
            yield from serve_idle(self._settings, self._negotiated, message)
        except McpError:
            _log.debug("an answer did not reach the server")
        finally:
            self._serving -= 1


def _changing(negotiated: Negotiated[Any]) -> dict[str, bool]:
    """Return the filter of a subscription: the lists whose changes are reported."""
    capabilities = members(negotiated.facts.get("capabilities"))
    return {
        f"{kind}ListChanged": True
        for kind in _KINDS
        if members(capabilities.get(kind)).get("listChanged") is True
    }


def _subscribed(
    send: Callable[[Request], Flow[StepT, Any]],
    lasts: Callable[[], bool],
    kinds: dict[str, bool],
) -> Flow[StepT, None]:
    """Subscribe to changes of lists, again and again while the session lasts."""
    request = Request("subscriptions/listen", {"notifications": kinds})
    pause = limits.RESUME_PAUSE
    while lasts():
        try:
            yield from send(request)
        except ProtocolError:
            return
        except TransportError as error:
            if not error.transient:
                return
        if not (yield from Sleep(pause)):
            return
        pause = min(pause * 2, limits.STREAM_PAUSE)
