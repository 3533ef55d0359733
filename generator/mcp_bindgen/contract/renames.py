"""Pairs the members of two objects that only have another name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_bindgen.contract.normal import text_of
from mcp_bindgen.python.names import snake
from mcp_bindgen.runtime.client.verify.renames import take_renamed, take_respelled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.contract.shape import Branch, Parts

__all__ = ["in_python", "renamed"]


def renamed(
    removed: Mapping[str, Parts], added: Mapping[str, Parts], old: Branch, new: Branch
) -> dict[str, str]:
    """Return old name to new name, for members that seem to be the same.

    First those that only spell their name in another way, then those of the same
    schema and with similar names.
    """
    if not removed or not added:
        return {}
    others = dict.fromkeys(added)
    names = take_respelled(removed, others, in_python)
    left = [name for name in removed if name not in names]
    before, after = (
        {name: (name in branch.required, text_of(parts[name])) for name in each}
        for branch, parts, each in ((old, removed, left), (new, added, others))
    )
    return names | take_renamed(
        left, others, lambda name, other: before[name] == after[other]
    )


def in_python(name: str) -> str:
    """Return the name in Python of a member, before anything is reserved."""
    return snake(name, "field")
