"""Messages of the server while a call runs: progress, logs, questions to the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import InputRequiredError
from ..strict_json import members
from .headers import request_headers
from .messages import encode, refusal
from .steps import Ask

if TYPE_CHECKING:
    from .request import Negotiated, Request, SessionSettings, StepT
    from .steps import Flow

__all__ = ["answer", "serve"]


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
        settings: Who answers questions.
        negotiated: The session.
        number: The id of the request, which is its progress token, too.
        request: Takes progress and logs.
        message: A request or a notification of the server.
    """
    params = members(message.get("params"))
    if "id" in message:
        yield from _reply(settings, negotiated, message)
        return
    method = message.get("method")
    if method == "notifications/tools/list_changed":
        negotiated.list_changes += 1
    progress, log = request.on_progress, request.on_log
    if method == "notifications/progress" and progress:
        if params.get("progressToken") == number:
            facts = [params.get(k) for k in ("progress", "total", "message")]
            yield from Ask(progress, (*facts,))
    elif method == "notifications/message" and log:
        facts = [params.get(k) for k in ("level", "logger", "data")]
        yield from Ask(log, (*facts,))
    elif request.on_notice:
        yield from Ask(request.on_notice, (str(method), params))


def _reply(
    settings: SessionSettings, negotiated: Negotiated[StepT], message: dict[str, Any]
) -> Flow[StepT, None]:
    """Answer a request of the server."""
    if negotiated.modern:
        return  # servers send no requests there, and there is no way to answer
    reply = refusal(message)
    if settings.on_elicit and message.get("method") == "elicitation/create":
        params = members(message.get("params"))
        result = yield from Ask(settings.on_elicit, (params,))
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    headers = request_headers(negotiated, reply, {})
    yield from negotiated.wire.notify(encode(reply), headers)


def answer(
    settings: SessionSettings, request: Any, requests: dict[str, Any]
) -> Flow[StepT, Any]:
    """Return the user's answer to one of the inputs that a result asks for.

    Raises:
        InputRequiredError: Nobody here gives such input.
    """
    handler, method = settings.on_elicit, members(request).get("method")
    if handler is None or method != "elicitation/create":
        raise InputRequiredError(requests)
    return (yield from Ask(handler, (members(members(request).get("params")),)))
