"""Compares the schemas of two tools, and grades each change on both axes.

changed = schemas of each side that changed, without the equal parts
changes = compare(old, new)              the differences of two schemas
breaks  = compare_tools(old, new)        the same for the generated code
judged  = graded(changes, breaks)        with a value that was valid and is not
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mcp_bindgen.contract.compare import compare
from mcp_bindgen.contract.effort import Effort
from mcp_bindgen.contract.grading import Judged, Sides, graded, is_worded, unexplained
from mcp_bindgen.contract.model import (
    SCHEMAS,
    SchemaChange,
    fingerprint,
    show_path,
)
from mcp_bindgen.contract.pair import Pair
from mcp_bindgen.contract.plain import Types, plain_tool
from mcp_bindgen.contract.shape import read_side, root_parts
from mcp_bindgen.contract.sketch import Both, narrow_side, sketch_tools
from mcp_bindgen.contract.source import Break, compare_tools
from mcp_bindgen.limits import Budget
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.schema.document import are_equal, packed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import ToolPlan
    from mcp_bindgen.python.expressions import Expr

__all__ = ["Judged", "Known", "judge"]

_WORDS = ("_DESCRIPTION_CHANGED", "_DEFAULT_CHANGED", "_TEXT_CHANGED")
_NESTED = 2  # steps of a path into a model within a model


@dataclass(frozen=True, slots=True)
class Known:
    """The facts that many tools of two recordings share.

    Attributes:
        judged: The changes of schemas by the bytes of both tools' schemas.
        types: The types of parameters by their schemas.
        effort: The work that is left for proofs.
    """

    judged: dict[bytes, tuple[Judged, ...]] = field(
        default_factory=dict[bytes, "tuple[Judged, ...]"]
    )
    types: Types = field(default_factory=dict[bytes, "Expr"])
    effort: Effort = field(default_factory=Effort)


def judge(
    old: ToolPlan, new: ToolPlan, known: Known, limits: Limits
) -> tuple[Judged, ...]:
    """Return the changes of the schemas of one tool, graded.

    Args:
        old: The tool in the old recording.
        new: The same tool in the new one.
        known: The comparisons and types so far; it grows.
        limits: The limits of the generator, for the types of both.

    Raises:
        SchemaError: A schema of one of them cannot become types.
    """
    changed = [
        narrow_side(side, *(plan.raw.get(key) for plan in (old, new)))
        for side, key in SCHEMAS.items()
        if not are_equal(old.raw.get(key), new.raw.get(key))
    ]
    if not changed:
        return ()
    old, new = sketch_tools(old, new, changed)
    key = _key(old, new, changed)
    if key not in known.judged:
        known.judged[key] = tuple(_judged((old, new), changed, known, limits))
    return known.judged[key]


def _key(old: ToolPlan, new: ToolPlan, changed: Sequence[Both]) -> bytes:
    """Return the bytes of all that the changes of schemas depend on.

    The name of a tool counts where a schema may have the name of its class itself.
    """
    raws = [plan.raw.get(key) for plan in (old, new) for key in SCHEMAS.values()]
    data = packed([*raws, *(each[:3] for each in changed)])
    letters = data.lower().translate(None, b"_- ")
    names = [str(plan.function) for plan in (old, new)]
    is_free = all(name.replace("_", "").encode() not in letters for name in names)
    if is_free and names[0] == names[1] and not (old.samples or new.samples):
        return data
    answers = [old.samples, new.samples]
    return packed([data, names, [old.raw["name"], new.raw["name"]], answers])


def _judged(
    plans: tuple[ToolPlan, ToolPlan],
    changed: Sequence[Both],
    known: Known,
    limits: Limits,
) -> Iterator[Judged]:
    sides = [
        Sides(b.side, *(read_side(b.side, schema) for schema in (b.old, b.new)))
        for b in changed
    ]
    compared = [[*_changes(each)] for each in sides]
    same = _are_worded(sides, compared)
    breaks: list[Break] = []
    if not same and all(each.plain for each in changed):
        old, new = (plain_tool(plan, known.types, limits) for plan in plans)
        breaks += compare_tools(old, new)
    elif not same:
        breaks += _breaks(*plans, sides, limits)
    for each, changes in zip(sides, compared, strict=True):
        own = [broken for broken in breaks if broken.side == each.side]
        yield from graded(each, changes, own, known.effort)
    # Where two classes would share a name, a change of one side renames the other's.
    others = {*SCHEMAS} - {each.side for each in sides}
    yield from unexplained(broken for broken in breaks if broken.side in others)


def _are_worded(
    sides: Sequence[Sides], compared: Sequence[Sequence[SchemaChange]]
) -> bool:
    """Return whether only texts differ, which change no type."""
    # Words of a nested model may tell it from another one, so that both get new names.
    listed = [change for changes in compared for change in changes]
    is_outer = all(len(c.path) < _NESTED and c.rule.endswith(_WORDS) for c in listed)
    return is_outer and all(is_worded(each) for each in sides)


def _changes(sides: Sides) -> Iterator[SchemaChange]:
    """Yield the differences of the schemas of one side."""
    side, old, new = sides
    if old is None or new is None:
        rule = "OUTPUT_ADDED" if old is None else "OUTPUT_REMOVED"
        yield SchemaChange(rule, (), "", gone=old is not None)
        return
    reported = set[str]()
    for change in compare(Pair(side, old, new), root_parts(old), root_parts(new)):
        # Members of a union share a path: their values tell their changes apart.
        path = show_path(side, change.path)
        mark = fingerprint(change.rule, "", path, change.old, change.new)
        if mark not in reported:
            reported.add(mark)
            yield change


def _breaks(
    old: ToolPlan, new: ToolPlan, sides: Sequence[Sides], limits: Limits
) -> Iterator[Break]:
    """Yield the changes that break callers of the generated code."""
    plans = old, new
    if all(each.side == "in" for each in sides):
        bare = [
            build(_without_result(plan), Budget(limits, bare=True)) for plan in plans
        ]
        has_result = any(p.samples or "outputSchema" in p.raw for p in plans)
        # The classes of a result only depend on the names that those of arguments have.
        taken = {frozenset(type_.name for type_ in tool.types) for tool in bare}
        if not has_result or len(taken) == 1:
            yield from compare_tools(*bare)
            return
    yield from compare_tools(*(build(p, Budget(limits, bare=True)) for p in plans))


def _without_result(plan: ToolPlan) -> ToolPlan:
    raw = {key: value for key, value in plan.raw.items() if key != "outputSchema"}
    return replace(plan, raw=raw, samples=[])
