# Copied by mcp-bindgen. Do not edit.
"""The permit of one request: decided on a private copy, and again as it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..approval import Deny
from .approvals import (
    Approval,
    ApprovalRequest,
    ApprovalRequired,
    arguments_digest,
    pending_of,
)
from .current import current_decision
from .decide import Decision
from .entry import ALWAYS
from .errors import PolicyError
from .rates import wait_for
from .records import Recorder
from .snapshot import CALL, NOTHING, arguments_of, private_copy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...protocol.request import Negotiated
    from .approvals import Grant, PendingApproval
    from .guard import Guard

__all__ = ["Permit", "permit_of"]


def permit_of(guard: Guard, method: str, params: Mapping[str, Any]) -> Permit | None:
    """Return the permit of a request, None where no policy decides about it.

    Args:
        guard: The policy.
        method: The method of the request.
        params: Its params, which nobody else can change.
    """
    return None if method in ALWAYS else Permit(guard, method, params)


class Permit:
    """One request on its way to the server, under one policy.

    Args:
        guard: The policy.
        method: The method of the request.
        params: Its params, which nobody else can change.
    """

    def __init__(self, guard: Guard, method: str, params: Mapping[str, Any]) -> None:
        self.guard = guard
        self.method = method
        name = params.get("name") if method == CALL else method
        self.tool = name if isinstance(name, str) else ""
        self.entry = guard.document.entry(method, self.tool)
        self.arguments = arguments_of(method, params)
        self.recorder = Recorder(
            guard.document, guard.powers, guard.server, method, self.entry
        )
        self._approved: tuple[Approval, str] | None = None
        self._grant: Grant | None = None
        self._sent = False

    # Before anything is sent

    def screen(self) -> Decision:
        """Return the decision; raise where it is a denial that counts.

        Raises:
            PolicyError: The policy denies the request.
        """
        decision = current_decision(
            self.guard, self.entry, self.method, self.tool, self.arguments
        )
        if decision.effect == "deny" and self.entry.enforced:
            raise self.denial(decision)
        return decision

    def denial(self, decision: Decision) -> PolicyError:
        """Note a denial, and return its error."""
        self.recorder.decided(self.tool, decision, self.arguments)
        self.guard.powers.supervisor.notify(
            "denied",
            server=self.guard.server,
            tool=self.tool,
            rule=decision.rule,
            reason=decision.reason,
        )
        return PolicyError(self.tool, decision, self.recorder.decision_id)

    # Approvals

    def question(self) -> ApprovalRequest | None:
        """Return the question to a person, None where nobody needs to approve.

        Raises:
            PolicyError: The policy denies the request.
        """
        decision = self.screen()
        if decision.effect != "approve" or not self.entry.enforced:
            return None
        request = self._request(decision)
        return None if self._is_approved(request) else request

    def _request(self, decision: Decision) -> ApprovalRequest:
        powers = self.guard.powers
        return ApprovalRequest(
            tool=self.tool,
            arguments=private_copy(self.method, self.arguments or {}),
            server=self.guard.server,
            mode=powers.supervisor.mode,
            risk=self.entry.risk,
            rule=decision.rule,
            reason=decision.reason,
            note=self.entry.note,
            principal=powers.principal,
        )

    def _is_approved(self, request: ApprovalRequest) -> bool:
        """Tell whether there is an approval for the request; remember which."""
        arguments = self.arguments or {}
        if self._approved is not None:
            return self._approved[1] == arguments_digest("", arguments)
        approved = self.guard.state.approved
        wanted = {(self.tool, ""), (self.tool, arguments_digest("", arguments))}
        if not approved.isdisjoint(wanted):
            return True
        grants = self.guard.powers.supervisor.grants
        self._grant = grants.find(self._pending(request), arguments)
        return self._grant is not None

    def _pending(self, request: ApprovalRequest) -> PendingApproval:
        guard = self.guard
        seconds = guard.powers.approval_seconds
        return pending_of(request, guard.document.digest, self.entry.reviewed, seconds)

    def unanswered(self, request: ApprovalRequest) -> ApprovalRequired:
        """Return the error for a question that nobody here answers."""
        decision = Decision("approve", request.rule, request.reason)
        self.recorder.decided(self.tool, decision, self.arguments)
        pending = self._pending(request)
        return ApprovalRequired(decision, pending, self.recorder.decision_id)

    def answered(self, request: ApprovalRequest, answer: object) -> None:
        """Take the answer to a question; only a clear yes approves.

        Raises:
            PolicyError: The answer is a no, or no answer.
        """
        if answer is True:
            answer = Approval()
        if isinstance(answer, Approval):
            digest = arguments_digest("", self.arguments or {})
            self._approved = (answer, digest)
            if answer.scope != "once":
                whole = answer.scope == "session"
                self.guard.state.approved.add((self.tool, "" if whole else digest))
            return
        reason = answer.reason if isinstance(answer, Deny) else ""
        text = f"nobody approved it{': ' * bool(reason)}{reason}"
        raise self.denial(Decision("deny", request.rule, text))

    def replaced(self, params: Mapping[str, Any], *, approved: bool) -> None:
        """Take params of an approver in place of the caller's; decide again.

        Args:
            params: The params, which nobody else can change.
            approved: Whether the approver of this policy gave them.

        Raises:
            PolicyError: The policy denies the new arguments.
        """
        self.arguments = arguments_of(self.method, params)
        if approved:
            digest = arguments_digest("", self.arguments or {})
            self._approved = (Approval(), digest)
        self.screen()

    # While it is sent

    def needs_tools(self, session: Negotiated[Any]) -> bool:
        """Tell whether the server's tools must be compared with the reviews first."""
        guard = self.guard
        if not any(entry.reviewed for entry in guard.document.tools.values()):
            return False
        return not guard.state.has_pins(session, session.list_changes)

    def take_tools(
        self, session: Negotiated[Any], changes: int, tools: list[dict[str, Any]]
    ) -> None:
        """Compare the server's tools with the reviews.

        Args:
            session: The session.
            changes: `session.list_changes` before the list was read.
            tools: The tools as the server lists them.
        """
        guard = self.guard
        instructions = session.facts.get("instructions")
        state = guard.state
        for tool in sorted(
            state.pin(session, changes, guard.document, tools, instructions)
        ):
            guard.powers.supervisor.notify("drifted", server=guard.server, tool=tool)

    def check(self, params: Mapping[str, Any] | None, *, pinned: bool = True) -> None:
        """Decide for the last time; nothing is sent where this raises.

        Args:
            params: The params that would be sent; None where no message is.
            pinned: Whether the server's tools could be compared with the reviews.

        Raises:
            PolicyError: The policy does not allow it now.
            ApprovalRequired: A person must approve it.
        """
        decision = self.screen()
        if params is not None and self._changed(params):
            raise self.denial(
                Decision("deny", self.entry.place, "the call was changed")
            )
        if self.entry.reviewed and not pinned and self.entry.enforced:
            rule = f"{self.entry.place}.reviewed"
            text = "nobody can compare the tool with its review: no session lists it"
            raise self.denial(Decision("deny", rule, text))
        if decision.effect == "approve" and self.entry.enforced:
            request = self._request(decision)
            if not self._is_approved(request):
                raise self.unanswered(request)
        if not self._sent:
            self._first(decision)

    def _first(self, decision: Decision) -> None:
        """Use up what one call may use once, and note the decision."""
        entry, guard = self.entry, self.guard
        if self._grant is not None:
            if not guard.powers.supervisor.grants.take(self._grant):
                text = "the approval was used before"
                raise self.denial(Decision("deny", f"{entry.place}.approval", text))
            self._approved = (
                self._grant.approval,
                arguments_digest("", self.arguments or {}),
            )
        if entry.rate is not None and (seconds := wait_for(entry.rate, self._sharer())):
            rule, text = f"{entry.place}.rate", "too many calls"
            decision = Decision("deny", rule, text, f"in {seconds:.1f} seconds")
            if entry.enforced:
                raise self.denial(decision)
        approval = self._approved[0] if self._approved else None
        self.recorder.decided(self.tool, decision, self.arguments, approval)
        self._sent = True
        if entry.reads_untrusted:
            guard.state.tainted = True

    def _sharer(self) -> tuple[object, ...]:
        rate, guard = self.entry.rate, self.guard
        whose: object = ""
        if rate is not None and rate.scope == "client":
            whose = guard.state
        elif rate is not None and rate.scope == "principal":
            whose = guard.powers.principal
        return guard.document.server.identity or guard.server, self.entry.place, whose

    def _changed(self, params: Mapping[str, Any]) -> bool:
        if self.method == CALL:
            same = params.get("arguments", NOTHING) is self.arguments
            return not same or params.get("name") != self.tool
        return False

    def seconds(self, seconds: float | None) -> float | None:
        """Return the time for the call, which the policy may shorten."""
        limit = self.entry.timeout
        if limit is None or not self.entry.enforced:
            return seconds
        return limit if seconds is None else min(limit, seconds)

    # Afterwards

    def failed(self, error: BaseException) -> None:
        """Note that the request failed."""
        if self._sent:
            self.recorder.failed(error)

    def ended(self, result: dict[str, Any]) -> dict[str, Any]:
        """Note that the request has a result; return it as the policy wants it."""
        rule = self.entry.results
        cleaned = result
        if rule is not None:
            from .answers import cleaned_result

            cleaned = cleaned_result(result, rule)
        self.recorder.ended(result, cleaned)
        return cleaned
