# Copied by mcp-bindgen. Do not edit.
"""Compares reviews with the tools of a session, and informs the owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import ClosedError, LimitError, ProtocolError, TransportError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...protocol.request import Negotiated
    from ...protocol.session import Session
    from ...protocol.steps import Flow
    from .guard import Guard

__all__ = ["answered", "connected", "met", "needs_tools", "take_tools", "unreachable"]


def needs_tools(guard: Guard, session: Negotiated[Any]) -> bool:
    """Return whether the reviews must be compared with the tools of a session."""
    reviewed = any(entry.reviewed for entry in guard.document.tools.values())
    return reviewed and not guard.state.has_pins(session, session.list_changes)


def take_tools(
    guard: Guard, session: Negotiated[Any], changes: int, tools: list[dict[str, Any]]
) -> None:
    """Compare the server's tools with the reviews.

    Args:
        guard: The policy.
        session: The session.
        changes: `session.list_changes` before the list was read.
        tools: The tools as the server lists them.
    """
    instructions = session.facts.get("instructions")
    drifted = guard.state.pin(session, changes, guard.document, tools, instructions)
    for tool in sorted(drifted):
        guard.powers.supervisor.notify("drifted", server=guard.server, tool=tool)


def met(guard: Guard, session: Negotiated[Any]) -> None:
    """Inform the owner of a session that the policy has not seen before."""
    if event := guard.state.met(session):
        guard.powers.supervisor.notify(
            event, server=guard.server, version=session.version
        )


def unreachable(guard: Guard, error: BaseException) -> None:
    """Inform the owner that the server does not answer, once until it answers again."""
    ours = isinstance(error, ClosedError | LimitError)
    lost = isinstance(error, TransportError) and not ours
    if lost and guard.state.lost():
        guard.powers.supervisor.notify(
            "unreachable", server=guard.server, error=type(error).__name__
        )


def answered(guard: Guard) -> None:
    """Inform the owner that the server answers again."""
    if guard.state.answered():
        guard.powers.supervisor.notify("reconnected", server=guard.server)


def connected(session: Session[Any], guards: Sequence[Guard]) -> Flow[Any, None]:
    """Connect, and compare the reviews of all policies with the server's tools.

    Where the server does not list its tools, each call of a reviewed tool is denied.
    """
    try:
        negotiated = yield from session.connect()
        for guard in guards:
            met(guard, negotiated)
            if needs_tools(guard, negotiated):
                changes = negotiated.list_changes
                tools = yield from session.list_tools()
                take_tools(guard, negotiated, changes, tools)
    except ProtocolError:
        return
    except TransportError as error:
        for guard in guards:
            unreachable(guard, error)
        raise
