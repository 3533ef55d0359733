# Copied by mcp-bindgen. Do not edit.
"""Sends one request of a session once, and reads its answer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Generic

from ..json_values import members
from . import messages as rpc
from .delivery import Delivery
from .headers import request_headers
from .one_way import cancelled, notified
from .request import Request, SessionSettings, message_of
from .retries import is_abandoned
from .server_messages import serve
from .span_facts import note_request
from .wire import Envelope, SessionLostError, StepT, Wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .gates import Gates
    from .request import Negotiated
    from .steps import Flow

    _Headers = Mapping[str, tuple[str, ...]]


class Sender(Generic[StepT]):
    """Holds the state of a session, and sends each request once.

    Attributes:
        negotiated: The open session; None before, and after it is lost.
        settings: Those of all its requests.
    """

    def __init__(self, wire: Wire[StepT], settings: SessionSettings) -> None:
        self.negotiated: Negotiated[StepT] | None = None
        self._wire = wire
        self.settings = settings
        self._ids = count(1)
        self._tool_headers: dict[str, _Headers] = {}

    def declare(self, capabilities: tuple[str, ...]) -> None:
        """Declare capabilities without a handler, before the first request."""
        self.settings = replace(self.settings, declared=capabilities)

    @property
    def gates(self) -> Gates:
        """The gates that decide about requests of the server."""
        return self.settings.gates

    def forked(self, first_id: int) -> None:
        """Begin again in a forked process, which shares no session and no id.

        Args:
            first_id: The first request id; one that the parent does not reach.
        """
        self.negotiated = None
        self._ids = count(first_id)

    def _set_level(
        self, negotiated: Negotiated[StepT], level: str
    ) -> Flow[StepT, None]:
        """Tell a server the level of its logs.

        MCP 2025-11-25, utilities, "Logging".
        """
        logs = "logging" in members(negotiated.facts.get("capabilities"))
        if logs:
            request, params = Request("logging/setLevel"), {"level": level}
            yield from self._send(negotiated, request, params, Delivery())
        negotiated.log_level = level

    def tell(self, request: Request) -> Flow[StepT, None]:
        """Send a request, and do not wait for the answer."""
        if (negotiated := self.negotiated) is not None:
            number, params = next(self._ids), request.params
            message = message_of(self.settings, negotiated, number, request, params)
            yield from notified(negotiated, message)

    def _send(
        self,
        negotiated: Negotiated[StepT],
        request: Request,
        params: Mapping[str, Any],
        delivery: Delivery,
    ) -> Flow[StepT, dict[str, Any]]:
        number = next(self._ids)
        note_request(request.method, number)
        message = message_of(self.settings, negotiated, number, request, params)
        declared = self._tool_headers.get(
            str(params.get("name")) if request.method == "tools/call" else "",
            request.header_params,
        )
        headers = request_headers(negotiated, message, declared)
        envelope = Envelope(number, rpc.encode(message), headers, delivery)
        listen = partial(serve, self.settings, negotiated, number, request)
        try:
            reply = yield from negotiated.wire.exchange(envelope, listen)
        except SessionLostError:
            self._forget(negotiated)
            raise
        except BaseException as error:
            task = request.method.startswith("tasks/")  # which goes on
            if is_abandoned(error) and delivery.attempt == "unknown" and not task:
                yield from cancelled(negotiated, number)
            raise
        if reply.error is None:
            negotiated.answered = True
            return reply.unwrap()
        self._refusal(negotiated, reply, delivery)
        raise reply.error

    def _refusal(
        self, negotiated: Negotiated[StepT], reply: rpc.Reply, delivery: Delivery
    ) -> None:
        """Note the error's meaning in the delivery and the session."""
        if reply.refused:
            delivery.refused()
        if reply.error and reply.error.code == rpc.UNSUPPORTED_VERSION:
            # The server was changed, and refuses the era before it reads the request.
            self._forget(negotiated)
            text = f"the server changed: {reply.error.message}"
            raise SessionLostError(text, status=reply.status)
        named = reply.error is not None and "session" in reply.error.text.lower()
        if reply.status >= 400 and (named or not reply.addressed):
            # Some servers have this status, and not 404, for an unknown session.
            # On such a guess the next call opens another; this one is not sent again.
            self._forget(negotiated)
        else:
            negotiated.answered = True

    def _forget(self, negotiated: Negotiated[StepT]) -> None:
        # Another call may have negotiated a new one meanwhile.
        if self.negotiated is negotiated:
            self.negotiated = None
