# Copied by mcp-bindgen. Do not edit.
"""The conversation with one server, without input or output: calls, and their ends."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import (
    SERVER_FAULT,
    LimitError,
    McpError,
    ProtocolError,
    TransportError,
    printable,
)
from ..json_values import members
from . import messages as rpc
from .delivery import Delivery
from .headers import usable_tools
from .negotiation import Negotiation
from .one_way import hung_up
from .paging import entries
from .permits import ended, permitted
from .retries import Repeats
from .sender import Sender
from .server_messages import answer, handler_result
from .span_facts import note_result
from .steps import CallbackError, Lock, Sleep, Unlock
from .url_elicitation import UrlWait
from .wire import StepT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .request import Negotiated, Request
    from .steps import Flow

_OUTCOME = "outcome"


class Session(Sender[StepT]):
    """Negotiates a version with the server, holds the session, sends requests."""

    # Requests

    def request(self, request: Request) -> Flow[StepT, dict[str, Any]]:
        """Send a request and return its result, again where that is safe.

        Raises:
            McpError: Its `outcome` comes from the call's own delivery.
        """
        flow = self._delivered(request)
        return ended(request, flow) if request.permits else flow

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
        """Send a request, and again with the input that the server requests (MRTR)."""
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
                raise TransportError(
                    f"a result of unknown type {printable(kind, 50)}", hint=SERVER_FAULT
                )
            # The call may have begun: nobody knows how far it got.
            requests = members(result.get("inputRequests"))
            params = yield from self._answered(request, requests, result)
            if not requests:
                yield from Sleep(pause)
                pause = min(pause * 2, limits.ROUND_PAUSE_MOST)
        raise LimitError(
            f"the server asks for input more than {limits.INPUT_ROUNDS} times"
        )

    def _answered(
        self, request: Request, requests: dict[str, Any], result: dict[str, Any]
    ) -> Flow[StepT, dict[str, Any]]:
        """Answer the server's questions, and return the params of the next round."""
        params, answers = {**request.params}, dict[str, object]()
        for key, one in requests.items():
            answers[key] = yield from answer(self.settings, one, requests)
        if answers:
            params["inputResponses"] = answers
        if "requestState" in result:
            params["requestState"] = result["requestState"]
        return params

    @property
    def _makes_tasks(self) -> bool:
        return self.negotiated is not None and self.negotiated.tasks

    def _completed(self) -> set[str]:
        return self.negotiated.completed if self.negotiated else set()

    def _attempts(
        self, request: Request, params: Mapping[str, Any], delivery: Delivery
    ) -> Flow[StepT, tuple[bool, dict[str, Any]]]:
        """Send a request until it is answered, as often as that is safe.

        It is safe if the tool declares it, or if the delivery shows that the last
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
                if not delivery.did_not_run:
                    raise
                url_wait = yield from self._heeded(error, repeats, url_wait)
            except TransportError as error:
                pause = repeats.pause(error, negotiated, delivery)
                if pause is None or (pause and not (yield from Sleep(pause))):
                    raise
            else:
                return negotiated.modern, result

    def _heeded(
        self, error: ProtocolError, repeats: Repeats, url_wait: UrlWait | None
    ) -> Flow[StepT, UrlWait | None]:
        """Take the step that an error requires before the next attempt, or raise it.

        Returns:
            The wait for URLs, which all attempts of a call share.
        """
        if error.code == rpc.URL_REQUIRED and self.settings.opens_urls:
            url_wait = url_wait or UrlWait()
            asks = partial(handler_result, self.settings)
            yield from url_wait.after(error, asks, self._completed)
        elif repeats.after_list(error):
            yield from self.list_tools()
        else:
            raise error
        return url_wait

    def _prepared(
        self,
        negotiated: Negotiated[StepT],
        request: Request,
        params: Mapping[str, Any],
    ) -> Flow[StepT, Mapping[str, Any]]:
        """Set the level of logs, and return the params of a call that may be a task.

        Both are for legacy servers; modern ones get both with each request.
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

    # Negotiation

    def connect(self) -> Flow[StepT, Negotiated[StepT]]:
        """Return the open session; open one first where there is none.

        If this is cut off, the driver gives the lock back.
        """
        if (negotiated := self.negotiated) is not None:
            if self._listens(negotiated):
                yield from self.listen(negotiated)
            return negotiated
        yield from Lock("session")
        try:
            negotiation = Negotiation(self._wire, self.settings, self._ids)
            negotiated = self.negotiated or (yield from negotiation.negotiate())
        except McpError as error:
            error.outcome = "not sent"  # the call itself, that is
            yield from Unlock("session", failed=True)
            raise
        negotiated.tasks = negotiated.supports_tasks
        if self._listens(negotiated):
            yield from self.listen(negotiated)
        self.negotiated = negotiated
        yield from Unlock("session")
        return negotiated

    def _listens(self, negotiated: Negotiated[StepT]) -> bool:
        """Return whether messages that come outside of calls must be read."""
        watched = self.gates.compares and negotiated.announces_tools
        return self.settings.listens or watched

    def listen(self, negotiated: Negotiated[StepT]) -> Flow[StepT, None]:
        """Have one flow read the server's messages outside of calls."""
        if negotiated.reading.turn.locked():
            return
        from .listening import listen

        def lasts() -> bool:
            return self.negotiated in (None, negotiated)

        yield from listen(self.settings, negotiated, lasts, self.request)

    # Lists, and the end

    def list_tools(self) -> Flow[StepT, list[dict[str, Any]]]:
        """Return all tools, except those that must not be called over HTTP."""
        return self._usable((yield from self.list_entries("tools/list", "tools")))

    def list_entries(self, method: str, key: str) -> Flow[StepT, list[dict[str, Any]]]:
        """Return the entries of all pages of a list; see `paging.entries`."""
        return (yield from entries(self.request, method, key))

    def _usable(self, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Leave out tools with wrong header annotations; remember the right ones."""
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
