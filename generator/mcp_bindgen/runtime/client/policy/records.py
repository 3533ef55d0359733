"""The records of the audit log: one before a call is sent, one after it ended."""

from __future__ import annotations

import logging
import secrets
import time
from typing import TYPE_CHECKING, Any

from ...errors import FAILURE, McpError, ProtocolError
from ...results import ToolError
from ...strict_json import dumps
from ..telemetry import span_ids

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .approvals import Approval
    from .decide import Decision
    from .entry import Document, Entry
    from .powers import Powers

__all__ = ["Recorder"]

_log = logging.getLogger(__name__.partition("._runtime")[0])


class Recorder:
    """Writes the two records of one request; nothing where nobody takes them.

    Args:
        document: The policy.
        powers: Who takes the records.
        server: Scheme and host of the server, or its program.
        method: The method of the request.
        entry: The entry that decides.
    """

    def __init__(
        self, document: Document, powers: Powers, server: str, method: str, entry: Entry
    ) -> None:
        self._document = document
        self._powers = powers
        self._entry = entry
        self._facts = {"server": server, "mcp.method.name": method}
        self.decision_id = ""
        self._start = 0.0

    def decided(
        self,
        tool: str,
        decision: Decision,
        arguments: Mapping[str, Any] | None,
        approval: Approval | None = None,
    ) -> None:
        """Write what was decided, before anything is sent.

        Raises:
            PolicyError: A strict log cannot be written.
        """
        if self._powers.audit is None:
            return
        self.decision_id = self.decision_id or secrets.token_hex(16)
        self._start = time.monotonic()
        record: dict[str, Any] = {
            "event": "decided",
            "decision_id": self.decision_id,
            "principal": self._powers.principal,
            **self._facts,
            "gen_ai.tool.name": tool,
            "policy.digest": self._document.digest,
            "policy.rule_id": decision.rule,
            "policy.mode": self._powers.supervisor.mode,
            "enforce": "deny" if self._entry.enforced else "log",
            "decision": decision.effect,
            "reason": decision.reason,
            "tool.pin": self._entry.reviewed,
            "arguments.names": sorted(arguments or {}),
            "arguments": dict(arguments or {}),
            "arguments.logged": self._entry.log_values,
            **span_ids(),
        }
        if approval is not None:
            record |= {"approval.scope": approval.scope, "approval.by": approval.by}
        self._powers.audit(record)

    def failed(self, error: BaseException) -> None:
        """Write how a request failed."""
        facts: dict[str, Any] = {"error.type": type(error).__name__}
        outcome = "unknown"
        if isinstance(error, McpError):
            outcome = error.outcome
        if isinstance(error, ProtocolError):
            facts["error.type"] = str(error.code)
        if isinstance(error, ToolError):
            facts["error.type"] = "tool_error"
        self._ended(outcome, facts)

    def ended(self, result: Mapping[str, Any], cleaned: Mapping[str, Any]) -> None:
        """Write that a request has a result."""
        if self._powers.audit is None:
            return
        failed = result.get("isError") is True
        self._ended(
            "ran",
            {
                **({"error.type": "tool_error"} if failed else {}),
                "result.bytes": len(dumps(result)),
                "result.modified": result != cleaned,
            },
        )

    def _ended(self, outcome: str, facts: Mapping[str, Any]) -> None:
        if self._powers.audit is None or not self.decision_id:
            return
        record = {
            "event": "ended",
            "decision_id": self.decision_id,
            "outcome": outcome,
            "duration_ms": round((time.monotonic() - self._start) * 1000, 3),
            **facts,
            **span_ids(),
        }
        try:
            self._powers.audit(record)
        except FAILURE as error:  # The call has run, whatever becomes of its record.
            _log.error("the end of a call is not in the audit log: %s", error)
