"""Messages without an answer: the end of a call, the end of a session."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..errors import McpError
from . import messages as rpc
from .headers import request_headers
from .retries import is_abandoned
from .steps import CallbackError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .request import Negotiated
    from .steps import Flow
    from .wire import StepT

__all__ = ["cancelled", "hung_up", "notified", "sent"]

_log = logging.getLogger(__name__.partition("._runtime")[0])


def notified(
    negotiated: Negotiated[StepT], message: Mapping[str, Any]
) -> Flow[StepT, None]:
    """Send a message without an answer; ignore a failure.

    It may arrive twice: it is sent again if the first sending is interrupted.
    """
    try:
        yield from sent(negotiated, message)
    except (McpError, CallbackError) as _:
        _log.debug("the server was not informed: %s", message["method"])
    except BaseException as error:
        if is_abandoned(error):
            with suppress(McpError, CallbackError):
                yield from sent(negotiated, message)
        raise


def sent(
    negotiated: Negotiated[StepT], message: Mapping[str, Any]
) -> Flow[StepT, None]:
    """Send a message that gets no answer."""
    headers = request_headers(negotiated, message, {})
    yield from negotiated.wire.notify(rpc.encode(message), headers)


def cancelled(negotiated: Negotiated[StepT], number: int) -> Flow[StepT, None]:
    """Tell the server that a request needs no answer any more."""
    if negotiated.modern and negotiated.wire.http:
        return  # there, closing the stream says it
    params = {"requestId": number, "reason": "given up"}
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}
    yield from notified(negotiated, message)


def hung_up(negotiated: Negotiated[StepT]) -> Flow[StepT, None]:
    """End a session."""
    held = negotiated.session_id is not None
    headers = request_headers(negotiated, {}, {}) if held else {}
    try:
        yield from negotiated.wire.hang_up(headers)
    except (McpError, CallbackError) as _:
        _log.debug("the server was not informed that the session ends")
