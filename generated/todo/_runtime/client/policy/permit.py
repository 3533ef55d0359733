# Copied by mcp-bindgen. Do not edit.
"""The permit of one request: decided on a private copy, and again before sending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..approval import Deny
from .approvals import Approval, ApprovalRequest, ApprovalRequired
from .consent import Consent
from .current import current_decision
from .decide import ALLOWED, Decision, counts
from .entry import ALWAYS
from .errors import PolicyError
from .pinning import answered, met, needs_tools, take_tools, unreachable
from .rates import wait_for
from .records import Recorder
from .snapshot import CALL, NOTHING, arguments_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...errors import ProtocolError
    from ...protocol.request import Negotiated
    from .entry import Rate
    from .guard import Guard

__all__ = ["Permit", "permit_of"]

_ROUNDS = {"inputResponses", "requestState"}
"""The params that later rounds of one request add."""


def permit_of(guard: Guard, method: str, params: Mapping[str, Any]) -> Permit | None:
    """Return the permit of a request, None if no policy decides about it.

    Args:
        guard: The policy.
        method: The method of the request.
        params: Its params, a private copy.
    """
    return None if method in ALWAYS else Permit(guard, method, params)


class Permit:
    """One request on its way to the server, under one policy.

    Args:
        guard: The policy.
        method: The method of the request.
        params: Its params, a private copy.
    """

    def __init__(self, guard: Guard, method: str, params: Mapping[str, Any]) -> None:
        self.guard = guard
        self.method = method
        name = params.get("name") if method == CALL else method
        self.tool = name if isinstance(name, str) else ""
        self.entry = guard.document.deciding(method, params)
        # Only tools are compared with their reviews at run time.
        self._pinned = method == CALL and bool(self.entry.reviewed)
        self.arguments = arguments_of(method, params)
        self.recorder = Recorder(
            guard.document, guard.powers, guard.server, method, self.entry
        )
        self.consent = Consent(guard, method, self.tool, self.entry)
        self._decision = ALLOWED
        self._sent = False

    # Before anything is sent

    def screen(self) -> Decision:
        """Return the decision; raise if it is an enforced denial.

        Raises:
            PolicyError: The policy denies the request.
        """
        decision = current_decision(
            self.guard, self.entry, self.method, self.tool, self.arguments
        )
        if decision.effect == "deny" and counts(self.entry, decision):
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
        """Return the question to a person, None where no approval is needed.

        Raises:
            PolicyError: The policy denies the request.
        """
        decision = self.screen()
        if decision.effect != "approve" or not counts(self.entry, decision):
            return None
        arguments = self.arguments or {}
        question = self.consent.question(decision, arguments)
        return None if self.consent.holds(question, arguments) else question

    def unanswered(self, request: ApprovalRequest) -> ApprovalRequired:
        """Return the error for a question without an approver."""
        decision = Decision("approve", request.rule, request.reason)
        self.recorder.decided(self.tool, decision, self.arguments)
        pending = self.consent.pending(request)
        return ApprovalRequired(decision, pending, self.recorder.decision_id)

    def answered(self, request: ApprovalRequest, answer: object) -> None:
        """Take the answer to a question; only a clear yes approves.

        Raises:
            PolicyError: The answer is a no, or no answer.
        """
        if answer is True:
            answer = Approval()
        if isinstance(answer, Approval):
            self.consent.take(answer, self.arguments or {})
            return
        reason = answer.reason if isinstance(answer, Deny) else ""
        text = f"nobody approved it{': ' * bool(reason)}{reason}"
        raise self.denial(Decision("deny", request.rule, text))

    def replaced(self, params: Mapping[str, Any], *, approved: bool) -> None:
        """Take params of an approver in place of the caller's; decide again.

        Args:
            params: The params, a private copy.
            approved: Whether the approver of this policy gave them.

        Raises:
            PolicyError: The policy denies the new arguments.
        """
        self.arguments = arguments_of(self.method, params)
        if approved:
            self.consent.take(Approval(), self.arguments or {})
        self.screen()

    # While it is sent

    def met(self, session: Negotiated[Any]) -> None:
        """Note the session that carries the request."""
        met(self.guard, session)

    def needs_tools(self, session: Negotiated[Any]) -> bool:
        """Return whether the server's tools must be compared with the reviews first."""
        return self._pinned and needs_tools(self.guard, session)

    def take_tools(
        self, session: Negotiated[Any], changes: int, tools: list[dict[str, Any]]
    ) -> None:
        """Compare the server's tools with the reviews; see `pinning.take_tools`."""
        take_tools(self.guard, session, changes, tools)

    def take_no_tools(self, error: ProtocolError) -> None:
        """Deny a reviewed tool where the server does not list its tools."""
        if self._pinned and self.entry.enforced:
            rule, text = f"{self.entry.key}.reviewed", "the server lists no tools"
            raise self.denial(Decision("deny", rule, text)) from error

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
            raise self.denial(Decision("deny", self.entry.key, "the call was changed"))
        if self._pinned and not pinned and self.entry.enforced:
            rule = f"{self.entry.key}.reviewed"
            text = (
                "the tool was reviewed, but no session has listed the tools, so that"
                " the policy cannot tell whether the tool is still the same"
            )
            raise self.denial(Decision("deny", rule, text))
        if decision.effect == "approve" and counts(self.entry, decision):
            arguments = self.arguments or {}
            question = self.consent.question(decision, arguments)
            if not self.consent.holds(question, arguments):
                raise self.unanswered(question)
        if not self._sent:
            self._decision = self._rated(decision, taken=False)

    def use(self) -> None:
        """Use up the approval and the rate of one call, and note the decision.

        Raises:
            PolicyError: Another call was first, or a strict log cannot be written.
        """
        if self._sent:
            return
        decision, guard = self._rated(self._decision, taken=True), self.guard
        if not self.consent.use(self.arguments or {}):
            text = "the approval was used before"
            raise self.denial(Decision("deny", f"{self.entry.key}.approval", text))
        approval = self.consent.approval
        self.recorder.decided(self.tool, decision, self.arguments, approval)
        self._sent = True
        if self.entry.reads_untrusted:
            guard.state.tainted = True

    def _rated(self, decision: Decision, *, taken: bool) -> Decision:
        """Return a decision, or the denial of one call too many.

        Raises:
            PolicyError: It is enforced.
        """
        entry = self.entry
        if entry.rate is None or not (seconds := self._wait(entry.rate, taken=taken)):
            return decision
        rule, text = f"{entry.key}.rate", "too many calls"
        denial = Decision("deny", rule, text, f"in {seconds:.1f} seconds")
        if entry.enforced:
            raise self.denial(denial)
        return denial

    def _wait(self, rate: Rate, *, taken: bool) -> float:
        """Look for one call of a rate; return the seconds until there is one."""
        guard = self.guard
        key: tuple[str, ...] = (guard.document.digest, self.entry.key)
        if rate.scope == "client":
            return wait_for(rate, key, guard.state.buckets, taken=taken)
        if rate.scope == "principal":
            key = (*key, guard.powers.principal)
        return wait_for(rate, key, taken=taken)

    def _changed(self, params: Mapping[str, Any]) -> bool:
        if self.method == CALL:
            same = params.get("arguments", NOTHING) is self.arguments
            return not same or params.get("name") != self.tool
        sent = arguments_of(self.method, params) or {}
        decided = self.arguments or {}
        return {key: sent[key] for key in sent.keys() - _ROUNDS} != decided

    def seconds(self, seconds: float | None) -> float | None:
        """Return the time for the call, which the policy may shorten."""
        limit = self.entry.timeout
        if limit is None or not self.entry.enforced:
            return seconds
        return limit if seconds is None else min(limit, seconds)

    # Afterwards

    def failed(self, error: BaseException) -> None:
        """Note that the request failed."""
        unreachable(self.guard, error)
        if self._sent:
            self.recorder.failed(error)

    def began(self, result: dict[str, Any]) -> dict[str, Any]:
        """Note that a task replaces the result; return the task without content.

        The result is cleaned when it is read, see `readings`.
        """
        answered(self.guard)
        self.recorder.began(result)
        content = ("content", "structuredContent")
        return {key: value for key, value in result.items() if key not in content}

    def ended(self, result: dict[str, Any]) -> dict[str, Any]:
        """Note that the request has a result; return it cleaned by the policy."""
        answered(self.guard)
        rule = self.entry.results
        if rule is None:
            self.recorder.ended(result, result)
            return result
        from .answers import cleaned_result, findings_in, marked

        cleaned = cleaned_result(result, rule)
        findings = findings_in(result) if rule.lint else []
        self.recorder.ended(result, cleaned, findings)
        return marked(cleaned, findings) if rule.lint else cleaned
