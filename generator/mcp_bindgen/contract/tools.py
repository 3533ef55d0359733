"""Compares two versions of one tool: texts, hints, schemas, generated code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.findings import finding
from mcp_bindgen.contract.hints import compare_hints
from mcp_bindgen.contract.judge import judge
from mcp_bindgen.contract.model import ABSENT, SCHEMAS, Change, SchemaChange
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import are_equal
from mcp_bindgen.schema.node import SchemaError, mapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.contract.judge import Known
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import ToolPlan

__all__ = ["NOT_COMPARED", "compare_tool"]

NOT_COMPARED = "TOOL_NOT_COMPARED"
"""The rule of a tool of which no types can be made, so that nobody can compare it."""

_WORDS = {
    "title": "TOOL_TITLE_CHANGED",
    "description": "TOOL_DESCRIPTION_CHANGED",
    "icons": "TOOL_ICONS_CHANGED",
}


def compare_tool(
    old: ToolPlan, new: ToolPlan, known: Known, limits: Limits
) -> Iterator[Change]:
    """Yield the changes of one tool.

    Args:
        old: The tool in the old recording.
        new: The same tool in the new one; its name may be spelled in another way.
        known: The changes of schemas that were compared before.
        limits: The limits of the generator, for the types of both.
    """
    before, after = old.raw, new.raw
    if are_equal(before, after) and old.function == new.function:
        return
    yield from _members(old, new)
    yield from compare_hints(old, new)
    try:
        judged = judge(old, new, known, limits)
    except SchemaError as error:
        change = SchemaChange(NOT_COMPARED, (), error.pointer, "", error.message)
        yield finding(old, change, unsure=True)
        return
    for each in judged:
        made = finding(old, each.change, each.side)
        source = each.source or made.source
        unsure = made.unsure and each.witness is ABSENT
        if source == made.source and each.witness is ABSENT:
            yield made
        else:
            yield replace(made, source=source, witness=each.witness, unsure=unsure)


def _members(old: ToolPlan, new: ToolPlan) -> Iterator[Change]:
    """Yield the changes of a tool's words, of its tasks, and of unknown members."""
    before, after = old.raw, new.raw
    for key in sorted({*before, *after} - {*SCHEMAS.values(), "name", "annotations"}):
        values = before.get(key, ABSENT), after.get(key, ABSENT)
        if values[0] is not ABSENT and values[1] is not ABSENT:
            if are_equal(*values):
                continue
        elif values[0] is values[1]:
            continue
        rule = _WORDS.get(key, "TOOL_META_CHANGED")
        if key == "execution":
            rule = "TOOL_EXECUTION_CHANGED"
            values = _task(before), _task(after)
            if values[1] == "required" != values[0]:
                rule = "TOOL_TASK_NOW_REQUIRED"
        yield finding(old, SchemaChange(rule, (), child("", key), *values))


def _task(raw: dict[str, Any]) -> Any:
    return mapped(raw.get("execution")).get("taskSupport", ABSENT)
