# Copied by mcp-bindgen. Do not edit.
"""Waits for changes of a resource in a session before MCP 2026-07-28."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import limits
from ..errors import McpError, TransportError
from ..json_values import members
from .delivery import UNRUN
from .request import Request
from .steps import Ask, Sleep
from .wire import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .request import Negotiated
    from .session import Session
    from .steps import Flow
    from .wire import StepT

__all__ = ["is_within", "watch"]

# The scheme and the host of a URI, in which the case of letters means nothing.
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?://[^/?#]*)?")


def is_within(uri: str, resource: str) -> bool:
    """Return whether a URI is that of a resource, or of a part of it.

    Example: `is_within("a://b/c", "a://b")`, but not `is_within("a://bc", "a://b")`.
    """
    uri, resource = map(_spelled, (uri, resource))
    rest = uri.removeprefix(resource)
    ends = resource.endswith(("/", "?", "#")) or rest.startswith(("/", "?", "#"))
    return uri == resource or (uri.startswith(resource) and ends)


def _spelled(uri: str) -> str:
    """Return the URI with its scheme and host in lower case."""
    return _HOST.sub(_lower, uri, 1)


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


def watch(
    session: Session[StepT],
    request: Request,
    on_update: Callable[[str], Any],
    end: Callable[[], Flow[StepT, None]],
) -> Flow[StepT, None]:
    """Subscribe to a resource, and call a function at each change, until it raises.

    The server tells of changes on its standalone stream (MCP 2025-11-25, resources,
    "Subscriptions").

    Args:
        session: A session of the legacy era.
        request: A `resources/subscribe`.
        on_update: Takes the URI of the changed resource, or of a part of it; the
            session also brings the changes of other subscriptions.
        end: Makes the flow that tells the server that the subscription is over, if no
            other one of the session is for the same resource.

    Raises:
        SessionLostError: The session ends: the server has forgotten the subscription.
        TransportError: The server does not answer any more.
    """
    negotiated = yield from session.connect()
    changed: deque[str] = deque(maxlen=limits.UPDATES)
    resource = str(members(request.params).get("uri"))

    def note(uri: str) -> None:
        if is_within(uri, resource):
            changed.append(uri)

    def take_back() -> Flow[StepT, None]:
        negotiated.watchers.pop(note, None)
        return _end(session, negotiated, request, end)

    negotiated.watchers[note] = _spelled(resource)
    is_over = False
    try:
        try:
            yield from _follow(session, negotiated, request, on_update, changed)
            if session.negotiated is negotiated:
                yield from take_back()
                return
        except BaseException as error:
            if _may_last(error) and session.negotiated is negotiated:
                yield from take_back()
                is_over = True
            raise
    except BaseException as error:
        # An interrupt may have come in the lines above, before the end was sent.
        if not is_over and _may_last(error) and session.negotiated is negotiated:
            yield from take_back()
        raise
    finally:
        negotiated.watchers.pop(note, None)
    raise _lost()


def _end(
    session: Session[StepT],
    negotiated: Negotiated[StepT],
    request: Request,
    end: Callable[[], Flow[StepT, None]],
) -> Flow[StepT, None]:
    """End a subscription at the server, unless another one is for its resource.

    The server knows one subscription of a session for each URI.
    """
    resource = _spelled(str(members(request.params).get("uri")))
    if resource in negotiated.watchers.values():
        return
    yield from end()
    if resource in negotiated.watchers.values():  # it began before the server read this
        yield from session.tell(Request(request.method, request.params))


def _follow(
    session: Session[StepT],
    negotiated: Negotiated[StepT],
    request: Request,
    on_update: Callable[[str], Any],
    changed: deque[str],
) -> Flow[StepT, None]:
    """Subscribe, and call a function at each change, until the session or time ends.

    Args:
        session: A session of the legacy era.
        negotiated: The facts of the session, while it lasts.
        request: A `resources/subscribe`.
        on_update: Takes the URI of the changed resource.
        changed: The URIs of the changes that arrive.

    Raises:
        SessionLostError: The session is over, as the flow that reads has learned.
        TransportError: The server does not answer any more.
    """
    yield from session.listen(negotiated)
    yield from session.request(replace(request, retryable=True))
    while session.negotiated is negotiated:
        is_lost = negotiated.reading.is_lost  # asked first: all that came is reported
        while changed:
            yield from Ask(on_update, (changed.popleft(),))
        if is_lost:
            raise _lost()
        if negotiated.reading.failures > limits.RESUMES:
            message = "the server does not answer any more"
            hint = "is the server up? subscribe again later"
            raise TransportError(message, hint=hint, transient=True)
        yield from session.listen(negotiated)
        if not (yield from Sleep(limits.URL_POLL)):
            return


def _lost() -> SessionLostError:
    return SessionLostError("the server ended the session", transient=True)


def _may_last(error: BaseException) -> bool:
    """Return whether the server may go on to tell of changes after an error."""
    if isinstance(error, SessionLostError):
        return False
    if isinstance(error, McpError):
        return error.outcome not in UNRUN
    return not isinstance(error, GeneratorExit)
