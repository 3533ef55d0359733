# Copied by mcp-bindgen. Do not edit.
"""Asks people before a call is sent, on a thread or in a task."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextvars import copy_context
from dataclasses import replace
from inspect import isawaitable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, cast

from ... import limits
from ...errors import ENDING, FAILURE, ConfigError, InvalidArgumentsError
from ...results import ToolResult
from ..approval import Deny, Replace
from .permit import Permit, permit_of
from .snapshot import private_copy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from ...protocol.request import Request
    from .approvals import ApprovalRequest
    from .guard import Guard

__all__ = [
    "admitted",
    "admitted_async",
    "approver_answer",
    "approver_answer_async",
    "carried",
    "carried_async",
    "guarded",
    "screen",
]


def guarded(request: Request, guards: Sequence[Guard]) -> Request:
    """Return a request with a private copy of all that is sent, and with its permits.

    Args:
        request: The request as the caller wants it.
        guards: The policies of the client.
    """
    # The method of a subclass may claim to be another one; its characters are sent.
    method = str.__str__(request.method)
    params = private_copy(method, request.params)
    permits = tuple(filter(None, (permit_of(each, method, params) for each in guards)))
    return replace(request, method=method, params=params, permits=permits)


def screen(guards: Sequence[Guard], tool: str, arguments: Mapping[str, Any]) -> None:
    """Raise if a policy denies a call, before a person is asked.

    Raises:
        PolicyError: A policy denies it.
    """
    params = private_copy("tools/call", {"name": tool, "arguments": arguments})
    for guard in guards:
        if permit := permit_of(guard, "tools/call", params):
            permit.screen()


def admitted(request: Request) -> Request:
    """Return the request to send, after all approvals that it needs.

    Raises:
        PolicyError: A policy or a person denies it.
        ApprovalRequired: A person must approve it, and there is none to ask.
        ConfigError: An approver is async and the client is not.
    """
    for _ in range(limits.APPROVAL_ROUNDS):
        step = _next(request)
        if step is None:
            return request
        permit, question = step
        powers = permit.guard.powers
        approve = _approver(permit, question)
        answer = approver_answer(approve, question, powers.approval_seconds)
        request = _with_answer(request, permit, question, answer)
    raise ConfigError(
        "the approvers replace each other's arguments without end",
        hint="let one of them return its arguments unchanged",
    )


async def admitted_async(request: Request) -> Request:
    """Return the request as `admitted` does, in a task; approvers may be async."""
    for _ in range(limits.APPROVAL_ROUNDS):
        step = _next(request)
        if step is None:
            return request
        permit, question = step
        powers = permit.guard.powers
        approve = _approver(permit, question)
        answer = await approver_answer_async(approve, question, powers.approval_seconds)
        request = _with_answer(request, permit, question, answer)
    raise ConfigError(
        "the approvers replace each other's arguments without end",
        hint="let one of them return its arguments unchanged",
    )


def _next(request: Request) -> tuple[Permit, ApprovalRequest] | None:
    for permit in cast("tuple[Permit, ...]", request.permits):
        if question := permit.question():
            return permit, question
    return None


def _approver(permit: Permit, question: ApprovalRequest) -> Callable[..., Any]:
    approve = permit.guard.powers.approve
    if approve is None:
        raise permit.unanswered(question)
    return approve


def _with_answer(
    request: Request, permit: Permit, question: ApprovalRequest, answer: object
) -> Request:
    if not isinstance(answer, Replace):
        permit.answered(question, answer)
        return request
    params = _replaced(request, cast("object", answer.arguments))
    if params is None:
        permit.answered(question, Deny("the approver's arguments are no JSON object"))
        return request
    for each in cast("tuple[Permit, ...]", request.permits):
        each.replaced(params, approved=each is permit)
    return replace(request, params=params)


def _replaced(request: Request, arguments: object) -> dict[str, Any] | None:
    """Return params with other arguments, None if these are no JSON object."""
    if not isinstance(arguments, Mapping):
        return None
    replaced = {
        **request.params,
        "arguments": dict(cast("Mapping[str, Any]", arguments)),
    }
    try:
        return private_copy(request.method, replaced)
    except InvalidArgumentsError:
        return None


def approver_answer(
    approve: Callable[..., Any], question: ApprovalRequest, seconds: float
) -> object:
    """Return the answer of an approver; a failure or a time-out is no approval."""
    answers: SimpleQueue[object] = SimpleQueue()
    context = copy_context()

    def work() -> None:
        try:
            answers.put(context.run(approve, question))
        except ENDING as error:  # also SystemExit: nobody would answer any more
            answers.put(Deny(f"the approver failed: {type(error).__name__}"))

    # A thread of its own: nothing else ends the wait for a person.
    threading.Thread(target=work, name="mcp-approval", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        return Deny(f"no answer within {seconds:g} seconds")
    if isawaitable(answer):
        getattr(answer, "close", bool)()
        raise ConfigError(
            "an async approve needs an async client",
            hint="pass a plain function, or make an AsyncClient",
        )
    return answer


async def approver_answer_async(
    approve: Callable[..., Any], question: ApprovalRequest, seconds: float
) -> object:
    """Return the answer of an approver, which may be async; no answer denies."""
    from anyio import move_on_after

    try:
        with move_on_after(seconds):
            answer: Any = approve(question)
            if isawaitable(answer):
                answer = await cast("Awaitable[object]", answer)
            return answer
    except FAILURE as error:
        return Deny(f"the approver failed: {type(error).__name__}")
    return Deny(f"no answer within {seconds:g} seconds")


def carried(
    request: Request, call: Callable[[str, Mapping[str, Any]], ToolResult]
) -> ToolResult:
    """Make a call over a transport of the program's own.

    Args:
        request: The call, with its permits.
        call: `call_tool` of the transport.
    """
    tool, arguments = _checked(request)
    try:
        result = _result(call(tool, arguments))
    except BaseException as error:
        _failed(request, error)
        raise
    return _ended(request, result)


async def carried_async(
    request: Request, call: Callable[[str, Mapping[str, Any]], Awaitable[ToolResult]]
) -> ToolResult:
    """Make a call over an async transport of the program's own; see `carried`."""
    tool, arguments = _checked(request)
    try:
        result = _result(await call(tool, arguments))
    except BaseException as error:
        _failed(request, error)
        raise
    return _ended(request, result)


def _checked(request: Request) -> tuple[str, dict[str, Any]]:
    for permit in request.permits:
        permit.check(request.params, pinned=False)
    for permit in request.permits:
        permit.use()
    return request.params["name"], request.params["arguments"]


def _result(result: object) -> ToolResult:
    """Return the result of a transport of the program's own.

    Raises:
        ConfigError: It is something else; the call may have run.
    """
    if isinstance(result, ToolResult):
        return result
    kind = type(result).__name__
    error = ConfigError(
        f"a transport of your own: expected a ToolResult, got {kind}",
        hint="return ToolResult.from_wire(answer)",
    )
    error.outcome = "unknown"
    raise error


def _failed(request: Request, error: BaseException) -> None:
    for permit in request.permits:
        permit.failed(error)


def _ended(request: Request, result: ToolResult) -> ToolResult:
    raw = cleaned = dict(result.raw) or _raw(result)
    for permit in request.permits:
        cleaned = permit.ended(cleaned)
    return result if cleaned == raw else ToolResult.from_wire(cleaned)


def _raw(result: ToolResult) -> dict[str, Any]:
    """Return the wire form of a result that a program made by itself."""
    structured = {"structuredContent": result.structured}
    return {
        "content": [dict(block.raw) for block in result.content],
        "isError": result.is_error,
        **(structured if result.has_structured else {}),
    }
