"""Reads audit logs: the calls, their totals, and whether the chain is whole."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.runtime import limits
from mcp_bindgen.runtime.client.policy.audit import has_seal, line_hash
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.runtime.strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Call",
    "calls_of",
    "fault_of_key",
    "faults_of_chain",
    "records_of",
    "totals_of",
]


class Call(NamedTuple):
    """One call in the log.

    Attributes:
        time: The moment of the decision.
        tool: The wire name of the tool, or the method.
        decision: "allow", "approve" or "deny".
        rule: The rule that decided.
        outcome: How it ended, "" where the log does not say.
        duration: Milliseconds, "" where it was not sent.
        principal: On whose behalf it was made.
    """

    time: str
    tool: str
    decision: str
    rule: str
    outcome: str
    duration: str
    principal: str


def records_of(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """Return the records of a log, without lines that hold no record."""
    records: list[dict[str, Any]] = []
    for line in lines:
        try:
            record = members(loads(line))
        except StrictJsonError:
            continue
        if "event" in record:
            records.append(record)
    return records


def calls_of(records: Sequence[dict[str, Any]]) -> list[Call]:
    """Return the calls of a log, in the order of their decisions.

    A call that was decided again, before a further attempt or for its answer, is one
    call with its last decision.
    """
    ends = {str(r.get("decision_id")): r for r in records if r.get("event") == "ended"}
    decisions = {
        str(r.get("decision_id")): r for r in records if r.get("event") == "decided"
    }
    return [
        _call(record, ends.get(identity, {})) for identity, record in decisions.items()
    ]


def _call(record: Mapping[str, Any], end: Mapping[str, Any]) -> Call:
    return Call(
        time=str(record.get("time", "")),
        tool=str(record.get("gen_ai.tool.name", "")),
        decision=str(record.get("decision", "")),
        rule=str(record.get("policy.rule_id", "")),
        outcome=str(end.get("error.type") or end.get("outcome", "")),
        duration=str(end.get("duration_ms", "")),
        principal=str(record.get("principal", "")),
    )


def totals_of(calls: Sequence[Call]) -> list[tuple[str, str, int]]:
    """Return how often each tool had each decision, sorted."""
    counts = Counter((call.tool, call.decision) for call in calls)
    return [
        (tool, decision, counts[tool, decision]) for tool, decision in sorted(counts)
    ]


def faults_of_chain(
    lines: Sequence[bytes], key: bytes | None = None
) -> list[tuple[int, str]]:
    """Return line and reason of each fault in the chain of a log, [] if it is whole.

    Args:
        lines: The lines of the log, of its oldest file first, without their ends.
        key: The key of the log; None to check no seals.
    """
    faults: list[tuple[int, str]] = []
    before: tuple[int, str] | None = None
    for number, line in enumerate(lines, 1):
        try:
            record = members(loads(line))
        except StrictJsonError as error:
            faults.append((number, str(error)))
            record = {}
        seq = record.get("seq")
        fault = _fault(record, before)
        if not fault and key is not None and not has_seal(line, key):
            fault = "its seal is not of the key of this log"
        if fault:
            faults.append((number, fault))
        # A damaged line counts as one record, so that one fault is not reported twice.
        following = before[0] + 1 if before else 0
        before = (seq if type(seq) is int else following, line_hash(line))
    return faults


def fault_of_key(key: bytes) -> str:
    """Return why a key makes no seals, "" if it does."""
    size = limits.AUDIT_KEY
    return f"expected a key of {size} bytes, got {len(key)}" * (len(key) < size)


def _fault(record: Mapping[str, Any], before: tuple[int, str] | None) -> str:
    """Return why a record cannot be the next one, "" if it can.

    Records that could not be written leave a gap in the numbers alone; removed ones are
    missing in the chain of hashes, too.

    Args:
        record: The record.
        before: Number and hash of the line before it, None for the first line.
    """
    seq = record.get("seq")
    if type(seq) is not int:
        return "expected a record with a seq"
    if before is None:
        if seq and record.get("prev_hash"):
            return f"{seq} records before it are missing"
        return _gap(seq) if seq else ""
    if record.get("prev_hash") != before[1]:
        return "it does not follow the line before"
    return _gap(seq - before[0] - 1) if seq != before[0] + 1 else ""


def _gap(missing: int) -> str:
    """Return the fault of a line that follows the one before, but for its number."""
    if missing > 0:
        return f"{missing} records before it could not be written"
    return "its seq is used twice"
