# Copied by mcp-bindgen. Do not edit.
"""The records of the audit log: one before a call is sent, one after it ended."""

from __future__ import annotations

import hmac
import logging
import re
import secrets
import time
from typing import TYPE_CHECKING, Any, cast

from ...errors import FAILURE, McpError, ProtocolError
from ...json_values import elements, members
from ...results import ToolError
from ...strict_json import dumps
from ..telemetry import span_ids
from .decide import Decision, counts
from .errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .approvals import Approval
    from .entry import Document, Entry
    from .powers import Powers

__all__ = ["Recorder", "without_secrets"]

_KEY = secrets.token_bytes(32)
_SECRET = re.compile(
    r"(?i)passw(?:or)?d|passphrase|secret|token|api_?-?key|credential|authorization"
)
_log = logging.getLogger(__name__.partition("._runtime")[0])


class Recorder:
    """Writes the two records of one request, if there is an audit log.

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
        """Write the decision, before anything is sent.

        Raises:
            PolicyError: A strict log cannot be written.
        """
        if self._powers.audit is None:
            return
        self.decision_id = self.decision_id or secrets.token_hex(16)
        self._start = time.monotonic()
        sealed = _sealed(self._powers.audit, dumps(arguments or {}))
        record = self._decision(tool, decision, arguments or {}, sealed)
        if approval is not None:
            record |= {"approval.scope": approval.scope, "approval.by": approval.by}
        try:
            self._powers.audit(record)
        except FAILURE as error:
            reason = f"the audit log takes no record: {type(error).__name__}"
            raise PolicyError(tool, Decision("deny", "audit", reason)) from error

    def _decision(
        self, tool: str, decision: Decision, arguments: Mapping[str, Any], sealed: str
    ) -> dict[str, Any]:
        record: dict[str, Any] = {
            "event": "decided",
            "decision_id": self.decision_id,
            "principal": self._powers.principal,
            **self._facts,
            "gen_ai.tool.name": tool,
            "policy.digest": self._document.digest,
            "policy.rule_id": decision.rule,
            "policy.mode": self._powers.supervisor.mode,
            "enforce": "deny" if counts(self._entry, decision) else "log",
            "decision": decision.effect,
            "reason": decision.reason,
            "tool.pin": self._entry.reviewed,
            "arguments.names": sorted(
                without_secrets(name, self._entry.secrets) for name in arguments
            ),
            "arguments.hmac": sealed,
            **span_ids(),
        }
        if self._entry.log_values:
            record["arguments"] = without_secrets(arguments, self._entry.secrets)
        return record

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

    def ended(
        self,
        result: Mapping[str, Any],
        cleaned: Mapping[str, Any],
        findings: Sequence[Mapping[str, str]] = (),
    ) -> None:
        """Write that a request has a result."""
        rules = sorted({finding["rule"] for finding in findings})
        if rules:
            _log.warning("a result looks like an attack: %s", ", ".join(rules))
        if self._powers.audit is None:
            return
        failed = result.get("isError") is True
        self._ended(
            "ran",
            {
                **({"error.type": "tool_error"} if failed else {}),
                "result.bytes": len(dumps(result)),
                "result.modified": result != cleaned,
                **({"result.findings": rules} if rules else {}),
            },
        )

    def began(self, result: Mapping[str, Any]) -> None:
        """Write that a task replaces the result."""
        if self._powers.audit is not None:
            self._ended("task", {"result.bytes": len(dumps(result))})

    def answered(self, result: object) -> None:
        """Write that a request of the server has an answer."""
        if self._powers.audit is not None:
            self._ended("answered", {"result.bytes": len(dumps(result))})

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
        except FAILURE as error:  # The call has run, even if its record fails.
            _log.error("the end of a call is not in the audit log: %s", error)


def _sealed(audit: object, data: bytes) -> str:
    """Return a keyed hash of arguments; the key is of the log, else of the process."""
    key = getattr(audit, "key", _KEY)
    return hmac.new(key if isinstance(key, bytes) else _KEY, data, "sha256").hexdigest()


def without_secrets(value: Any, tests: Sequence[Callable[[str], bool]]) -> Any:
    """Return a JSON value without secrets: by the names of keys, and by patterns.

    Args:
        value: The value.
        tests: Whether a text is a secret.
    """
    if isinstance(value, str):
        return "[masked]" if any(test(value) for test in tests) else value
    if isinstance(value, dict):
        keyed = members(cast("object", value)).items()
        return {
            without_secrets(key, tests): (
                "[masked]" if _SECRET.search(key) else without_secrets(item, tests)
            )
            for key, item in keyed
        }
    if isinstance(value, list):
        items = elements(cast("object", value))
        return [without_secrets(item, tests) for item in items]
    return value
