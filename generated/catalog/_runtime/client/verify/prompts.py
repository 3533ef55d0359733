# Copied by mcp-bindgen. Do not edit.
"""Compares the arguments of a prompt with those of a recording, by rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...json_values import elements, members
from .members import python_name
from .renames import take_renamed, take_respelled
from .rules import ABSENT, Change
from .spelling import text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["compare_arguments"]


def compare_arguments(old: object, new: object) -> Iterator[Change]:
    """Yield the changes of the arguments of one prompt.

    Args:
        old: The recorded list.
        new: The list of the server.
    """
    before, after = _by_name(old), _by_name(new)
    names = {name: name for name in before if name in after}
    names |= _renamed(before, after)
    rule, at = "PROMPT_ARGUMENT_", "/arguments"
    for name in sorted(before.keys() - names.keys()):
        yield Change(f"{rule}REMOVED", at, name, kind="removed")
    for name in sorted(after.keys() - {*names.values()}):
        way = "REQUIRED" if after[name].get("required") else "OPTIONAL"
        yield Change(f"{rule}ADDED_{way}", at, ABSENT, name, "added")
    for name, other in sorted(names.items()):
        if name != other:
            is_one = python_name(name) == python_name(other)
            way = "RESPELLED" if is_one else "RENAMED"
            yield Change(rule + way, at, name, other)
        sides = before[name], after[other]
        needed = [bool(side.get("required")) for side in sides]
        if needed[0] != needed[1]:
            way = "NOW_REQUIRED" if needed[1] else "NOW_OPTIONAL"
            yield Change(rule + way, at)
        if _words(sides[0]) != _words(sides[1]):
            yield Change(f"{rule}TEXT_CHANGED", at)


def _by_name(arguments: object) -> dict[str, Mapping[str, Any]]:
    return {str(each.get("name")): each for each in map(members, elements(arguments))}


def _words(argument: Mapping[str, Any]) -> str:
    """Return everything of an argument but its name, and whether it is required."""
    return text({**argument, "name": None, "required": None})


def _renamed(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Return old name to new name, for arguments that seem to be the same.

    First those that only spell their name in another way, then those of similar names
    that are equal otherwise; as for the parameters of a tool.
    """
    removed = sorted(before.keys() - after.keys())
    added = dict.fromkeys(sorted(after.keys() - before.keys()))
    names = take_respelled(removed, added, python_name)
    left = [name for name in removed if name not in names]
    return names | take_renamed(
        left, added, lambda name, other: _are_equal(before[name], after[other])
    )


def _are_equal(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    same = bool(one.get("required")) == bool(other.get("required"))
    return same and _words(one) == _words(other)
