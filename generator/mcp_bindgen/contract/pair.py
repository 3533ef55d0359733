"""The two documents of a comparison, and which schemas are the same in both."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_bindgen.contract.constraints import (
    is_dynamic,
    is_elsewhere,
    references,
    targets_of,
)
from mcp_bindgen.schema.document import are_equal, canonical, packed
from mcp_bindgen.schema.spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Side
    from mcp_bindgen.contract.shape import Parts, ShapedDocument
    from mcp_bindgen.schema.document import Forms
    from mcp_bindgen.schema.node import Node

__all__ = ["Pair", "are_same", "differ_in_order"]

_REFERENCES = re.compile(rb"\$(?:ref|dynamicRef|recursiveRef)")


@dataclass(slots=True)
class Pair:
    """The documents of two schemas that are compared.

    Attributes:
        side: `in` for arguments, `out` for results.
        old: The old document.
        new: The new document.
        steps: Comparisons that are left; without one more, the rest is undecided.
        same: References to whether both documents have the same there.
    """

    side: Side
    old: ShapedDocument
    new: ShapedDocument
    steps: int = 5_000
    same: dict[str, bool] = field(default_factory=dict[str, bool])

    @property
    def prefix(self) -> str:
        """The first word of the names of the rules."""
        return "PARAM_" if self.side == "in" else "FIELD_"


def are_same(pair: Pair, old: Parts, new: Parts) -> bool:
    """Return whether two schemas and their targets have the same spelling."""
    nodes, others = ([part.node for part in parts] for parts in (old, new))
    forms = pair.old.forms, pair.new.forms
    if not are_equal(nodes, others) and not differ_in_order(nodes, others, forms):
        return False
    # Few have references, and a text takes long.
    if not _REFERENCES.search(packed(nodes)):
        return True
    text = canonical(nodes)
    if '"$ref":' not in text and not is_dynamic(text):
        return True
    if pair.old.is_draft7 != pair.new.is_draft7 or is_dynamic(text):
        return False
    return all(_lead_to_same(pair, ref) for ref in {*references(nodes)})


def differ_in_order(
    nodes: Sequence[Node], others: Sequence[Node], forms: tuple[Forms, Forms]
) -> bool:
    """Return whether schemas that are not equal differ in an order only.

    Args:
        nodes: The schemas.
        others: As many other schemas.
        forms: The forms that are known in the documents of both.
    """
    # Another order has the same length, which is quick to see.
    if len(packed(nodes)) != len(packed(others)):
        return False
    return _spelled_text(nodes, forms[0]) == _spelled_text(others, forms[1])


def _spelled_text(nodes: Sequence[Node], forms: Forms) -> str:
    return canonical([spelled(node, forms) for node in nodes])


def _lead_to_same(pair: Pair, ref: str) -> bool:
    """Return whether a reference leads to the same schemas in both documents."""
    if ref not in pair.same:
        both = [targets_of(side, {"$ref": ref}) for side in (pair.old, pair.new)]
        forms = pair.old.forms, pair.new.forms
        old, new = (
            canonical({key: spelled(target, known) for key, target in targets.items()})
            for targets, known in zip(both, forms, strict=True)
        )
        whole = is_dynamic(old) or any(map(is_elsewhere, both))
        pair.same[ref] = old == new and not whole
    return pair.same[ref]
