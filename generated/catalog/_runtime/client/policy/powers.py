# Copied by mcp-bindgen. Do not edit.
"""The functions of the program that a policy uses: for approvals, for records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ... import limits
from ...errors import ConfigError, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .supervisor import Supervisor

__all__ = ["Powers"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Powers:
    """The functions and values of the program that a policy uses.

    Attributes:
        supervisor: Holds mode, revocations and approvals.
        approve: Answers questions; None where `ApprovalRequired` is raised.
        principal: On whose behalf calls are made.
        audit: Takes the records of the audit log.
        decide: May deny more, or ask for more approvals.
        approval_seconds: How long an approver may take, and an approval counts.
    """

    supervisor: Supervisor
    approve: Callable[..., Any] | None = None
    principal: str = ""
    audit: Callable[[Mapping[str, Any]], object] | None = None
    decide: Callable[[str, Mapping[str, Any]], object] | None = None
    approval_seconds: float = limits.APPROVAL_SECONDS

    def __post_init__(self) -> None:
        seconds = cast("object", self.approval_seconds)
        number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not number or not 0 < self.approval_seconds <= limits.TIMEOUT_MOST:
            raise ConfigError(
                "approval_seconds: expected more than 0 and at most"
                f" {limits.TIMEOUT_MOST:,} seconds, got {printable(seconds, 50)}",
                hint="write approval_seconds=300",
            )
