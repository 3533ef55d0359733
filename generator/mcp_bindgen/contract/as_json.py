"""A report as JSON: the form that other programs read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.model import ABSENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.contract.summary import Compared, Total

__all__ = ["as_json"]


def as_json(
    compared: Sequence[Compared], total: Total, *, failed: Sequence[str] | None = None
) -> str:
    """Return a report as one JSON object.

    A grade `none` is left out where not all was compared: nobody knows it.

    Args:
        compared: The comparisons; of more than one, each finding names its server.
        total: Their grades together.
        failed: The servers that were not reached; None where none was asked.
    """
    findings = [
        {**({"server": each.name} if each.name else {}), **finding_json(change)}
        for each in compared
        for change in each.report.changes
    ]
    problems = [
        {
            "recording": each.label,
            "pointer": problem.pointer,
            "message": problem.message,
        }
        for each in compared
        for problem in each.report.problems
    ]
    grades = {
        "wire": total.wire,
        "wire_strict": total.wire_strict,
        "source": total.source,
        "grade": total.grade,
        "bump": total.bump,
    }
    if problems or failed:
        grades = {axis: grade for axis, grade in grades.items() if grade != "none"}
    document: dict[str, Any] = {**grades, "findings": findings}
    if total.accepted:
        document["accepted"] = total.accepted
    if problems:
        document["problems"] = problems
    if failed is not None:
        document["failed"] = [*failed]
    return json.dumps(document, indent=2, ensure_ascii=True)


def finding_json(change: Change) -> dict[str, Any]:
    """Return one finding as a JSON object."""
    finding: dict[str, Any] = {
        "rule": change.rule,
        "tool": change.tool,
        "path": change.path,
        "pointer": change.pointer,
        "symbol": change.symbol,
        "wire": change.wire,
        "wire_strict": change.wire_strict,
        "source": change.source,
        "message": change.message,
        "fingerprint": change.fingerprint,
    }
    if change.witness is not ABSENT:
        finding["witness"] = change.witness
    if change.unsure:
        finding["unsure"] = True
    return finding
