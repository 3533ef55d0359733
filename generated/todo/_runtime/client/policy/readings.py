# Copied by mcp-bindgen. Do not edit.
"""Results that come after their calls: cleaned and logged as those of calls."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from ...protocol.permits import ended
from ...protocol.request import Request
from .decide import Decision, never
from .permit import Permit
from .records import Recorder
from .snapshot import CALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ...protocol.steps import Flow
    from .guard import Guard

__all__ = ["answer_of", "read"]

_METHOD = "tasks/result"


class _Reading(Permit):
    """The permit to read the result of a call that was sent before.

    Modes, arguments and approvals were decided then; a tool that never runs has no
    result to read.
    """

    def __init__(self, guard: Guard, tool: str) -> None:
        super().__init__(guard, CALL, {"name": tool})
        self.recorder = Recorder(
            guard.document, guard.powers, guard.server, _METHOD, self.entry
        )

    def begin(self) -> None:
        """Note that the result is read.

        Raises:
            PolicyError: The tool never runs, or a strict log cannot be written.
        """
        state, decision = self.guard.state, never(self.entry)
        if state.wrong_server:
            decision = Decision("deny", "server", state.wrong_server)
        if decision is not None and self.entry.enforced:
            raise self.denial(decision)
        decision = decision or Decision("allow", self.entry.key)
        self.recorder.decided(self.tool, decision, self.arguments)
        self._sent = True
        state.tainted = state.tainted or self.entry.reads_untrusted


def read(
    guards: Iterable[Guard],
    tool: str,
    flow: Flow[Any, dict[str, Any]],
    seconds: float | None,
    begun: float,
) -> tuple[Flow[Any, dict[str, Any]], float | None]:
    """Return the flow that waits for the result of a task, and its time.

    Args:
        guards: The policies of the client.
        tool: The wire name of the tool.
        flow: Waits for the result.
        seconds: The time for it, which a policy may shorten.
        begun: The begin of the task: a policy bounds all waits for it together.
    """
    permits = tuple(_Reading(guard, tool) for guard in guards)
    limits = (permit.seconds(None) for permit in permits)
    left = [max(begun + limit - monotonic(), 0) for limit in limits if limit]
    wanted = [] if seconds is None else [seconds]
    return _read(permits, flow), min([*wanted, *left], default=None)


def _read(
    permits: Sequence[_Reading], flow: Flow[Any, dict[str, Any]]
) -> Flow[Any, dict[str, Any]]:
    for permit in permits:
        permit.begin()
    return (yield from ended(Request(_METHOD, permits=tuple(permits)), flow))


def answer_of(
    guards: Iterable[Guard], tool: str, answer: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a result from a handle of another process, cleaned by the policies.

    Args:
        guards: The policies of the client.
        tool: The wire name of the tool.
        answer: The result.

    Raises:
        PolicyError: The tool never runs, or a strict log cannot be written.
    """
    result = dict(answer)
    for guard in guards:
        permit = _Reading(guard, tool)
        permit.begin()
        result = permit.ended(result)
    return result
