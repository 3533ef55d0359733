# Copied by mcp-bindgen. Do not edit.
"""Calls that a server answers later, as tasks.

MCP 2025-11-25, utilities, "Tasks": the client asks for a task where the tool allows it.
The extension `io.modelcontextprotocol/tasks` of 2026-07-28: the server decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .. import limits
from ..errors import SERVER_FAULT, ProtocolError, TransportError
from ..json_values import members
from ..results import TaskCancelledError
from .request import Request
from .retries import is_abandoned
from .server_messages import answer
from .steps import Ask, Sleep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .request import Negotiated, SessionSettings
    from .steps import Flow

__all__ = ["followed", "is_task", "task_id", "task_params", "task_support"]


class Conversation(Protocol):
    """The part of a session that tasks need."""

    settings: SessionSettings
    negotiated: Negotiated[Any] | None

    def request(self, request: Request, /) -> Flow[Any, dict[str, Any]]:
        """Send a request and return its result."""
        ...

    def tell(self, request: Request, /) -> Flow[Any, None]:
        """Send a request, and do not wait for the answer."""
        ...


def task_support(tools: Sequence[dict[str, Any]]) -> dict[str, object]:
    """Return `execution.taskSupport` of each tool that has one."""
    execution = {str(t.get("name")): members(t.get("execution")) for t in tools}
    return {
        name: words["taskSupport"]
        for name, words in execution.items()
        if "taskSupport" in words
    }


def task_params(
    support: Mapping[str, object], request: Request, params: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the params of a call, with `task` where it runs as one.

    Args:
        support: Tool to its `taskSupport`.
        request: The call; where it is submitted, a task is wanted.
        params: Its params.
    """
    allowed = support.get(str(params.get("name")))
    as_task = allowed == "required" or (allowed == "optional" and request.submitted)
    return {**params, "task": {}} if as_task else params


def is_task(result: Mapping[str, Any]) -> bool:
    """Return whether a task replaces the result of a submitted call."""
    return result.get("resultType") == "task" or "task" in result


def task_id(result: Mapping[str, Any]) -> str:
    """Return the id of the task that a call created.

    Raises:
        TransportError: There is none that can be sent.
    """
    identity = (members(result.get("task")) or result).get("taskId")
    if not isinstance(identity, str) or not 0 < len(identity) <= limits.TASK_ID:
        raise TransportError("the server made a task without an id", hint=SERVER_FAULT)
    return identity


def followed(
    session: Conversation,
    request: Request,
    created: Mapping[str, Any],
    *,
    cancels: bool = True,
) -> Flow[Any, dict[str, Any]]:
    """Wait for the end of a task, and return the result of its call.

    Args:
        session: The session; it may be another one than the task was made in.
        request: The call; its `on_progress` takes the messages of the task.
        created: The first result, which names the task.
        cancels: Whether the task is cancelled when we stop waiting.

    Raises:
        TaskCancelledError: The server has cancelled it.
        ProtocolError: The task failed, or the server knows it no more.
    """
    identity = task_id(created)
    try:
        return (yield from _ended(session, request, identity, created))
    except BaseException as error:
        if cancels and is_abandoned(error):
            yield from session.tell(Request("tasks/cancel", {"taskId": identity}))
        raise


def _ended(
    session: Conversation, request: Request, identity: str, created: Mapping[str, Any]
) -> Flow[Any, dict[str, Any]]:
    state = members(created.get("task")) or dict(created)
    params, answered = {"taskId": identity}, set[str]()
    last, count = "", 0
    while True:
        status, message = state.get("status"), state.get("statusMessage")
        if request.on_progress and isinstance(message, str) and message != last:
            last, count = message, count + 1
            yield from Ask(request.on_progress, (count, None, message))
        modern = session.negotiated is not None and session.negotiated.modern
        if status == "cancelled":
            raise TaskCancelledError(message)
        if not modern and status in ("completed", "failed", "input_required"):
            # It waits for the end, and brings the questions of the server meanwhile.
            hooks = (request.on_progress, request.on_log)
            return (yield from session.request(Request("tasks/result", params, *hooks)))
        if status == "input_required":
            yield from _answered(session, state, params, answered)
        elif status in ("completed", "failed"):
            return _result(state)
        yield from _pause(state)
        state = yield from session.request(Request("tasks/get", params, retryable=True))


def _answered(
    session: Conversation,
    state: dict[str, Any],
    params: dict[str, Any],
    answered: set[str],
) -> Flow[Any, None]:
    """Answer the questions of a task that were not answered before."""
    requests = members(state.get("inputRequests"))
    new = {key: one for key, one in requests.items() if key not in answered}
    if len(answered) + len(new) > limits.TASK_QUESTIONS:
        raise TransportError(
            f"the server asks for input more than {limits.TASK_QUESTIONS} times",
            hint=SERVER_FAULT,
        )
    responses: dict[str, Any] = {}
    for key, one in new.items():
        responses[key] = yield from answer(session.settings, one, requests)
    if responses:
        answered |= responses.keys()
        update = Request("tasks/update", {**params, "inputResponses": responses})
        yield from session.request(update)


def _result(state: dict[str, Any]) -> dict[str, Any]:
    if state.get("status") == "failed":
        error = members(state.get("error"))
        code = error.get("code")
        number = code if type(code) is int else 0
        fault = ProtocolError(number, str(error.get("message")), error.get("data"))
        raise fault
    if not isinstance(state.get("result"), dict):
        raise TransportError(
            "the server ended a task without a result", hint=SERVER_FAULT
        )
    return members(state["result"])


def _pause(state: dict[str, Any]) -> Flow[Any, None]:
    """Wait as long as the server wants; less if the deadline comes first."""
    interval = state.get("pollIntervalMs", state.get("pollInterval"))
    milliseconds = (
        interval if isinstance(interval, (int, float)) else limits.TASK_PAUSE * 1e3
    )
    # Bounded first: a whole number may be too large to be divided.
    bounded = min(milliseconds, limits.TASK_PAUSE_MOST * 1e3)
    seconds = max(bounded, limits.TASK_PAUSE_LEAST * 1e3) / 1e3
    while not (yield from Sleep(seconds)):
        seconds /= 2
        if seconds < limits.TASK_PAUSE_LAST:
            # The deadline is for the driver: what follows it has time of its own.
            return
