"""Compares two branches of objects or arrays, one level deep.

Schemas inside of both are yielded as `Inner`, and compared by the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mcp_bindgen.contract.model import ABSENT, Path, SchemaChange, Side, Step
from mcp_bindgen.contract.normal import text_of
from mcp_bindgen.contract.renames import renamed
from mcp_bindgen.python.names import snake
from mcp_bindgen.schema.node import is_array, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcp_bindgen.contract.shape import Branch, Parts

__all__ = ["Inner", "compare_arrays", "compare_objects"]

_PREFIXES: Mapping[Side, str] = {"in": "PARAM_", "out": "FIELD_"}


class Inner(NamedTuple):
    """Two schemas for the same part of a value."""

    old: Parts
    new: Parts
    path: Path


class _Both(NamedTuple):
    """Two branches of objects, and the side that they are on."""

    side: Side
    old: Branch
    new: Branch


def compare_arrays(old: Branch, new: Branch, path: Path) -> Iterator[Inner]:
    """Yield the elements of two arrays.

    Args:
        old: The old branch.
        new: The new branch.
        path: The steps to the array.
    """
    for number in range(max(len(old.prefix), len(new.prefix))):
        before, after = (
            side.prefix[number] if number < len(side.prefix) else side.items
            for side in (old, new)
        )
        yield Inner(before, after, (*path, Step("item", str(number))))
    yield Inner(old.items, new.items, (*path, Step("items")))


def compare_objects(
    side: Side, old: Branch, new: Branch, path: Path
) -> Iterator[SchemaChange | Inner]:
    """Yield the differences of two objects, and the members that both have.

    Args:
        side: `in` for arguments, `out` for results.
        old: The old branch.
        new: The new branch.
        path: The steps to the object.
    """
    both = _Both(side, old, new)
    before, after = _declared(old), _declared(new)
    names = renamed(
        {name: parts for name, parts in before.items() if name not in after},
        {name: parts for name, parts in after.items() if name not in before},
        old,
        new,
    )
    for name, parts in before.items():
        here = (*path, Step("name", name))
        if name in after:
            yield from _required(both, name, here)
            yield Inner(parts, after[name], here)
        elif name in names:
            yield _as_renamed(both, name, names[name], here)
            yield Inner(parts, after[names[name]], here)
            yield from _unknown(both, parts, after[names[name]], here)
        else:
            yield from _removed(both, name, parts, here)
    for name, parts in after.items():
        if name not in before and name not in names.values():
            here = (*path, Step("name", name))
            yield from _added(both, name, parts, here)
    yield from _undeclared(side, old, new, path)


def _unknown(both: _Both, old: Parts, new: Parts, path: Path) -> Iterator[Inner]:
    """Yield a renamed member beside the undeclared ones that have its name there."""
    side, before, after = both
    if side == "in" and _restricts_undeclared(after) and not after.is_closed:
        yield Inner(old, after.extra or (), path)
    if side == "out" and _restricts_undeclared(before) and not before.is_closed:
        yield Inner(before.extra or (), new, path)


def _declared(branch: Branch) -> dict[str, Parts]:
    """Return the members with a name; a required one may have no schema of its own.

    They are sorted: where the work ends, no order of a schema says which are undecided.
    """
    named = dict(branch.properties)
    for name in branch.required:
        named.setdefault(name, branch.extra or ())
    return {name: named[name] for name in sorted(named)}


def _restricts_undeclared(branch: Branch) -> bool:
    """Return whether undeclared members have a schema other than true."""
    return any(part.node not in (True, {}) for part in branch.extra or ())


def _is_data(branch: Branch, path: Path) -> bool:
    """Return whether undeclared names are data: those of a map, not of arguments."""
    return branch.is_map and bool(path or branch.extra is not None)


def _required(both: _Both, name: str, path: Path) -> Iterator[SchemaChange]:
    side, old, new = both
    before, after = name in old.required, name in new.required
    if before != after:
        rule = "NOW_REQUIRED" if after else "NOW_OPTIONAL"
        prefix = _PREFIXES[side]
        pointer = _pointer(new, name)
        yield SchemaChange(prefix + rule, path, pointer, before, after)


def _pointer(branch: Branch, name: str) -> str:
    parts = branch.properties.get(name)
    return parts[0].pointer if parts else branch.pointer


def _removed(
    both: _Both, name: str, parts: Parts, path: Path
) -> Iterator[SchemaChange | Inner]:
    side, old, new = both
    is_refused = new.is_closed and not new.by_pattern
    if side == "in":
        rule = "PARAM_REMOVED" if is_refused else "PARAM_REMOVED_IGNORED"
    else:
        rule = "FIELD_REMOVED_REQUIRED" if name in old.required else "FIELD_REMOVED"
    pointer = _pointer(old, name)
    yield SchemaChange(rule, path, pointer, _brief(parts), gone=True)
    if _restricts_undeclared(new) and not is_refused:
        yield Inner(parts, new.extra or (), path)


def _added(
    both: _Both, name: str, parts: Parts, path: Path
) -> Iterator[SchemaChange | Inner]:
    side, old, new = both
    is_required = name in new.required
    if side == "in":
        rule = "PARAM_ADDED_REQUIRED" if is_required else "PARAM_ADDED_OPTIONAL"
    else:
        is_refused = old.is_closed and not old.by_pattern
        rule = "FIELD_ADDED_TO_CLOSED" if is_refused else "FIELD_ADDED"
    yield SchemaChange(rule, path, _pointer(new, name), new=_brief(parts))
    if _restricts_undeclared(old) and not old.is_closed:
        yield Inner(old.extra or (), parts, path)
    elif side == "in" and _is_data(old, path[:-1]):
        yield Inner((), parts, path)


def _brief(parts: Parts) -> object:
    """Return the types of a member, as its declaration names them."""
    nodes = [part.node for part in parts if isinstance(part.node, dict)]
    kinds = next((node["type"] for node in nodes if "type" in node), None)
    return sorted(map(str, listed(kinds))) if is_array(kinds) else kinds


def _as_renamed(both: _Both, name: str, other: str, path: Path) -> SchemaChange:
    """Return the change of a member that has another name now."""
    side, old, new = both
    respelled = snake(name, "field") == snake(other, "field")
    prefix = _PREFIXES[side]
    rule = prefix + ("RESPELLED" if respelled else "RENAMED")
    if side == "in":
        is_refused = new.is_closed or other in new.required
    else:
        is_refused = old.is_closed or name in old.required
    rule = rule if is_refused else f"{rule}_IGNORED"
    return SchemaChange(rule, path, _pointer(new, other), name, other)


def _undeclared(
    side: Side, old: Branch, new: Branch, path: Path
) -> Iterator[SchemaChange | Inner]:
    """Yield how the rules for undeclared members differ."""
    yield from _patterned(side, old, new, path)
    if old.is_closed and new.is_closed:
        return
    # The side that values come from says which names they may have.
    source, target = (old, new) if side == "in" else (new, old)
    is_explicit = source.extra is not None or _is_data(source, path)
    is_open = not (old.is_closed or new.is_closed)
    if is_open and (is_explicit or not _restricts_undeclared(target)):
        inner = (*path, Step("extra"))
        yield Inner(old.extra or (), new.extra or (), inner)
    else:
        breaks = is_open or target.is_closed
        rule = _rule_of_closing(side, breaks=breaks, explicit=is_explicit)
        values = [each.extra[0].node if each.extra else ABSENT for each in (old, new)]
        yield SchemaChange(rule, path, new.pointer, *values)


def _rule_of_closing(side: Side, *, breaks: bool, explicit: bool) -> str:
    """Return the rule for a change of the undeclared members that an object takes.

    Args:
        side: Whether values are sent or received.
        breaks: Whether values that one side makes no longer fit.
        explicit: Whether that side's schema speaks of undeclared members.
    """
    closes = breaks == (side == "in")
    rule = _PREFIXES[side] + ("CLOSED" if closes else "OPENED")
    return f"{rule}_IMPLICIT" if breaks and not explicit else rule


def _patterned(
    side: Side, old: Branch, new: Branch, path: Path
) -> Iterator[SchemaChange | Inner]:
    """Yield the change of the members whose names match patterns."""
    names = [_patterns(each) for each in (old, new)]
    if names[0].keys() == names[1].keys():
        pairs = zip(old.by_pattern, new.by_pattern, strict=True)
        for (_, before), (_, after) in pairs:
            yield Inner(before, after, (*path, Step("extra")))
    elif names[0] != names[1]:
        rule = f"{_PREFIXES[side]}CONSTRAINT_CHANGED"
        yield SchemaChange(rule, path, new.pointer, *map(list, names), unsure=True)


def _patterns(branch: Branch) -> dict[str, str]:
    """Return pattern of names to the schema of these members, as text."""
    return {pattern: text_of(parts) for pattern, parts in branch.by_pattern}
