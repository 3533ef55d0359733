"""Compares the enums and the bounds of two branches of one type."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcp_bindgen.contract.bounds import SAFE, compare_bounds, keyword_of
from mcp_bindgen.contract.model import ABSENT, SchemaChange
from mcp_bindgen.contract.values import outside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.contract.model import Path, Side
    from mcp_bindgen.contract.shape import Branch

__all__ = ["compare_scalars"]

# No real integer is below the first or above the second.
_ENDS: Mapping[str, float] = {"low": -SAFE, "high": SAFE}


def compare_scalars(
    side: Side, old: Branch, new: Branch, path: Path
) -> Iterator[SchemaChange]:
    """Yield the differences of two branches of one type, without their members.

    Args:
        side: `in` for arguments, `out` for results.
        old: The old branch.
        new: The new branch.
        path: The steps to the value.
    """
    prefix = "PARAM_" if side == "in" else "FIELD_"
    at = new.pointer
    if old.kind != new.kind:  # an integer is a number
        rule = "TYPE_WIDENED" if new.kind == "number" else "TYPE_NARROWED"
        yield SchemaChange(prefix + rule, path, at, [old.kind], [new.kind])
    yield from _values(prefix, old, new, path)
    compared = [("CONSTRAINT", old.other, new.other)]
    if old.values is None and new.values is None:  # values were tried on both
        yield from _bounds(prefix, old, new, path)
        compared.insert(0, ("PATTERN", old.patterns, new.patterns))
    for name, before, after in compared:
        if before != after:
            rule, unsure = _way(before, after)
            texts = [sorted(each) or ABSENT for each in (before, after)]
            rule = f"{prefix}{name}_{rule}"
            yield SchemaChange(rule, path, at, *texts, unsure=unsure)
    if old.formats != new.formats:
        texts = [sorted(side.formats) or ABSENT for side in (old, new)]
        yield SchemaChange(f"{prefix}FORMAT_CHANGED", path, at, *texts)


def _way(before: frozenset[str], after: frozenset[str]) -> tuple[str, bool]:
    """Return how two sets of constraints differ, and whether that is undecided."""
    lifted, imposed = before - after, after - before
    if lifted and imposed:
        return "CHANGED", True
    return "LIFTED" if lifted else "IMPOSED", False


def _values(
    prefix: str, old: Branch, new: Branch, path: Path
) -> Iterator[SchemaChange]:
    before, after = old.values, new.values
    if before is None and after is None:
        return
    if before is not None and after is None:
        # The type or the bounds of the new schema may still refuse a listed value.
        others = outside(before, new.bounds, new.patterns)
        if others and prefix == "PARAM_":
            yield _listed(prefix + "ENUM_VALUE_REMOVED", path, new, others, frozenset())
        yield _listed(prefix + "ENUM_LIFTED", path, new, before, None)
    elif before is None and after is not None:
        # A listed value may be one that the old type or bounds refused.
        others = outside(after, old.bounds, old.patterns)
        if others and prefix == "FIELD_":
            yield _listed(prefix + "ENUM_VALUE_ADDED", path, new, frozenset(), others)
        yield _listed(prefix + "ENUM_IMPOSED", path, new, None, after)
    elif before is not None and after is not None:
        if before - after:
            rule = prefix + "ENUM_VALUE_REMOVED"
            yield _listed(rule, path, new, before - after, frozenset())
        if after - before:
            rule = prefix + "ENUM_VALUE_ADDED"
            yield _listed(rule, path, new, frozenset(), after - before)


def _listed(
    rule: str,
    path: Path,
    new: Branch,
    before: frozenset[str] | None,
    after: frozenset[str] | None,
) -> SchemaChange:
    sides = [
        ABSENT if texts is None else [json.loads(text) for text in sorted(texts)]
        for texts in (before, after)
    ]
    return SchemaChange(rule, path, new.pointer, *sides)


def _bounds(
    prefix: str, old: Branch, new: Branch, path: Path
) -> Iterator[SchemaChange]:
    """Yield one change for the bounds that are tighter, and one for the looser."""
    changes = compare_bounds(old.bounds, new.bounds)
    by_rule: dict[str, list[str]] = {}
    for name, way in changes.items():
        # No integer of a JSON reader reaches the bounds in _ENDS.
        is_vacuous = all(
            bound is None or (new.kind == "integer" and bound.value == _ENDS.get(name))
            for bound in (old.bounds.get(name), new.bounds.get(name))
        )
        rule = {"tightened": "BOUND_TIGHTENED", "loosened": "BOUND_LOOSENED"}.get(way)
        rule = "BOUND_VACUOUS" if is_vacuous and name != "step" else rule
        for each in [rule] if rule else ["BOUND_TIGHTENED", "BOUND_LOOSENED"]:
            by_rule.setdefault(each, []).append(name)
    for rule, names in by_rule.items():
        sides = [
            dict(
                keyword_of(side.kind, name, side.bounds[name])
                for name in names
                if name in side.bounds
            )
            for side in (old, new)
        ]
        yield SchemaChange(prefix + rule, path, new.pointer, *sides)
