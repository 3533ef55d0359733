"""Two tools without their equal parts: to compare, and to make types of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.contract.model import SCHEMAS
from mcp_bindgen.contract.narrow import (
    differ_plainly,
    is_classless,
    narrowed,
    same_members,
    sketched,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Side
    from mcp_bindgen.pipeline.plan import ToolPlan

__all__ = ["Both", "narrow_side", "sketch_tools"]


class Both(NamedTuple):
    """The schemas of one side that changed.

    Attributes:
        side: The side.
        old: The old schema, without members that are the same in both.
        new: The new schema in this form.
        same: The names of the members that are the same.
        plain: Whether no member that differs has a class.
    """

    side: Side
    old: Any
    new: Any
    same: Sequence[str]
    plain: bool


def narrow_side(side: Side, old: Any, new: Any) -> Both:
    """Return the schemas of one side without their equal parts.

    Args:
        side: The side.
        old: The old schema.
        new: The new schema, which differs.
    """
    same = same_members(old, new)
    plain = differ_plainly(old, new, same)
    return Both(side, *(narrowed(old, new, same) if same else (old, new)), same, plain)


def sketch_tools(
    old: ToolPlan, new: ToolPlan, changed: Sequence[Both]
) -> tuple[ToolPlan, ToolPlan]:
    """Return both tools with types of changed parts, and of parts that name them.

    Args:
        old: The old tool.
        new: The new tool.
        changed: The sides whose schemas changed.
    """
    plain = all(each.plain for each in changed)
    names = {each.side: each.same for each in changed}
    others = SCHEMAS.values()
    before, after = (
        {key: each for key, each in plan.raw.items() if key not in others}
        for plan in (old, new)
    )
    before["inputSchema"] = after["inputSchema"] = {}
    for side, key in SCHEMAS.items():
        pair = old.raw.get(key), new.raw.get(key)
        if side not in names and (plain or is_classless(pair[0])):
            continue
        same = names[side] if side in names else same_members(*pair)
        before[key], after[key] = sketched(*pair, same, plain=plain)
    none: list[object] = []
    samples = (none, none) if plain else (old.samples, new.samples)
    return (
        replace(old, raw=_present(before), samples=samples[0]),
        replace(new, raw=_present(after), samples=samples[1]),
    )


def _present(raw: dict[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in raw.items() if each is not None}
