"""Compares the hints of two tools: a server's claims about their behaviour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.findings import finding
from mcp_bindgen.contract.model import ABSENT, Change, SchemaChange
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import are_equal
from mcp_bindgen.schema.node import mapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.pipeline.plan import ToolPlan

__all__ = ["compare_hints"]

_NAMED = {
    "readOnlyHint": "HINT_READ_ONLY",
    "destructiveHint": "HINT_DESTRUCTIVE",
    "idempotentHint": "HINT_IDEMPOTENT",
}
# The hint that is not true unless a tool says so is `false` where it is missing.
_ABSENT = {"destructiveHint": True, "openWorldHint": True}


def compare_hints(old: ToolPlan, new: ToolPlan) -> Iterator[Change]:
    """Yield the changes of a tool's annotations.

    Args:
        old: The old tool.
        new: The new tool.
    """
    before, after = (mapped(plan.raw.get("annotations")) for plan in (old, new))
    for key in sorted({*before, *after}):
        values = before.get(key, ABSENT), after.get(key, ABSENT)
        if ABSENT not in values and are_equal(*values):
            continue
        rule = _rule(key, *values)
        pointer = child("/annotations", key)
        gone = values[1] is ABSENT
        yield finding(old, SchemaChange(rule, (), pointer, *values, gone=gone))


def _rule(key: str, old: Any, new: Any) -> str:
    if key == "title":
        return "TOOL_TITLE_CHANGED"
    if key == "openWorldHint":
        return "HINT_OPEN_WORLD_CHANGED"
    if key not in _NAMED:
        return "TOOL_META_CHANGED"
    if new is True and (old is False or old is ABSENT):
        return f"{_NAMED[key]}_GAINED"
    # An absent hint means its default in the specification: so absent may be a change.
    usual = _ABSENT.get(key, False)
    if old is False and new is ABSENT and usual:
        return f"{_NAMED[key]}_GAINED"
    if (usual and new is False) or (old is True and not usual):
        return f"{_NAMED[key]}_LOST"
    return "HINT_OTHER_CHANGED"
