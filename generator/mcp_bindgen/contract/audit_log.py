"""Reads audit logs: the calls, their totals, and whether the chain is whole."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.runtime.client.policy.audit import line_hash
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.runtime.strict_json import StrictJsonError, loads

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Call", "calls_of", "faults_of_chain", "records_of", "totals_of"]


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
            records.append(members(loads(line)))
        except StrictJsonError:
            continue
    return records


def calls_of(records: Sequence[dict[str, Any]]) -> list[Call]:
    """Return the calls of a log, in the order of their decisions."""
    ends = {r.get("decision_id"): r for r in records if r.get("event") == "ended"}
    calls: list[Call] = []
    for record in records:
        if record.get("event") == "decided":
            end = ends.get(record.get("decision_id"), {})
            outcome = end.get("error.type") or end.get("outcome", "")
            call = Call(
                time=str(record.get("time", "")),
                tool=str(record.get("gen_ai.tool.name", "")),
                decision=str(record.get("decision", "")),
                rule=str(record.get("policy.rule_id", "")),
                outcome=str(outcome),
                duration=str(end.get("duration_ms", "")),
                principal=str(record.get("principal", "")),
            )
            calls.append(call)
    return calls


def totals_of(calls: Sequence[Call]) -> list[tuple[str, str, int]]:
    """Return how often each tool had each decision, sorted."""
    counts = Counter((call.tool, call.decision) for call in calls)
    return [
        (tool, decision, counts[tool, decision]) for tool, decision in sorted(counts)
    ]


def faults_of_chain(lines: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return line and reason of each fault in the chain of a log, [] if it is whole.

    Args:
        lines: The lines of the log, of its oldest file first, without their ends.
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
        # Records that could not be written leave a gap in the numbers alone; removed
        # ones are missing in the chain of hashes, too.
        if type(seq) is not int:
            faults.append((number, "expected a record with a seq"))
        elif before is None and seq and record.get("prev_hash"):
            faults.append((number, f"{seq} records before it are missing"))
        elif before is None and seq:
            faults.append((number, _gap(seq)))
        elif before is not None and record.get("prev_hash") != before[1]:
            faults.append((number, "it does not follow the line before"))
        elif before is not None and seq != before[0] + 1:
            faults.append((number, _gap(seq - before[0] - 1)))
        # A damaged line counts as one record, so that one fault is not reported twice.
        following = before[0] + 1 if before else 0
        before = (seq if type(seq) is int else following, line_hash(line))
    return faults


def _gap(missing: int) -> str:
    """Return the fault of a line that follows the one before, but for its number."""
    if missing > 0:
        return f"{missing} records before it could not be written"
    return "its seq is used twice"
