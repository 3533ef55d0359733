# Copied by mcp-bindgen. Do not edit.
"""The decision about a request at this moment: the file, the owner, the server."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import FAILURE
from .decide import Decision, counts, decide
from .snapshot import CALL, private_copy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .entry import Entry
    from .guard import Guard

__all__ = ["current_decision"]


def current_decision(
    guard: Guard,
    entry: Entry,
    method: str,
    tool: str,
    arguments: Mapping[str, Any] | None,
) -> Decision:
    """Return the decision about a request at this moment.

    Args:
        guard: The policy.
        entry: The entry that decides.
        method: The method of the request.
        tool: The wire name of the tool; the method where it is another.
        arguments: The arguments; None where they are no object.
    """
    supervisor, state = guard.powers.supervisor, guard.state
    reason = supervisor.revocation(tool if method == CALL else None)
    if reason is not None:
        return Decision("deny", "supervisor", reason)
    if state.wrong_server:
        decision = Decision("deny", "server", state.wrong_server)
    elif arguments is None:
        decision = Decision("deny", entry.key, "expected a name and an object")
    elif method == CALL and entry.reviewed and tool in state.drifted:
        reason = "the tool is not as it was reviewed"
        decision = Decision("deny", f"{entry.key}.reviewed", reason)
    else:
        decision = decide(
            guard.document, entry, supervisor.mode, arguments, tainted=state.tainted
        )
    denied = decision.effect == "deny" and counts(entry, decision)
    if guard.powers.decide is None or denied:
        return decision
    if arguments is None:  # nobody can decide about it
        return Decision("deny", "decide", decision.reason)
    return _tightened(decision, guard.powers.decide, method, tool, arguments)


def _tightened(
    decision: Decision,
    ask: Any,
    method: str,
    tool: str,
    arguments: Mapping[str, Any],
) -> Decision:
    """Ask the program's own function, which may only deny more."""
    try:
        copy = private_copy(method, {"name": tool, "arguments": arguments})
        answer = ask(tool, copy["arguments"])
    except FAILURE as error:
        reason = f"decide failed: {type(error).__name__}"
        return Decision("deny", "decide", reason)
    if answer is True:
        return decision
    if answer == "approve":
        return replace(decision, effect="approve", rule="decide")
    return Decision("deny", "decide", str(getattr(answer, "reason", "denied")))
