"""Compares one tool with what it has become: words, hints, schemas, generated code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.compare import Pair, compare
from mcp_bindgen.contract.findings import finding
from mcp_bindgen.contract.hints import compare_hints
from mcp_bindgen.contract.model import (
    ABSENT,
    Change,
    Path,
    SchemaChange,
    Side,
    Step,
)
from mcp_bindgen.contract.rules import rules
from mcp_bindgen.contract.shape import root_parts
from mcp_bindgen.contract.source import Break, compare_tools
from mcp_bindgen.contract.witness import Trial, find_witness, refute, trial
from mcp_bindgen.limits import Budget
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.runtime.json_pointer import child
from mcp_bindgen.schema.document import Document, canonical
from mcp_bindgen.schema.node import SchemaError, is_object, with_inner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import ToolPlan

__all__ = ["NOT_COMPARED", "compare_tool"]

NOT_COMPARED = "TOOL_NOT_COMPARED"
"""The rule of a tool of which no types can be made, so that nobody can compare it."""

_MEMBERS: dict[Side, str] = {"in": "inputSchema", "out": "outputSchema"}
_WORDS = {
    "title": "TOOL_TITLE_CHANGED",
    "description": "TOOL_DESCRIPTION_CHANGED",
    "icons": "TOOL_ICONS_CHANGED",
}
# Where the comparison is less sure, values are tried as well.
_COMBINING = (
    *("$ref", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties"),
    *("contains", "dependentRequired", "dependentSchemas", "unevaluatedProperties"),
)


def compare_tool(old: ToolPlan, new: ToolPlan, limits: Limits) -> Iterator[Change]:
    """Yield the changes of one tool.

    Args:
        old: The tool in the old recording.
        new: The same tool in the new one; its name may be spelled in another way.
        limits: The limits of the generator, for the types of both.
    """
    before, after = old.raw, new.raw
    if canonical(before) == canonical(after) and old.function == new.function:
        return
    yield from _members(old, new)
    yield from compare_hints(old, new)
    changed: list[Side] = [
        side for side in _MEMBERS if _is_changed(side, before, after)
    ]
    if not changed:
        return
    try:
        compared: dict[Side, list[SchemaChange]] = {
            side: [*_schemas(side, before, after)] for side in changed
        }
        same = all(_is_worded(side, before, after) for side in changed)
        breaks = [] if same else [*_breaks(old, new, limits)]
    except SchemaError as error:
        change = SchemaChange(NOT_COMPARED, (), error.pointer, "", error.message)
        yield finding(old, change, unsure=True)
        return
    for side, changes_ in compared.items():
        own = [each for each in breaks if each.side == side]
        yield from _graded(old, new, side, changes_, own)


def _is_changed(side: Side, before: dict[str, Any], after: dict[str, Any]) -> bool:
    schemas = [canonical(raw.get(_MEMBERS[side])) for raw in (before, after)]
    return schemas[0] != schemas[1]


def _is_worded(side: Side, before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Tell whether nothing but words that no type is made of differs."""
    old, new = (_wordless(raw.get(_MEMBERS[side])) for raw in (before, after))
    return bool(old == new)


def _wordless(schema: Any) -> Any:
    """Return a schema without descriptions, examples and defaults."""
    if not is_object(schema):
        return schema
    return {
        key: value
        for key, value in with_inner(schema, _wordless).items()
        if key not in {"description", "examples", "default", "deprecated"}
    }


def _members(old: ToolPlan, new: ToolPlan) -> Iterator[Change]:
    """Yield the changes of a tool's words, of its tasks, and of unknown members."""
    before, after = old.raw, new.raw
    for key in sorted({*before, *after} - {*_MEMBERS.values(), "name", "annotations"}):
        values = before.get(key, ABSENT), after.get(key, ABSENT)
        if values[0] is not ABSENT and values[1] is not ABSENT:
            if canonical(values[0]) == canonical(values[1]):
                continue
        elif values[0] is values[1]:
            continue
        rule = _WORDS.get(key, "TOOL_META_CHANGED")
        if key == "execution":
            rule = "TOOL_EXECUTION_CHANGED"
            if _task(after) == "required" != _task(before):
                rule = "TOOL_TASK_NOW_REQUIRED"
            values = _task(before), _task(after)
        yield finding(old, SchemaChange(rule, (), child("", key), *values))


def _task(raw: dict[str, Any]) -> Any:
    return raw.get("execution", {}).get("taskSupport", "forbidden")


def _schemas(
    side: Side, before: dict[str, Any], after: dict[str, Any]
) -> Iterator[SchemaChange]:
    """Yield the differences of the schemas of one side."""
    old, new = (raw.get(_MEMBERS[side]) for raw in (before, after))
    if not is_object(old) or not is_object(new):
        rule = "OUTPUT_REMOVED" if is_object(old) else "OUTPUT_ADDED"
        yield SchemaChange(rule, (), "", gone=is_object(old))
        return
    pair = Pair(side, Document.read(old), Document.read(new))
    seen = set[tuple[str, Path]]()
    for change in compare(pair, root_parts(pair.old), root_parts(pair.new)):
        if (change.rule, change.path) not in seen:
            seen.add((change.rule, change.path))
            yield change


def _breaks(old: ToolPlan, new: ToolPlan, limits: Limits) -> Iterator[Break]:
    """Yield what breaks callers of the generated code."""
    yield from compare_tools(build(old, Budget(limits)), build(new, Budget(limits)))


def _graded(
    old: ToolPlan,
    new: ToolPlan,
    side: Side,
    changes: Sequence[SchemaChange],
    breaks: Sequence[Break],
) -> Iterator[Change]:
    """Yield the changes of one side with both grades, and those that Python alone has.

    A change breaks source where its rule says so and the generated code differs there.
    """
    table = rules()
    explained = set[Break]()
    proofs = _Proofs.of(old, new, side)
    for change in changes:
        paths = _paths(change)
        near = [b for b in breaks if any(_are_related(b.path, p) for p in paths)]
        source = table[change.rule].source
        if source == "breaking":
            explained.update(near)
            source = "breaking" if near else "compatible"
        made = replace(finding(old, change, side), source=source)
        yield proofs.prove(made, change)
    for each in breaks:
        if each not in explained:
            yield finding(
                old, SchemaChange(each.rule, each.path, "", each.old, each.new), side
            )
    broken = any(rules()[change.rule].wire_strict == "breaking" for change in changes)
    if not broken and proofs.are_hard and (tried := proofs.trial()):
        witness = refute(tried)
        if witness is not ABSENT:
            prefix = "PARAM_" if side == "in" else "FIELD_"
            change = SchemaChange(f"{prefix}CONSTRAINT_CHANGED", (), "")
            yield replace(finding(old, change, side), witness=witness)


def _paths(change: SchemaChange) -> tuple[Path, ...]:
    """Return the path of a change; of one with a new name, also that with the name."""
    if "RENAMED" in change.rule:
        return change.path, (*change.path[:-1], Step("name", str(change.new)))
    return (change.path,)


def _are_related(one: Path, other: Path) -> bool:
    """Tell whether one path leads into the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


@dataclass(slots=True)
class _Proofs:
    """Finds witnesses for the changes of one side of a tool.

    Attributes:
        side: The side.
        schemas: The old and the new schema, of which either may be absent.
        are_hard: Whether the comparison may have missed something: keywords that
            combine schemas are there.
    """

    side: Side
    schemas: tuple[Any, Any]
    are_hard: bool
    tried: list[Trial | None]

    @classmethod
    def of(cls, old: ToolPlan, new: ToolPlan, side: Side) -> _Proofs:
        """Return what finds witnesses for one side of a tool."""
        schemas = old.raw.get(_MEMBERS[side]), new.raw.get(_MEMBERS[side])
        text = canonical([*schemas])
        are_hard = _wordless(schemas[0]) != _wordless(schemas[1])
        are_hard = are_hard and any(f'"{word}":' in text for word in _COMBINING)
        return cls(side, schemas, are_hard, [])

    def trial(self) -> Trial | None:
        """Return the compiled schemas, which only a change that breaks needs."""
        if not self.tried:
            old, new = self.schemas
            if is_object(old) and is_object(new):
                goes, takes = (old, new) if self.side == "in" else (new, old)
                self.tried.append(trial(Document.read(goes), Document.read(takes)))
            else:
                self.tried.append(None)
        return self.tried[0]

    def prove(self, made: Change, change: SchemaChange) -> Change:
        """Return a finding with its witness; one that was unsure may be sure now."""
        tried = self.trial() if made.wire == "breaking" else None
        if not tried:
            return made
        witness = find_witness(tried, change.path, change.rule)
        return replace(made, witness=witness, unsure=made.unsure and witness is ABSENT)
