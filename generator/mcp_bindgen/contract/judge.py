"""Compares the schemas of two tools, and grades each change on both axes.

changed = schemas of each side that changed, without the equal parts
changes = compare(old, new)              the differences of two schemas
breaks  = compare_tools(old, new)        the same for the generated code
proofs  = find_witness(change)           a value that was valid and is not
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.contract.compare import compare
from mcp_bindgen.contract.model import (
    ABSENT,
    SCHEMAS,
    Grade,
    Path,
    SchemaChange,
    Side,
    Step,
    fingerprint,
    show_path,
)
from mcp_bindgen.contract.pair import Pair
from mcp_bindgen.contract.plain import Types, plain_tool
from mcp_bindgen.contract.rules import rules
from mcp_bindgen.contract.shape import read_side, root_parts
from mcp_bindgen.contract.sketch import Both, narrow_side, sketch_tools
from mcp_bindgen.contract.source import Break, compare_tools
from mcp_bindgen.contract.witness import find_witness, is_combined, refute, trial
from mcp_bindgen.limits import Budget
from mcp_bindgen.pipeline.tool import build
from mcp_bindgen.schema.document import are_equal, packed
from mcp_bindgen.schema.node import is_object, with_inner

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mcp_bindgen.contract.shape import ShapedDocument
    from mcp_bindgen.contract.witness import Trial
    from mcp_bindgen.limits import Limits
    from mcp_bindgen.pipeline.plan import ToolPlan
    from mcp_bindgen.python.expressions import Expr

__all__ = ["Judged", "Known", "judge"]

_WORDS = ("_DESCRIPTION_CHANGED", "_DEFAULT_CHANGED", "_TEXT_CHANGED")
_NESTED = 2  # steps of a path into a model within a model


class Judged(NamedTuple):
    """One change of a schema, and who breaks by it.

    Attributes:
        side: The side that it is on.
        change: The change.
        source: Its grade in source; None for that of its rule.
        witness: A value that was valid and is not, or `ABSENT`.
    """

    side: Side
    change: SchemaChange
    source: Grade | None
    witness: Any


@dataclass(frozen=True, slots=True)
class Known:
    """The facts that many tools of two recordings share.

    Attributes:
        judged: The changes of schemas by the bytes of both tools' schemas.
        types: The types of parameters by their schemas.
    """

    judged: dict[bytes, tuple[Judged, ...]] = field(
        default_factory=dict[bytes, "tuple[Judged, ...]"]
    )
    types: Types = field(default_factory=dict[bytes, "Expr"])


class _Sides(NamedTuple):
    """The documents of one side, of which either may be absent."""

    side: Side
    old: ShapedDocument | None
    new: ShapedDocument | None


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
        known.judged[key] = tuple(_judged((old, new), changed, known.types, limits))
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
    types: Types,
    limits: Limits,
) -> Iterator[Judged]:
    sides = [
        _Sides(b.side, *(read_side(b.side, schema) for schema in (b.old, b.new)))
        for b in changed
    ]
    compared = [[*_changes(each)] for each in sides]
    same = _are_worded(sides, compared)
    breaks: list[Break] = []
    if not same and all(each.plain for each in changed):
        old, new = (plain_tool(plan, types, limits) for plan in plans)
        breaks += compare_tools(old, new)
    elif not same:
        breaks += _breaks(*plans, sides, limits)
    for each, changes in zip(sides, compared, strict=True):
        own = [broken for broken in breaks if broken.side == each.side]
        yield from _graded(each, changes, own)


def _are_worded(
    sides: Sequence[_Sides], compared: Sequence[Sequence[SchemaChange]]
) -> bool:
    """Return whether only texts differ, which change no type."""
    # Words of a nested model may tell it from another one, so that both get new names.
    listed = [change for changes in compared for change in changes]
    is_outer = all(len(c.path) < _NESTED and c.rule.endswith(_WORDS) for c in listed)
    return is_outer and all(_is_worded(each) for each in sides)


def _is_worded(sides: _Sides) -> bool:
    """Return whether only texts differ on one side."""
    old, new = sides[1:]
    return bool(old and new and _wordless(old.root) == _wordless(new.root))


def _wordless(schema: Any) -> Any:
    """Return a schema without descriptions, examples and defaults."""
    if not is_object(schema):
        return schema
    return {
        key: value
        for key, value in with_inner(schema, _wordless).items()
        if key not in {"description", "examples", "default", "deprecated"}
    }


def _changes(sides: _Sides) -> Iterator[SchemaChange]:
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
    old: ToolPlan, new: ToolPlan, sides: Sequence[_Sides], limits: Limits
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


def _graded(
    sides: _Sides, changes: Sequence[SchemaChange], breaks: Sequence[Break]
) -> Iterator[Judged]:
    """Yield the changes of one side, graded, then those that only Python's types show.

    A change breaks source where its rule says so and the generated code differs there.
    """
    table, side = rules(), sides.side
    explained = set[Break]()
    # A witness costs most of the time: it is looked for only where a rule breaks wire.
    needs_proof = any(table[change.rule].wire == "breaking" for change in changes)
    tried = _trial(sides) if needs_proof else None
    for change in changes:
        paths = _paths(change)
        near = [b for b in breaks if any(_are_related(b.path, p) for p in paths)]
        source: Grade | None = None
        if table[change.rule].source == "breaking":
            explained.update(near)
            source = "breaking" if near else "compatible"
        witness = ABSENT
        if tried and table[change.rule].wire == "breaking":
            witness = find_witness(tried, change)
        yield Judged(side, change, source, witness)
    # The generated code differs where no schema rule says so, as by a new name.
    for each in breaks:
        if each not in explained:
            change = SchemaChange(each.rule, each.path, "", each.old, each.new)
            yield Judged(side, change, None, ABSENT)
    # Where no rule breaks wire, a refused instance shows what the rules did not see.
    if not any(table[change.rule].wire_strict == "breaking" for change in changes):
        yield from _refuted(sides)


def _refuted(sides: _Sides) -> Iterator[Judged]:
    """Yield a change that only a value proves: the schemas seem compatible."""
    if not _are_hard(sides) or not (tried := _trial(sides)):
        return
    witness = refute(tried)
    if witness is not ABSENT:
        prefix = "PARAM_" if sides.side == "in" else "FIELD_"
        change = SchemaChange(f"{prefix}CONSTRAINT_CHANGED", (), "")
        yield Judged(sides.side, change, None, witness)


def _paths(change: SchemaChange) -> tuple[Path, ...]:
    """Return the path of a change; of a renamed part, also the path by its new name."""
    if "RENAMED" in change.rule:
        return change.path, (*change.path[:-1], Step("name", str(change.new)))
    return (change.path,)


def _are_related(one: Path, other: Path) -> bool:
    """Return whether one path leads into the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _are_hard(sides: _Sides) -> bool:
    """Return whether the comparison may have missed something.

    They have keywords that combine schemas, and differ in more than texts.
    """
    _, old, new = sides
    if old is None or new is None or not (is_combined(old) or is_combined(new)):
        return False
    return not _is_worded(sides)


def _trial(sides: _Sides) -> Trial | None:
    """Return the search for witnesses, None where a schema is missing or unreadable."""
    side, old, new = sides
    if old is None or new is None:
        return None
    return trial(old, new) if side == "in" else trial(new, old)
