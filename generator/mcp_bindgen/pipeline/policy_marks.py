"""The marks of a policy file for tools, resources and prompts of a package."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mcp_bindgen.runtime.client.policy.read import parse
from mcp_bindgen.runtime.client.policy.read_features import with_features
from mcp_bindgen.runtime.client.policy.uris import expands
from mcp_bindgen.schema.ir import PolicyMark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.runtime.client.policy.entry import Document, Entry
    from mcp_bindgen.schema.ir import Feature

__all__ = ["PolicyMarks", "policy_marks"]


@dataclass(frozen=True, slots=True)
class PolicyMarks:
    """The marks of all tools, and the policy, for resources and prompts.

    Attributes:
        tools: Wire name and mark of each tool that the policy lists.
        others: The mark of all others.
        data: The policy file, which has no mistakes.
    """

    tools: tuple[tuple[str, PolicyMark], ...]
    others: PolicyMark
    data: bytes

    def of(self, wire: str) -> PolicyMark:
        """Return the mark of a tool."""
        return dict(self.tools).get(wire, self.others)

    def features(
        self,
        resources: Sequence[Feature],
        templates: Sequence[Feature],
        prompts: Sequence[Feature],
    ) -> tuple[tuple[Feature, ...], ...]:
        """Return the three lists of a package with the marks."""
        document = parse(self.data, "the policy", None, with_features)
        of_templates = [_of_template(document, f.wire.text) for f in templates]
        return (
            _marked(document, "resources/read", "uri", resources),
            _with(templates, of_templates),
            _marked(document, "prompts/get", "name", prompts),
        )


def policy_marks(document: Document, data: bytes) -> PolicyMarks:
    """Return the marks of a policy.

    Args:
        document: The policy, read and checked.
        data: The bytes of its file.
    """
    tools = ((name, _mark(document, e)) for name, e in sorted(document.tools.items()))
    return PolicyMarks(tuple(tools), _mark(document, document.defaults["tools"]), data)


def _marked(
    document: Document, method: str, key: str, listed: Sequence[Feature]
) -> tuple[Feature, ...]:
    """Return the features of a list with the marks of their entries."""
    entries = [document.deciding(method, {key: f.wire.text}) for f in listed]
    return _with(listed, [_mark(document, entry) for entry in entries])


def _with(
    listed: Sequence[Feature], marks: Sequence[PolicyMark]
) -> tuple[Feature, ...]:
    pairs = zip(listed, marks, strict=True)
    return tuple(replace(feature, policy=mark) for feature, mark in pairs)


def _of_template(document: Document, template: str) -> PolicyMark:
    """Return the mark of a template: denied where all URIs of it are."""
    entries = document.resources
    own = entries.get(template) or document.entry("resources/read", None)
    mark = _mark(document, own)
    # The policy may list some of its URIs alone.
    some = [entries[key] for key in entries if key != template]
    some = [entry for entry in some if expands(template, entry.name)]
    if mark.denied and not all(_mark(document, entry).denied for entry in some):
        return replace(mark, denied=False, denies=True)
    return mark


def _mark(document: Document, entry: Entry) -> PolicyMark:
    listed = entry.key.startswith(("tools.", "resources.", "prompts."))
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
