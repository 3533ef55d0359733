# Copied by mcp-bindgen. Do not edit.
"""The conversation with one server, without input or output: calls, and their ends."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Generic

from .. import limits
from ..errors import (
    LimitError,
    McpError,
    ProtocolError,
    TransportError,
    shown,
)
from ..json_values import members
from ..span_facts import note_request, note_result
from . import messages as rpc
from .delivery import Delivery
from .headers import request_headers, usable_tools
from .negotiation import Negotiation
from .one_way import cancelled, hung_up, notified
from .paging import entries
from .permits import ended, permitted
from .request import (
    Envelope,
    Request,
    SessionLostError,
    SessionSettings,
    StepT,
    Wire,
    message_of,
)
from .retries import Repeats, given_up
from .server_messages import answer, asked, serve
from .steps import CallbackError, Lock, Sleep, Unlock
from .url_elicitation import UrlWait

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .gates import Gates
    from .request import Negotiated
    from .steps import Flow

_OUTCOME = "outcome"


class Session(Generic[StepT]):
    """Negotiates a version with the server, holds the session, sends requests.

    Attributes:
        negotiated: The open session; None before, and after it is lost.
        settings: Those of all its requests.
    """

    def __init__(self, wire: Wire[StepT], settings: SessionSettings) -> None:
        self.negotiated: Negotiated[StepT] | None = None
        self._wire = wire
        self.settings = settings
        self._ids = count(1)
        self._tool_headers: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def declare(self, capabilities: tuple[str, ...]) -> None:
        """Declare capabilities without a handler, before the first request."""
        self.settings = replace(self.settings, declared=capabilities)

    @property
    def gates(self) -> Gates:
        """What decides about requests of the server."""
        return self.settings.gates

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
        flow = self._delivered(request)
        return ended(request.permits, flow) if request.permits else flow

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
            if kind == "complete" and (modern or "task" not in result):
                delivery.ran()
                note_result(request.method, result)
                return result
            if "task" in (kind, *result) and self._makes_tasks:
                if not request.submitted:
                    from .tasks import followed

                    result = yield from followed(self, request, result)
                delivery.ran()
                note_result(request.method, result)
                return result
            if kind != "input_required":
                raise TransportError(f"a result of unknown type {shown(kind, 50)}")
            # The call may have begun: nobody knows how far it got.
            requests, answers = members(result.get("inputRequests")), {}
            for key, one in requests.items():
                answers[key] = yield from answer(self.settings, one, requests)
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

    @property
    def _makes_tasks(self) -> bool:
        return self.negotiated is not None and self.negotiated.tasks

    def _completed(self) -> set[str]:
        return self.negotiated.completed if self.negotiated else set()

    def _attempts(
        self, request: Request, params: Mapping[str, Any], delivery: Delivery
    ) -> Flow[StepT, tuple[bool, dict[str, Any]]]:
        """Send a request until it is answered, as often as that is safe.

        It is safe where the tool says so, and where the delivery shows that the last
        attempt did not run.

        Returns:
            Whether the session is of the modern era, and the result.
        """
        repeats = Repeats(request, self.settings.retries)
        url_wait: UrlWait | None = None
        while True:
            negotiated = None
            delivery.again()
            try:
                negotiated = yield from self.connect()
                if request.permits:
                    listed = self.list_tools
                    delivery.check = yield from permitted(
                        request, params, negotiated, listed
                    )
                sent = params
                if negotiated.tasks or request.log_level:
                    sent = yield from self._prepared(negotiated, request, params)
                result = yield from self._send(negotiated, request, sent, delivery)
            except ProtocolError as error:
                if error.code == rpc.URL_REQUIRED and self.settings.opens_urls:
                    url_wait = url_wait or UrlWait()
                    asks = partial(asked, self.settings)
                    yield from url_wait.after(error, asks, self._completed)
                elif repeats.after_list(error):
                    yield from self.list_tools()
                else:
                    raise
            except TransportError as error:
                pause = repeats.pause(error, negotiated, delivery)
                if pause is None or (pause and not (yield from Sleep(pause))):
                    raise
            else:
                return negotiated.modern, result

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

    def _prepared(
        self,
        negotiated: Negotiated[StepT],
        request: Request,
        params: Mapping[str, Any],
    ) -> Flow[StepT, Mapping[str, Any]]:
        """Set the level of logs, and return the params of a call that may be a task.

        Both are for legacy servers; to modern ones each request says all.
        """
        if negotiated.modern:
            return params
        if request.log_level not in ("", negotiated.log_level):
            yield from self._set_level(negotiated, request.log_level)
        if request.method != "tools/call" or not negotiated.tasks:
            return params
        from .tasks import task_params, task_support

        if negotiated.task_support is None:
            negotiated.task_support = task_support((yield from self.list_tools()))
        return task_params(negotiated.task_support, request, params)

    def tell(self, request: Request) -> Flow[StepT, None]:
        """Send a request whose answer is not waited for."""
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
        except GeneratorExit:
            raise
        except BaseException as error:
            task = request.method.startswith("tasks/")  # which goes on
            if given_up(error) and delivery.attempt == "unknown" and not task:
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

    # Negotiation

    def connect(self) -> Flow[StepT, Negotiated[StepT]]:
        """Return the open session; open one first where there is none.

        The lock is given back by the driver where this is cut off.
        """
        if self.negotiated is not None:
            return self.negotiated
        yield from Lock("session")
        try:
            negotiation = Negotiation(self._wire, self.settings, self._ids)
            negotiated = self.negotiated or (yield from negotiation.negotiate())
        except McpError as error:
            error.outcome = "not sent"  # the call itself, that is
            yield from Unlock("session", failed=True)
            raise
        negotiated.tasks = negotiated.supports_tasks
        if self.settings.listens:
            yield from self.listen(negotiated)
        self.negotiated = negotiated
        yield from Unlock("session")
        return negotiated

    def listen(self, negotiated: Negotiated[StepT]) -> Flow[StepT, None]:
        """Begin to read what the server sends beside the answers, once a session."""
        from .listening import listen

        if negotiated.listening:
            return
        negotiated.listening = True

        def lasts() -> bool:
            return self.negotiated in (None, negotiated)

        yield from listen(self.settings, negotiated, lasts, self.request)

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
        yield from hung_up(negotiated)
