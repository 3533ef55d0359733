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
from .steps import Ask, Sleep
from .wire import SessionLostError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .request import Negotiated, Request
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
    uri, resource = (_HOST.sub(_lower, text, 1) for text in (uri, resource))
    rest = uri.removeprefix(resource)
    ends = resource.endswith(("/", "?", "#")) or rest.startswith(("/", "?", "#"))
    return uri == resource or (uri.startswith(resource) and ends)


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
        end: Makes the flow that tells the server that the subscription is over.

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

    negotiated.watchers.append(note)
    is_over = False
    try:
        try:
            yield from _follow(session, negotiated, request, on_update, changed)
            if session.negotiated is negotiated:
                yield from end()
                return
        except BaseException as error:
            if _may_last(error) and session.negotiated is negotiated:
                yield from end()
                is_over = True
            raise
    except BaseException as error:
        # An interrupt may have come in the lines above, before the end was sent.
        if not is_over and _may_last(error) and session.negotiated is negotiated:
            yield from end()
        raise
    finally:
        negotiated.watchers.remove(note)
    raise _lost()


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
            raise TransportError(message, transient=True)
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
