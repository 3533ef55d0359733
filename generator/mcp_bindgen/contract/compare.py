"""Two schemas to their differences, each with its rule and its path.

Arguments are compared as callers send them: the new schema must accept what the old
one accepts. Results are compared as callers read them: the other way round. The names
of the rules say which, `PARAM_...` or `FIELD_...`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mcp_bindgen.contract.members import Inner, compare_arrays, compare_objects
from mcp_bindgen.contract.model import ABSENT, SchemaChange
from mcp_bindgen.contract.normal import shape_of
from mcp_bindgen.contract.pair import are_same
from mcp_bindgen.contract.rules import is_breaking, rules
from mcp_bindgen.contract.scalars import compare_scalars
from mcp_bindgen.contract.values import listed_values
from mcp_bindgen.schema.document import canonical
from mcp_bindgen.schema.node import mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mcp_bindgen.contract.model import Path
    from mcp_bindgen.contract.pair import Pair
    from mcp_bindgen.contract.shape import Branch, Parts, Shape

__all__ = ["compare"]

_WORDS = {
    "title": "TITLE_CHANGED",
    "description": "DESCRIPTION_CHANGED",
    "default": "DEFAULT_CHANGED",
    "examples": "TEXT_CHANGED",
    "deprecated": "TEXT_CHANGED",
    "example": "TEXT_CHANGED",
    "$comment": "TEXT_CHANGED",
}


def compare(
    pair: Pair,
    old: Parts,
    new: Parts,
    path: Path = (),
    visited: frozenset[Any] = frozenset(),
) -> Iterator[SchemaChange]:
    """Yield the differences of two schemas.

    Args:
        pair: Their documents.
        old: The old schema.
        new: The new schema.
        path: The steps to the value that they are for.
        visited: Schemas that are being compared further out: recursive ones end there.
    """
    # Schemas are the same objects each time, so that their ids tell recursion.
    key = (*(id(part.node) for part in old), 0, *(id(part.node) for part in new))
    if key in visited or are_same(pair, old, new):
        return
    # Counted work, so that every machine gives up at the same schema.
    if pair.steps <= 0:
        pointer = new[0].pointer if new else ""
        yield SchemaChange(f"{pair.prefix}UNDECIDED", path, pointer, unsure=True)
        return
    pair.steps -= 1
    before, after = shape_of(pair.old, old), shape_of(pair.new, new)
    yield from _words(pair, before, after, path)
    if before.is_any or after.is_any:
        yield from _any(pair, before, after, path)
        return
    yield from _kinds(pair, before, after, path)
    olds, news = _by_kind(before), _by_kind(after)
    for kind in [kind for kind in olds if kind in news and kind != "null"]:
        if len(olds[kind]) == len(news[kind]) == 1:
            yield from _branch(
                pair, olds[kind][0], news[kind][0], path, visited | {key}
            )
        else:
            yield from _union(pair, olds[kind], news[kind], path, visited | {key})


def _any(pair: Pair, before: Shape, after: Shape, path: Path) -> Iterator[SchemaChange]:
    """Yield the change from or to a schema that every value fits."""
    if before.is_any and after.is_any:
        return
    narrowed = "TYPE_NARROWED" if pair.side == "out" else "ANY_NARROWED"
    rule = narrowed if before.is_any else "TYPE_WIDENED"
    yield _retyped(pair, rule, before, after, path)


def _retyped(
    pair: Pair, rule: str, before: Shape, after: Shape, path: Path
) -> SchemaChange:
    """Return a change of the types of a value."""
    names = [
        ["any"] if shape.is_any else sorted({b.kind for b in shape.branches})
        for shape in (before, after)
    ]
    return SchemaChange(f"{pair.prefix}{rule}", path, after.pointer, *names)


def _words(
    pair: Pair, before: Shape, after: Shape, path: Path
) -> Iterator[SchemaChange]:
    for word, rule in _WORDS.items():
        old, new = (side.words.get(word, ABSENT) for side in (before, after))
        if _text(old) != _text(new):
            yield SchemaChange(f"{pair.prefix}{rule}", path, after.pointer, old, new)
    # Header fields repeat arguments only.
    old, new = (side.words.get("x-mcp-header", ABSENT) for side in (before, after))
    if pair.side == "in" and _text(old) != _text(new):
        rule = "PARAM_HEADER_LIFTED" if new is ABSENT else "PARAM_HEADER_CHANGED"
        yield SchemaChange(rule, path, after.pointer, old, new)


def _text(value: object) -> str:
    return "" if value is ABSENT else canonical(value)


def _kinds(
    pair: Pair, before: Shape, after: Shape, path: Path
) -> Iterator[SchemaChange]:
    """Yield how the types of a value differ; an integer is a number here."""
    old, new = ({*_by_kind(shape)} for shape in (before, after))
    if ("null" in old) != ("null" in new):
        rule = "NULL_ADDED" if "null" in new else "NULL_REMOVED"
        values = "null" in old, "null" in new
        yield SchemaChange(f"{pair.prefix}{rule}", path, after.pointer, *values)
    removed, added = old - new - {"null"}, new - old - {"null"}
    if removed or added:
        rule = "TYPE_NARROWED" if not added else "TYPE_WIDENED"
        rule = "TYPE_CHANGED" if removed and added else rule
        yield _retyped(pair, rule, before, after, path)


def _by_kind(shape: Shape) -> dict[str, list[Branch]]:
    """Return the branches by their type; integers are numbers."""
    groups: dict[str, list[Branch]] = {}
    for branch in shape.branches:
        kind = "number" if branch.kind == "integer" else branch.kind
        groups.setdefault(kind, []).append(branch)
    return groups


def _branch(
    pair: Pair, old: Branch, new: Branch, path: Path, visited: frozenset[Any]
) -> Iterator[SchemaChange]:
    """Compare two branches of one type."""
    yield from compare_scalars(pair.side, old, new, path)
    if old.kind == "array":
        inner: Iterator[SchemaChange | Inner] = compare_arrays(old, new, path)
    elif old.kind == "object":
        inner = compare_objects(pair.side, old, new, path)
    else:
        return
    for each in inner:
        if isinstance(each, Inner):
            yield from compare(pair, *each, visited)
        else:
            yield each


def _union(
    pair: Pair,
    olds: Sequence[Branch],
    news: Sequence[Branch],
    path: Path,
    visited: frozenset[Any],
) -> Iterator[SchemaChange]:
    """Compare several branches of one type: first the partners, then the others."""
    matched, removed, added = _matched(pair, olds, news, path, visited)
    if len(removed) == len(added) == 1:
        matched, removed, added = [*matched, (removed[0], added[0])], [], []
    # The side that values come from must be covered by the other.
    others = news if pair.side == "in" else olds
    covered = partial(_covered, pair, others, path, visited)
    for old, new in matched:
        changes = [*_branch(pair, old, new, path, visited)]
        yield from _unless_covered(changes, covered, old if pair.side == "in" else new)
    covers = [(b, covered(b)) for b in (removed if pair.side == "in" else added)]
    uncovered = [branch for branch, cover in covers if cover is None]
    yield from (change for _, cover in covers for change in cover or ())
    removed, added = (uncovered, added) if pair.side == "in" else (removed, uncovered)
    if removed or added:
        rule = _union_rule(pair, removed=bool(removed), added=bool(added))
        before, after = sorted(map(_name, olds)), sorted(map(_name, news))
        at = news[0].pointer
        yield SchemaChange(f"{pair.prefix}{rule}", path, at, before, after)


def _union_rule(pair: Pair, *, removed: bool, added: bool) -> str:
    """Return the rule for the removed and the added branches of a union."""
    if removed and added and pair.side == "in":
        return "UNION_CHANGED"
    return "TYPE_WIDENED" if added else "TYPE_NARROWED"


def _unless_covered(
    changes: Sequence[SchemaChange],
    covered: Callable[[Branch], list[SchemaChange] | None],
    branch: Branch,
) -> Sequence[SchemaChange]:
    """Return the changes of a branch; none breaks where another takes its values."""
    is_broken = any(is_breaking(change.rule) for change in changes)
    cover = covered(branch) if is_broken else None
    if cover is None:
        return changes
    return [*(change for change in changes if not is_breaking(change.rule)), *cover]


def _covered(
    pair: Pair,
    others: Sequence[Branch],
    path: Path,
    visited: frozenset[Any],
    branch: Branch,
) -> list[SchemaChange] | None:
    """Return the findings where a branch of the other side takes all of one's values.

    Returns:
        The fewest changes that break by the letter only; None if no branch does.
    """
    ways = [
        (branch, other) if pair.side == "in" else (other, branch) for other in others
    ]
    covers = [_cover(pair, path, visited, *way) for way in ways]
    by_letter = [changes for changes in covers if changes is not None]
    return min(by_letter, key=len) if by_letter else None


def _cover(
    pair: Pair, path: Path, visited: frozenset[Any], old: Branch, new: Branch
) -> list[SchemaChange] | None:
    """Return the findings for one branch that takes the place of another one.

    Returns:
        The changes that break by the letter of JSON Schema, though not in practice;
        None if a change breaks in practice, so that the new branch is no replacement.
    """
    changes = [*_branch(pair, old, new, path, visited)]
    if any(is_breaking(change.rule) for change in changes):
        return None
    return [c for c in changes if rules()[c.rule].wire_strict == "breaking"]


def _matched(
    pair: Pair,
    olds: Sequence[Branch],
    news: Sequence[Branch],
    path: Path,
    visited: frozenset[Any],
) -> tuple[list[tuple[Branch, Branch]], list[Branch], list[Branch]]:
    """Return pairs of branches that are the same one, and those without a partner."""
    pairs: list[tuple[Branch, Branch]] = []
    removed, added = [*olds], [*news]
    for step in ("equal", "tag", "title"):
        for old in [*removed]:
            for new in added:
                if step == "equal":
                    is_same = not any(_branch(pair, old, new, path, visited))
                elif step == "tag":
                    is_same = bool(_tag(old)) and _tag(old) == _tag(new)
                else:
                    is_same = bool(old.title) and old.title == new.title
                if is_same:
                    pairs.append((old, new))
                    removed.remove(old)
                    added.remove(new)
                    break
    return pairs, removed, added


def _tag(branch: Branch) -> tuple[object, ...]:
    """Return the constants among the members of an object, which name its branch."""
    listed = (
        (name, listed_values(mapped(part.node)))
        for name, parts in sorted(branch.properties.items())
        for part in parts
    )
    return tuple((name, *texts) for name, texts in listed if texts and len(texts) == 1)


def _name(branch: Branch) -> str:
    """Return how a message names a branch."""
    if branch.values:
        return " | ".join(sorted(branch.values))
    return branch.title or branch.kind
