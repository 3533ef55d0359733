# Copied by mcp-bindgen. Do not edit.
"""Messages of the server: progress, logs, changes, questions to the user."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import (
    ClosedError,
    ConfigError,
    DeadlineError,
    InputRequiredError,
    McpError,
    TransportError,
)
from ..json_values import members
from .gates import permit
from .messages import INVALID_PARAMS, refusal
from .one_way import sent
from .steps import Ask, Beside, CallbackError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .request import Negotiated, Request, SessionSettings
    from .steps import Flow
    from .wire import StepT

__all__ = ["LIST_CHANGED", "answer", "handler_result", "reply", "serve", "serve_idle"]

LIST_CHANGED = frozenset(
    f"notifications/{kind}/list_changed" for kind in ("tools", "prompts", "resources")
)
"""The notifications of a server whose tools, prompts or resources changed."""

DECLINED = {"action": "decline"}
"""The answer to an elicitation that a policy denies."""
ELICITATION = "elicitation/create"
_TOOLS_CHANGED = "notifications/tools/list_changed"
_UPDATED = "notifications/resources/updated"
_COMPLETE = "notifications/elicitation/complete"
_INTERNAL_ERROR = -32603
_REJECTED = -1  # MCP 2025-11-25, sampling, "Error Handling"

_log = logging.getLogger(__name__.partition("._runtime")[0])


def serve(
    settings: SessionSettings,
    negotiated: Negotiated[StepT],
    number: int,
    request: Request,
    message: dict[str, Any],
    /,
) -> Flow[StepT, None]:
    """Serve a message that comes before the answer to a request.

    Args:
        settings: The handlers of questions.
        negotiated: The session.
        number: The id of the request, which is its progress token, too.
        request: Takes progress and logs.
        message: A request or a notification of the server.
    """
    params = members(message.get("params"))
    if "id" in message:
        yield from reply(settings, negotiated, message)
        return
    method = message.get("method")
    yield from _note(settings, negotiated, method, params)
    progress, log = request.on_progress, request.on_log
    if method == "notifications/progress" and progress:
        step = _progress(params)
        if step and params.get("progressToken") == number:
            yield from Ask(progress, step)
    elif method == "notifications/message" and log:
        facts = [params.get(k) for k in ("level", "logger", "data")]
        yield from Ask(log, (*facts,))
    elif request.on_notice:
        yield from Ask(request.on_notice, (str(method), params))


def _progress(params: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return progress, total and message, where they are of their types."""
    done, total, message = (params.get(k) for k in ("progress", "total", "message"))
    if not _is_number(done):
        return None
    text = message if isinstance(message, str) else None
    return done, total if _is_number(total) else None, text


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def serve_idle(
    settings: SessionSettings,
    negotiated: Negotiated[StepT],
    message: dict[str, Any],
    /,
) -> Flow[StepT, None]:
    """Serve a message that belongs to no request of ours.

    If a function of the user fails, only the server gets the error.

    Args:
        settings: The handlers of questions.
        negotiated: The session.
        message: A request or a notification of the server.
    """
    if "id" not in message:
        params = members(message.get("params"))
        yield from _note(settings, negotiated, message.get("method"), params)
        return
    try:
        yield from reply(settings, negotiated, message)
    except CallbackError as error:
        name = type(error.original).__name__
        _log.warning("a function that answers the server failed: %s", name)
        fault = {"code": _INTERNAL_ERROR, "message": "the client cannot answer"}
        yield from sent(
            negotiated, {"jsonrpc": "2.0", "id": message["id"], "error": fault}
        )


def _note(
    settings: SessionSettings,
    negotiated: Negotiated[StepT],
    method: object,
    params: dict[str, Any],
) -> Flow[StepT, None]:
    """Note a notification that concerns the whole session."""
    if method == _TOOLS_CHANGED:
        negotiated.list_changes += 1
    if method == _COMPLETE and len(negotiated.completed) < limits.COMPLETED:
        negotiated.completed.add(str(params.get("elicitationId")))
    if method == _UPDATED and isinstance(uri := params.get("uri"), str):
        for note in [*negotiated.watchers]:
            note(uri)
    if settings.on_change and method in LIST_CHANGED:
        flow = settings.on_change()
        if flow is not None:
            yield from Beside(flow)


def reply(
    settings: SessionSettings, negotiated: Negotiated[StepT], message: dict[str, Any]
) -> Flow[StepT, None]:
    """Answer a request of the server."""
    if negotiated.modern:
        return  # servers send no requests there, and there is no way to answer
    method, response = str(message.get("method")), refusal(message)
    if method in settings.handlers:
        params = members(message.get("params"))
        result = yield from handler_result(settings, method, params)
        response = {"jsonrpc": "2.0", "id": message["id"]}
        if isinstance(result, McpError):
            # The rules of a policy are no business of the server.
            code, text = _REJECTED, "the request was rejected"
            if isinstance(result, ConfigError):
                code, text = INVALID_PARAMS, result.message
            response["error"] = {"code": code, "message": text}
        else:
            response["result"] = result
    try:
        yield from sent(negotiated, response)
    except (ClosedError, DeadlineError) as _:
        raise
    except TransportError:
        # The result of the call may come all the same, on the stream of the call.
        _log.debug("an answer did not reach the server")


def handler_result(
    settings: SessionSettings, method: str, params: dict[str, Any]
) -> Flow[StepT, Any]:
    """Return the result of the user's function for a request of the server.

    Returns:
        The result; an `McpError` where the request is refused.
    """
    if (fault := _undeclared(settings, method, params)) is not None:
        return fault
    handler = settings.handlers[method]
    result = yield from permit(settings.gates, method, params, handler)
    return (
        DECLINED if isinstance(result, McpError) and method == ELICITATION else result
    )


def _undeclared(
    settings: SessionSettings, method: str, params: dict[str, Any]
) -> ConfigError | None:
    """Return the error for a request whose capability we have not declared; else None.

    MCP 2025-11-25, elicitation, "Error Handling"; sampling, "Tools in Sampling".
    """
    if method == ELICITATION:
        mode = params.get("mode", "form")
        declared = mode in members(settings.offers.get("elicitation"))
        error = ConfigError("the client did not declare this mode of elicitation")
        return None if declared else error
    if method == "sampling/createMessage" and params.keys() & {"tools", "toolChoice"}:
        declared = "tools" in members(settings.offers.get("sampling"))
        error = ConfigError("the client did not declare sampling.tools")
        return None if declared else error
    return None


def answer(
    settings: SessionSettings, request: Any, requests: dict[str, Any]
) -> Flow[StepT, Any]:
    """Return the user's answer to one of the inputs that a result asks for.

    Raises:
        InputRequiredError: No function of the user gives such input.
    """
    method = str(members(request).get("method"))
    if method not in settings.handlers:
        raise InputRequiredError(requests)
    params = members(members(request).get("params"))
    result = yield from handler_result(settings, method, params)
    if isinstance(result, McpError):
        raise InputRequiredError(requests) from result
    return result
