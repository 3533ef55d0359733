"""The marks of a policy file for each tool, for the texts of its package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_bindgen.schema.ir import PolicyMark

if TYPE_CHECKING:
    from mcp_bindgen.runtime.client.policy.entry import Document, Entry

__all__ = ["PolicyMarks", "policy_marks"]


@dataclass(frozen=True, slots=True)
class PolicyMarks:
    """The marks of all tools.

    Attributes:
        tools: Wire name and mark of each tool that the policy lists.
        others: The mark of all others.
    """

    tools: tuple[tuple[str, PolicyMark], ...]
    others: PolicyMark

    def of(self, wire: str) -> PolicyMark:
        """Return the mark of a tool."""
        return dict(self.tools).get(wire, self.others)


def policy_marks(document: Document) -> PolicyMarks:
    """Return the marks of a policy.

    Args:
        document: The policy, read and checked.
    """
    tools = ((name, _mark(document, e)) for name, e in sorted(document.tools.items()))
    return PolicyMarks(tuple(tools), _mark(document, document.defaults["tools"]))


def _mark(document: Document, entry: Entry) -> PolicyMark:
    listed = entry.key.startswith("tools.")
    unreviewed = listed and not entry.reviewed and not document.unreviewed
    asks = entry.modes if entry.effect == "approve" else entry.approval
    rules = [when for when, _ in entry.whens]
    some = frozenset[str]().union(*(when.approval for when in rules)) - asks
    return PolicyMark(
        risk=entry.risk,
        approval=tuple(mode for mode in document.modes if mode in asks),
        denied=entry.enforced and (entry.effect == "deny" or unreviewed),
        sometimes=tuple(mode for mode in document.modes if mode in some),
        denies=entry.enforced and any(when.deny for when in rules),
    )
