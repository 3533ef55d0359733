# Copied by mcp-bindgen. Do not edit.
"""Asks the permits of a request each time before it is sent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from .. import limits
from ..errors import ENDING, ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .request import Negotiated, Request
    from .steps import Flow

__all__ = ["ended", "permitted"]

StepT = TypeVar("StepT")


def permitted(
    request: Request,
    params: Mapping[str, Any],
    negotiated: Negotiated[StepT],
    list_tools: Callable[[], Flow[StepT, list[dict[str, Any]]]],
) -> Flow[StepT, Callable[[], None]]:
    """Ask the permits about the next sending, with the server's present tools.

    Args:
        request: The request.
        params: The params that would be sent.
        negotiated: The session that would carry them.
        list_tools: Asks the server for its tools.

    Returns:
        Decides once more: a call may wait for a connection, or for a token.
    """
    for permit in request.permits:
        permit.met(negotiated)
        tries = limits.LISTS_FOR_PERMIT
        while tries and permit.needs_tools(negotiated):
            changes = negotiated.list_changes
            try:
                tools = yield from list_tools()
            except ProtocolError as error:
                permit.take_no_tools(error)
                raise
            permit.take_tools(negotiated, changes, tools)
            tries -= 1
    check = partial(_check, request, params, negotiated)
    check()
    return check


def _check(
    request: Request, params: Mapping[str, Any], negotiated: Negotiated[Any]
) -> None:
    for permit in request.permits:
        # If a server changes its list all the time, no list is the reviewed one.
        permit.check(params, pinned=not permit.needs_tools(negotiated))
    for permit in request.permits:  # no rate is used up where another policy denies
        permit.use()


def ended(
    request: Request, flow: Flow[StepT, dict[str, Any]]
) -> Flow[StepT, dict[str, Any]]:
    """Send a request, and tell its permits how it ends.

    Args:
        request: The request.
        flow: Sends it.

    Returns:
        The result as the permits let the caller see it.
    """
    try:
        result = yield from flow
    except ENDING as error:
        for permit in request.permits:
            permit.failed(error)
        raise
    began = False
    if request.submitted:
        from .tasks import is_task

        began = is_task(result)
    for permit in request.permits:
        result = permit.began(result) if began else permit.ended(result)
    return result
