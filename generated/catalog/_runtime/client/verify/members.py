# Copied by mcp-bindgen. Do not edit.
"""Compares the members of two objects: removed, new, required and renamed ones."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...json_pointer import child
from ...json_values import elements, members
from .renames import take_renamed, take_respelled
from .rules import ABSENT, Change
from .shapes import UndecidedError
from .spelling import bare, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .shapes import Branch

__all__ = ["At", "Inner", "compare_members", "python_name"]

_ANY = True  # the schema that every value fits


class At(NamedTuple):
    """A schema, and its pointer in the document."""

    pointer: str
    node: Any


class Inner(NamedTuple):
    """Two schemas for the same part of a value."""

    old: At
    new: At


class _Object(NamedTuple):
    """The keywords of an object.

    Attributes:
        pointer: Its JSON pointer.
        named: The declared members; a required one may have no schema of its own.
        required: Names of members that must be there.
        extra: The schema of undeclared members; None without one.
        is_map: Whether its members are data: none is declared.
    """

    pointer: str
    named: Mapping[str, At]
    required: frozenset[str]
    extra: At | None
    is_map: bool

    @property
    def is_closed(self) -> bool:
        return self.extra is not None and self.extra.node is False

    @property
    def limits_others(self) -> bool:
        return self.extra is not None and self.extra.node not in (True, {})

    def at(self, name: str) -> At:
        """Return the declaration of a member, or the object where there is none."""
        return self.named.get(name, At(self.pointer, _ANY))


def compare_members(prefix: str, old: Branch, new: Branch) -> Iterator[Change | Inner]:
    """Yield the differences of two objects, and the members that both have.

    Args:
        prefix: "PARAM_" for arguments, "FIELD_" for results.
        old: The recorded object.
        new: The object that the server has now.

    Raises:
        UndecidedError: One of them has keywords of a form that schemas do not have.
    """
    before, after = _read(old), _read(new)
    names = _renamed(before, after)
    for name, at in before.named.items():
        if name in after.named:
            needs = name in before.required, name in after.required
            if needs[0] != needs[1]:
                rule = "NOW_REQUIRED" if needs[1] else "NOW_OPTIONAL"
                yield Change(prefix + rule, after.named[name].pointer)
            yield Inner(at, after.named[name])
        elif name in names:
            yield _as_renamed(prefix, before, after, (name, names[name]))
            yield Inner(at, after.named[names[name]])
        else:
            yield from _removed(prefix, before, after, name)
    for name in after.named:
        if name not in before.named and name not in names.values():
            yield from _added(prefix, before, after, name)
    yield from _undeclared(prefix, before, after)


def _read(branch: Branch) -> _Object:
    pointer, node = branch.pointer, branch.node
    declared, required = node.get("properties", {}), node.get("required", [])
    if not isinstance(declared, dict) or not isinstance(required, list):
        raise UndecidedError
    needed = frozenset(str(name) for name in elements(node.get("required")))
    extra = None
    if "additionalProperties" in node:
        at = child(pointer, "additionalProperties")
        extra = At(at, node["additionalProperties"])
    named = {
        name: At(child(pointer, "properties", name), inner)
        for name, inner in members(node.get("properties")).items()
    }
    is_map = not (named or needed or (extra and extra.node is False))
    for name in sorted(needed):
        named.setdefault(name, extra or At(pointer, _ANY))
    return _Object(pointer, named, needed, extra, is_map)


def _is_data(each: _Object) -> bool:
    """Return whether undeclared names are data: those of a map, not of arguments."""
    return each.is_map and bool(each.pointer or each.extra is not None)


def _removed(
    prefix: str, old: _Object, new: _Object, name: str
) -> Iterator[Change | Inner]:
    if prefix == "PARAM_":
        rule = "PARAM_REMOVED" if new.is_closed else "PARAM_REMOVED_IGNORED"
    else:
        rule = "FIELD_REMOVED_REQUIRED" if name in old.required else "FIELD_REMOVED"
    yield Change(rule, old.at(name).pointer, kind="removed")
    if new.extra and new.limits_others and not new.is_closed:
        yield Inner(old.at(name), new.extra)


def _added(
    prefix: str, old: _Object, new: _Object, name: str
) -> Iterator[Change | Inner]:
    if prefix == "PARAM_":
        needed = name in new.required
        rule = "PARAM_ADDED_REQUIRED" if needed else "PARAM_ADDED_OPTIONAL"
    else:
        rule = "FIELD_ADDED_TO_CLOSED" if old.is_closed else "FIELD_ADDED"
    yield Change(rule, new.at(name).pointer, kind="added")
    if old.extra and old.limits_others and not old.is_closed:
        yield Inner(old.extra, new.at(name))
    elif prefix == "PARAM_" and _is_data(old):
        yield Inner(At(old.pointer, _ANY), new.at(name))


def python_name(name: str) -> str:
    """Return one text for names on the wire that are one in Python.

    Example: `python_name("userId") == python_name("user-id") == "user_id"`.
    """
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return re.sub(r"[\W_]+", "_", parted).strip("_").lower() or name


def _renamed(old: _Object, new: _Object) -> dict[str, str]:
    """Return old name to new name, for members that seem to be the same.

    First those that only spell their name in another way, then those of the same
    schema and with similar names.
    """
    removed = [name for name in old.named if name not in new.named]
    added = dict.fromkeys(name for name in new.named if name not in old.named)
    names = take_respelled(removed, added, python_name)
    left = [name for name in removed if name not in names]
    return names | take_renamed(left, added, partial(_are_equal, old, new))


def _are_equal(old: _Object, new: _Object, name: str, other: str) -> bool:
    """Return whether two members are equal except for their names."""
    if (name in old.required) != (other in new.required):
        return False
    one = text(bare(old.at(name).node))
    return one == text(bare(new.at(other).node))


def _as_renamed(
    prefix: str, old: _Object, new: _Object, names: tuple[str, str]
) -> Change:
    """Return the change of a member that has another name now."""
    rule = prefix + (
        "RESPELLED" if python_name(names[0]) == python_name(names[1]) else "RENAMED"
    )
    if prefix == "PARAM_":
        is_refused = new.is_closed or names[1] in new.required
    else:
        is_refused = old.is_closed or names[0] in old.required
    rule = rule if is_refused else f"{rule}_IGNORED"
    return Change(rule, new.at(names[1]).pointer, *names)


def _undeclared(prefix: str, old: _Object, new: _Object) -> Iterator[Change | Inner]:
    """Yield how the rules for undeclared members differ."""
    if old.is_closed and new.is_closed:
        return
    # The side that values come from says which names they may have.
    source, target = (old, new) if prefix == "PARAM_" else (new, old)
    is_explicit = source.extra is not None or _is_data(source)
    is_open = not (old.is_closed or new.is_closed)
    if is_open and (is_explicit or not target.limits_others):
        every = At(old.pointer, _ANY), At(new.pointer, _ANY)
        yield Inner(old.extra or every[0], new.extra or every[1])
        return
    breaks = is_open or target.is_closed
    rule = _closing(prefix, breaks=breaks, is_explicit=is_explicit)
    values = (each.extra.node if each.extra else ABSENT for each in (old, new))
    yield Change(rule, new.pointer, *values)


def _closing(prefix: str, *, breaks: bool, is_explicit: bool) -> str:
    """Return the rule of an object that is closed now, or open."""
    rule = prefix + ("CLOSED" if breaks == (prefix == "PARAM_") else "OPENED")
    return f"{rule}_IMPLICIT" if breaks and not is_explicit else rule
