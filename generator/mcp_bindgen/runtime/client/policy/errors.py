"""The errors of a policy: a denied call, and a faulty file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import ConfigError, printable
from ..approval import DeniedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .decide import Decision

__all__ = ["PolicyError", "PolicyFileError"]


class PolicyError(DeniedError):
    """The policy does not allow the call; nothing was sent.

    Attributes:
        tool: Wire name of the tool, or the method.
        rule: The rule that decided: "tools.delete_task.modes".
        reason: Why, without any value of an argument.
        allowed: The values that are allowed, or "".
        decision_id: The id of the decision in the audit log, or "".
    """

    def __init__(self, tool: str, decision: Decision, decision_id: str = "") -> None:
        super().__init__(tool, "")
        allowed = (
            f"; allowed: {printable(decision.allowed)}" if decision.allowed else ""
        )
        self.message = (
            f"the policy does not allow the call: {printable(decision.reason)}{allowed}"
            f" (rule {printable(decision.rule, 200)})"
        )
        self.reason = decision.reason
        self.rule = decision.rule
        self.allowed = decision.allowed
        self.decision_id = decision_id


class PolicyFileError(ConfigError):
    """A policy file has mistakes; all of them are listed.

    Attributes:
        faults: Place and reason of each mistake.
    """

    def __init__(self, file: str, faults: Sequence[tuple[str, str]]) -> None:
        lines = [
            f"\n  {printable(path or 'the file', 200)}: {printable(why, 400)}"
            for path, why in faults
        ]
        count = f"{len(faults)} mistake{'s' * (len(faults) > 1)}"
        super().__init__(
            f"{printable(file, 200)}: the policy has {count}:{''.join(lines)}",
            hint="correct the file; no policy is in force until then",
        )
        self.faults = tuple(faults)
