"""Grades the changes of the schemas of one side, with proofs.

needs   = changes whose rule breaks wire     each may have a witness
near    = generated code that differs there  so that source breaks, too
refuted = a value that no rule explains      where schemas are combined
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.contract.constraints import wordless
from mcp_bindgen.contract.model import ABSENT, Grade, Path, SchemaChange, Side, Step
from mcp_bindgen.contract.pair import differ_in_order
from mcp_bindgen.contract.rules import rules
from mcp_bindgen.contract.source import Break
from mcp_bindgen.contract.trial import trial
from mcp_bindgen.contract.witness import find_witness, is_combined, refute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mcp_bindgen.contract.effort import Effort
    from mcp_bindgen.contract.shape import ShapedDocument
    from mcp_bindgen.contract.trial import Trial

__all__ = ["Judged", "Sides", "graded", "is_worded", "unexplained"]


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


class Sides(NamedTuple):
    """The documents of one side, of which either may be absent."""

    side: Side
    old: ShapedDocument | None
    new: ShapedDocument | None


def is_worded(sides: Sides) -> bool:
    """Return whether only texts differ on one side."""
    old, new = sides[1:]
    return bool(old and new and _wordless(old) == _wordless(new))


def _wordless(document: ShapedDocument) -> Any:
    return wordless(document.root, document.root)


def graded(
    sides: Sides,
    changes: Sequence[SchemaChange],
    breaks: Sequence[Break],
    effort: Effort,
) -> Iterator[Judged]:
    """Yield the changes of one side, graded, then those that only Python's types show.

    A change breaks source where its rule says so and the generated code differs there.

    Args:
        sides: The documents.
        changes: Their differences.
        breaks: The differences of the generated code.
        effort: The work that is left for proofs; it shrinks.
    """
    table, side = rules(), sides.side
    explained, by_start = set[Break](), _by_start(breaks)
    # A witness costs most of the time: it is looked for only where a rule breaks wire.
    to_prove = [c.unsure for c in changes if table[c.rule].wire == "breaking"]
    tried = _trial(sides, effort) if to_prove else None
    near_by_schema = _near_by_schema(changes, breaks, by_start)
    for change in changes:
        near = near_by_schema[_schema_key(change)]
        source: Grade | None = None
        if table[change.rule].source == "breaking":
            explained.update(near)
            source = "breaking" if near else "compatible"
        witness = ABSENT
        if tried and table[change.rule].wire == "breaking":
            share = effort.decide if change.unsure else effort.share
            witness = find_witness(tried, change, share(to_prove.count(change.unsure)))
        yield Judged(side, change, source, witness)
    # The generated code differs where no schema rule says so, as by a new name.
    yield from unexplained(each for each in breaks if each not in explained)
    # Where no rule breaks wire, a refused instance shows what the rules did not see.
    if not any(table[change.rule].wire_strict == "breaking" for change in changes):
        yield from _refuted(sides, effort)


def unexplained(breaks: Iterable[Break]) -> Iterator[Judged]:
    """Yield the differences of the generated code that no change of a schema explains.

    Args:
        breaks: The differences.
    """
    for each in breaks:
        change = SchemaChange(each.rule, each.path, "", each.old, each.new)
        yield Judged(each.side, change, None, ABSENT)


def _refuted(sides: Sides, effort: Effort) -> Iterator[Judged]:
    """Yield a change that only a value proves: the schemas seem compatible.

    Without a step left to look for one, the change is undecided.
    """
    if not _are_hard(sides) or not (tried := _trial(sides, effort)):
        return
    witness = refute(tried)
    if witness is not ABSENT or not tried.may_go_on():
        prefix = "PARAM_" if sides.side == "in" else "FIELD_"
        change = SchemaChange(f"{prefix}CONSTRAINT_CHANGED", (), "")
        yield Judged(sides.side, change, None, witness)


def _by_start(breaks: Sequence[Break]) -> dict[Path, list[Break]]:
    """Return the differences of the generated code by the first step to them."""
    by_start: dict[Path, list[Break]] = {}
    for each in breaks:
        by_start.setdefault(each.path[:1], []).append(each)
    return by_start


def _near_by_schema(
    changes: Sequence[SchemaChange],
    breaks: Sequence[Break],
    by_start: Mapping[Path, Sequence[Break]],
) -> dict[tuple[object, ...], list[Break]]:
    """Return the differences of the generated code for each schema that changed.

    References lead several paths to one schema. Its class is compared at one of them,
    and callers use it at all.
    """
    near: dict[tuple[object, ...], list[Break]] = {}
    for change in changes:
        known = near.setdefault(_schema_key(change), [])
        known += _near(change, breaks, by_start)
    return near


def _schema_key(change: SchemaChange) -> tuple[object, ...]:
    """Return what the changes of one schema have in common, whatever path leads there.

    The last step counts: a required member may have no schema of its own.
    """
    return change.rule, change.pointer, change.path[-1:]


def _near(
    change: SchemaChange,
    breaks: Sequence[Break],
    by_start: Mapping[Path, Sequence[Break]],
) -> list[Break]:
    """Return the differences of the generated code at the path of a change."""
    near: list[Break] = []
    for path in _paths(change):
        at_root = by_start.get((), ())
        same = (*by_start.get(path[:1], ()), *at_root) if path else breaks
        near += (each for each in same if _are_related(each.path, path))
    return near


def _paths(change: SchemaChange) -> tuple[Path, ...]:
    """Return the path of a change; of a renamed part, also the path by its new name."""
    if "RENAMED" in change.rule:
        return change.path, (*change.path[:-1], Step("name", str(change.new)))
    return (change.path,)


def _are_related(one: Path, other: Path) -> bool:
    """Return whether one path leads into the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _are_hard(sides: Sides) -> bool:
    """Return whether the comparison may have missed something.

    They have keywords that combine schemas, and differ in more than texts.
    """
    _, old, new = sides
    if old is None or new is None or not (is_combined(old) or is_combined(new)):
        return False
    roots = [_wordless(old)], [_wordless(new)]
    return roots[0] != roots[1] and not differ_in_order(*roots, ({}, {}))


def _trial(sides: Sides, effort: Effort) -> Trial | None:
    """Return the search for witnesses, None where a schema is missing or unreadable."""
    side, old, new = sides
    if old is None or new is None:
        return None
    source, target = (old, new) if side == "in" else (new, old)
    return trial(source, target, effort)
