"""Findings that a project has accepted, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from mcp_bindgen.contract.model import Report
from mcp_bindgen.contract.rules import rules
from mcp_bindgen.schema.node import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mcp_bindgen.contract.model import Change
    from mcp_bindgen.contract.summary import Compared

__all__ = ["Acceptance", "accept", "read_accepted", "stale"]

_KEYS = {"rule", "tool", "fingerprint", "reason"}


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One entry of `accept` in the settings.

    Attributes:
        rule: The rule that is accepted, "" with a fingerprint.
        tool: A glob of tools, `*` for all.
        fingerprint: The fingerprint of one finding, or "".
        reason: Why it is fine.
    """

    rule: str
    tool: str
    fingerprint: str
    reason: str

    def covers(self, change: Change) -> bool:
        """Return whether a finding is accepted."""
        if self.fingerprint:
            return self.fingerprint == change.fingerprint
        return self.rule == change.rule and fnmatchcase(change.tool, self.tool)

    def __str__(self) -> str:
        """Return the entry as messages name it."""
        return self.fingerprint or f"{self.rule} of {self.tool}"


def read_accepted(
    table: object,
) -> tuple[tuple[Acceptance, ...], tuple[tuple[str, str], ...]]:
    """Return the entries of `[tool.mcp-bindgen.diff]`, and mistakes with hints.

    Args:
        table: The table, as TOML has it.
    """
    if not is_object(table):
        return (), (("expected diff to be a table", ""),)
    faults = [
        (f"diff has an unknown key {key!a}", "known: accept")
        for key in table
        if key != "accept"
    ]
    listed = table.get("accept", [])
    if not is_array(listed):
        return (), (*faults, ("expected diff.accept to be a list of tables", ""))
    accepted: list[Acceptance] = []
    for number, entry in enumerate(listed):
        wrong = [*_faults(entry)]
        faults += [(f"diff.accept[{number}]: {why}", hint) for why, hint in wrong]
        if not wrong and is_object(entry):
            texts = (entry.get(key, "") for key in ("rule", "fingerprint", "reason"))
            rule, fingerprint, reason = texts
            tool = entry.get("tool", "*")
            accepted.append(Acceptance(rule, tool, fingerprint, reason))
    return tuple(accepted), tuple(faults)


def _faults(entry: object) -> Iterator[tuple[str, str]]:
    form = 'write { rule = "TOOL_REMOVED", tool = "debug_*", reason = "unused" }'
    if not is_object(entry) or not all(isinstance(v, str) for v in entry.values()):
        yield "expected a table of texts", form
        return
    yield from ((f"unknown key {k!a}", form) for k in entry if k not in _KEYS)
    if not str(entry.get("reason", "")).strip():
        yield "expected a reason", form
    if ("rule" in entry) == ("fingerprint" in entry):
        yield "expected a rule or a fingerprint", form
    rule = entry.get("rule")
    if rule is not None and rule not in rules():
        yield f"unknown rule {rule!a}", "docs/rules.md lists all rules"


def accept(server: Compared, accepted: Sequence[Acceptance]) -> Compared:
    """Return a comparison without the findings that are accepted.

    Args:
        server: The comparison.
        accepted: The entries of the settings.
    """
    changes = server.report.changes
    left = tuple(c for c in changes if not any(a.covers(c) for a in accepted))
    report = Report(left, server.report.problems)
    return replace(server, report=report, accepted=len(changes) - len(left))


def stale(
    servers: Iterable[Compared], accepted: Iterable[Acceptance]
) -> list[Acceptance]:
    """Return the entries that cover no finding.

    Args:
        servers: The comparisons, with all findings.
        accepted: The entries of the settings.
    """
    changes = [change for each in servers for change in each.report.changes]
    return [a for a in accepted if not any(a.covers(change) for change in changes)]
