"""The approval of one request: the question, and the answer of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .approvals import Approval, ApprovalRequest, arguments_digest, pending_of
from .snapshot import CALL, private_copy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .approvals import PendingApproval
    from .decide import Decision
    from .entry import Entry
    from .grants import Grant
    from .guard import Guard

__all__ = ["Consent"]


class Consent:
    """The approval of one request, under one policy.

    Args:
        guard: The policy.
        method: The method of the request.
        tool: The wire name of the tool; the method where it is another.
        entry: The entry that decides.

    Attributes:
        approval: The approval, once there is one for this request alone.
    """

    def __init__(self, guard: Guard, method: str, tool: str, entry: Entry) -> None:
        self._guard = guard
        self._method = method
        self._tool = tool
        self._entry = entry
        # An approval of one resource is none of another.
        self._pin = (
            entry.reviewed if method == CALL else f"{entry.key} {entry.reviewed}"
        )
        self._digest = ""
        self._grant: Grant | None = None
        self.approval: Approval | None = None

    def question(
        self, decision: Decision, arguments: Mapping[str, Any]
    ) -> ApprovalRequest:
        """Return the question to a person."""
        powers = self._guard.powers
        return ApprovalRequest(
            tool=self._tool,
            arguments=private_copy(self._method, arguments),
            server=self._guard.server,
            mode=powers.supervisor.mode,
            risk=self._entry.risk,
            rule=decision.rule,
            reason=decision.reason,
            note=self._entry.note,
            principal=powers.principal,
        )

    def pending(self, question: ApprovalRequest) -> PendingApproval:
        """Return the question as data."""
        guard = self._guard
        seconds = guard.powers.approval_seconds
        digest = guard.document.digest
        return pending_of(question, digest, self._pin, seconds)

    def holds(self, question: ApprovalRequest, arguments: Mapping[str, Any]) -> bool:
        """Return whether there is an approval for the request, and remember it."""
        digest = arguments_digest("", arguments)
        if self.approval is not None:
            return self._digest == digest
        scopes = {self._scope(""), self._scope(digest)}
        if not self._guard.state.approved.isdisjoint(scopes):
            return True
        grants = self._guard.powers.supervisor.grants
        self._grant = grants.find(self.pending(question), arguments, self._guard.state)
        return self._grant is not None

    def take(self, approval: Approval, arguments: Mapping[str, Any]) -> None:
        """Take the yes of a person."""
        self.approval, self._digest = approval, arguments_digest("", arguments)
        if approval.scope != "once":
            digest = "" if approval.scope == "session" else self._digest
            self._guard.state.approved.add(self._scope(digest))

    def _scope(self, digest: str) -> tuple[str, str, str, int]:
        """Return the scope of an approval for several calls, at this moment."""
        supervisor = self._guard.powers.supervisor
        subject = f"{self._tool} {self._pin}"
        return subject, digest, supervisor.mode, supervisor.revocations

    def use(self, arguments: Mapping[str, Any]) -> bool:
        """Use an approval that was granted as data; False where another call has."""
        if self._grant is None:
            return True
        grants = self._guard.powers.supervisor.grants
        if not grants.take(self._grant, self._guard.state):
            return False
        self.approval = self._grant.approval
        self._digest = arguments_digest("", arguments)
        return True
