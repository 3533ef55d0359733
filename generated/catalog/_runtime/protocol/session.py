# Copied by mcp-bindgen. Do not edit.
"""The conversation with one server, without input or output: calls, and their ends."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Generic

from .. import limits
from ..errors import (
    ENDING,
    LimitError,
    McpError,
    ProtocolError,
    TransportError,
    shown,
)
from ..strict_json import members
from . import messages as rpc
from .delivery import Delivery
from .headers import request_headers, usable_tools
from .negotiation import Negotiation
from .paging import entries
from .request import (
    Envelope,
    Request,
    SessionLostError,
    SessionSettings,
    StepT,
    Wire,
    message_of,
)
from .retries import given_up, pause_before, session_was_gone
from .server_messages import answer, serve
from .steps import CallbackError, Lock, Sleep, Unlock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .request import Negotiated
    from .steps import Flow

_log = logging.getLogger(__name__.partition("._runtime")[0])
_OUTCOME = "outcome"


class Session(Generic[StepT]):
    """Negotiates a version with the server, holds the session, sends requests.

    Attributes:
        negotiated: The open session; None before, and after it is lost.
    """

    def __init__(self, wire: Wire[StepT], settings: SessionSettings) -> None:
        self.negotiated: Negotiated[StepT] | None = None
        self._wire = wire
        self._settings = settings
        self._ids = count(1)
        self._tool_headers: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def declare(self, capabilities: tuple[str, ...]) -> None:
        """Declare capabilities without a handler, before the first request."""
        self._settings = replace(self._settings, declared=capabilities)

    def forked(self, first_id: int) -> None:
        """Begin anew in a forked process, which shares no session and no id.

        Args:
            first_id: The first request id; one that the parent does not reach.
        """
        self.negotiated = None
        self._ids = count(first_id)

    # Requests

    def request(self, request: Request) -> Flow[StepT, dict[str, Any]]:
        """Send a request and return its result, again where that is safe.

        Raises:
            McpError: Its `outcome` comes from the call's own delivery.
        """
        try:
            result = yield from self._delivered(request)
        except ENDING as error:
            for permit in request.permits:
                permit.failed(error)
            raise
        for permit in request.permits:
            result = permit.ended(result)
        return result

    def _delivered(self, request: Request) -> Flow[StepT, dict[str, Any]]:
        """Send a request; an error has the outcome of its own delivery."""
        delivery = Delivery()
        try:
            return (yield from self._rounds(request, delivery))
        except McpError as error:
            error.outcome = delivery.outcome
            raise
        except CallbackError as error:
            # The user's function may raise an error of another client of ours. Its
            # outcome must be true of this call, which decides about sending it again.
            if hasattr(error.original, _OUTCOME):
                setattr(error.original, _OUTCOME, delivery.outcome)
            raise

    def _rounds(
        self, request: Request, delivery: Delivery
    ) -> Flow[StepT, dict[str, Any]]:
        """Send a request, and again with the input that the server asks for (MRTR)."""
        params, pause = request.params, limits.ROUND_PAUSE
        for _ in range(limits.INPUT_ROUNDS):
            modern, result = yield from self._attempts(request, params, delivery)
            kind = result.get("resultType", "complete") if modern else "complete"
            if kind == "complete":
                delivery.ran()
                return result
            if kind != "input_required":
                raise TransportError(f"a result of unknown type {shown(kind, 50)}")
            # The call may have begun: nobody knows how far it got.
            requests, answers = members(result.get("inputRequests")), {}
            for key, one in requests.items():
                answers[key] = yield from answer(self._settings, one, requests)
            if not requests:
                yield from Sleep(pause)
                pause = min(pause * 2, limits.ROUND_PAUSE_MOST)
            params = {**request.params}
            if answers:
                params["inputResponses"] = answers
            if "requestState" in result:
                params["requestState"] = result["requestState"]
        raise LimitError(
            f"the server asks for input more than {limits.INPUT_ROUNDS} times"
        )

    def _attempts(
        self, request: Request, params: Mapping[str, Any], delivery: Delivery
    ) -> Flow[StepT, tuple[bool, dict[str, Any]]]:
        """Send a request until it is answered, as often as that is safe.

        It is safe where the tool says so, and where the delivery shows that the last
        attempt did not run.

        Returns:
            Whether the session is of the modern era, and the result.
        """
        tries = lost_unused = renewals = 0
        relisted = False
        while True:
            negotiated = None
            delivery.again()
            try:
                negotiated = yield from self.connect()
                yield from self._permitted(request, params, negotiated)
                result = yield from self._send(negotiated, request, params, delivery)
            except ProtocolError as error:
                # The server's headers are not those of the recording: list, try again.
                stale = error.code == rpc.HEADER_MISMATCH
                if not stale or relisted or request.method != "tools/call":
                    raise
                relisted = True
                yield from self.list_tools()
            except TransportError as error:
                if session_was_gone(error, negotiated, delivery):
                    # A session that has served may end at any time; one that never
                    # did is given up the second time.
                    renewals += 1
                    lost_unused += not (negotiated and negotiated.answered)
                    if lost_unused > 1 or renewals > limits.SESSION_RENEWALS:
                        raise
                    continue
                tries += 1
                safe = request.retryable or delivery.attempt == "not sent"
                if not (error.transient and safe) or tries > self._settings.retries:
                    raise
                if not (yield from Sleep(pause_before(tries, error.retry_after))):
                    raise
            else:
                return negotiated.modern, result

    def _permitted(
        self,
        request: Request,
        params: Mapping[str, Any],
        negotiated: Negotiated[StepT],
    ) -> Flow[StepT, None]:
        """Have the permits decide about what is sent next, with the tools of now."""
        for permit in request.permits:
            tries = limits.LISTS_FOR_PERMIT
            while tries and permit.needs_tools(negotiated):
                changes = negotiated.list_changes
                tools = yield from self.list_tools()
                permit.take_tools(negotiated, changes, tools)
                tries -= 1
        for permit in request.permits:
            # A server whose list changes all the time is never as reviewed.
            permit.check(params, pinned=not permit.needs_tools(negotiated))

    def _send(
        self,
        negotiated: Negotiated[StepT],
        request: Request,
        params: Mapping[str, Any],
        delivery: Delivery,
    ) -> Flow[StepT, dict[str, Any]]:
        number = next(self._ids)
        message = message_of(self._settings, negotiated, number, request, params)
        declared = self._tool_headers.get(
            str(params.get("name")) if request.method == "tools/call" else "",
            request.header_params,
        )
        headers = request_headers(negotiated, message, declared)
        envelope = Envelope(number, rpc.encode(message), headers, delivery)
        listen = partial(serve, self._settings, negotiated, number, request)
        try:
            reply = yield from negotiated.wire.exchange(envelope, listen)
        except SessionLostError:
            self._forget(negotiated)
            raise
        except GeneratorExit:
            raise
        except BaseException as error:
            if given_up(error) and delivery.attempt == "unknown":
                yield from self._cancel(negotiated, number)
            raise
        if reply.error is None:
            negotiated.answered = True
            return reply.unwrap()
        self._refusal(negotiated, reply, delivery)
        raise reply.error

    def _refusal(
        self, negotiated: Negotiated[StepT], reply: rpc.Reply, delivery: Delivery
    ) -> None:
        """Note in delivery and session what the error means for them."""
        if reply.refused:
            delivery.refused()
        if reply.error and reply.error.code == rpc.UNSUPPORTED_VERSION:
            # The server was changed, and refuses the era before it reads the request.
            self._forget(negotiated)
            text = f"the server changed: {reply.error.message}"
            raise SessionLostError(text, status=reply.status)
        named = reply.error is not None and "session" in reply.error.text.lower()
        if reply.status >= 400 and (named or not reply.addressed):
            # Some servers say so, and not with 404, that they know no such session.
            # On such a guess the next call opens another; this one is not sent again.
            self._forget(negotiated)
        else:
            negotiated.answered = True

    def _forget(self, negotiated: Negotiated[StepT]) -> None:
        # Another call may have negotiated a new one meanwhile.
        if self.negotiated is negotiated:
            self.negotiated = None

    def _cancel(self, negotiated: Negotiated[StepT], number: int) -> Flow[StepT, None]:
        """Tell the server that the answer to a request is not waited for."""
        if negotiated.modern and negotiated.wire.http:
            return  # there, closing the stream says it
        message = {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": number, "reason": "given up"},
        }
        try:
            headers = request_headers(negotiated, message, {})
            yield from negotiated.wire.notify(rpc.encode(message), headers)
        except (McpError, CallbackError):
            _log.debug("the server was not informed that a call was given up")

    # Negotiation

    def connect(self) -> Flow[StepT, Negotiated[StepT]]:
        """Return the open session; open one first where there is none.

        The lock is given back by the driver where this is cut off.
        """
        if self.negotiated is not None:
            return self.negotiated
        yield from Lock("session")
        try:
            negotiation = Negotiation(self._wire, self._settings, self._ids)
            negotiated = self.negotiated or (yield from negotiation.negotiate())
        except McpError as error:
            error.outcome = "not sent"  # the call itself, that is
            yield from Unlock("session", failed=True)
            raise
        self.negotiated = negotiated
        yield from Unlock("session")
        return negotiated

    # Lists, and the end

    def list_tools(self) -> Flow[StepT, list[dict[str, Any]]]:
        """Return all tools, but those that must not be called over HTTP."""
        return self._usable((yield from self.list_entries("tools/list", "tools")))

    def list_entries(self, method: str, key: str) -> Flow[StepT, list[dict[str, Any]]]:
        """Return the entries of all pages of a list; see `paging.entries`."""
        return (yield from entries(self.request, method, key))

    def _usable(self, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Leave out tools with wrong header annotations; remember those of others."""
        if not (self._wire.http and self.negotiated and self.negotiated.modern):
            return tools
        usable, declared = usable_tools(tools)
        self._tool_headers |= declared
        return usable

    def hang_up(self) -> Flow[StepT, None]:
        """End the session."""
        negotiated, self.negotiated = self.negotiated, None
        if negotiated is None:
            return
        held = negotiated.session_id is not None
        headers = request_headers(negotiated, {}, {}) if held else {}
        try:
            yield from negotiated.wire.hang_up(headers)
        except (McpError, CallbackError):
            _log.debug("the server was not informed that the session ends")
