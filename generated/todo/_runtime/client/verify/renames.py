# Copied by mcp-bindgen. Do not edit.
"""Pairs names that are gone with new ones, in whatever order both are listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

__all__ = ["take_renamed", "take_respelled"]

_ALIKE = 0.6  # of 1, for two names of one parameter


def take_respelled(
    removed: Iterable[str], added: dict[str, None], name_of: Callable[[str], str]
) -> dict[str, str]:
    """Return old name to new name, where both are one name in Python.

    Args:
        removed: The old names.
        added: The new names; those that are returned go.
        name_of: The name in Python of one on the wire.
    """
    names: dict[str, str] = {}
    spelled = {name_of(name): name for name in sorted(added, reverse=True)}
    for name in sorted(removed):
        other = spelled.pop(name_of(name), None)
        if other is not None:
            names[name] = other
            del added[other]
    return names


def take_renamed(
    removed: Collection[str],
    added: dict[str, None],
    is_equal: Callable[[str, str], bool],
) -> dict[str, str]:
    """Return old name to new name, for similar names; the most similar ones first.

    One name is in the other, or most letters are the same.

    Args:
        removed: The old names.
        added: The new names; those that are returned go.
        is_equal: Whether an old and a new one are equal except for their names.
    """
    names: dict[str, str] = {}
    # A server decides how many there are.
    if len(removed) * len(added) > limits.VERIFY_PAIRS:
        return names
    pairs = [(one, other) for one in removed for other in added if is_equal(one, other)]
    ranked = sorted((-_likeness(*pair), *pair) for pair in pairs)
    for worth, name, other in ranked:
        if -worth >= _ALIKE and name not in names and other in added:
            names[name] = other
            del added[other]
    return names


def _likeness(one: str, other: str) -> float:
    """Return how many letters of two names are the same: from 0 to 1."""
    if len(one + other) > limits.VERIFY_NAMES:
        return 0
    from difflib import SequenceMatcher

    short, long = sorted((one.lower(), other.lower()), key=len)
    ratio = SequenceMatcher(None, short, long).ratio()
    return max(ratio, _ALIKE) if short in long else ratio
