"""Pairs the members of two objects that only have another name."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, TypeVar

from mcp_bindgen.contract.normal import text_of
from mcp_bindgen.python.names import snake

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mcp_bindgen.contract.shape import Branch, Parts

__all__ = ["are_alike", "renamed"]

_ALIKE = 0.6  # of 1, for two names of one parameter
_MOST_PAIRS = 2_500  # of names whose letters are compared
_K = TypeVar("_K")


def renamed(
    removed: Mapping[str, Parts], added: Mapping[str, Parts], old: Branch, new: Branch
) -> dict[str, str]:
    """Return old name to new name, for members that seem to be the same.

    First those that only spell their name in another way, then those of the same
    schema, where one name is in the other, or most letters are the same.
    """
    if not removed or not added:
        return {}
    before, after = (
        ((n, snake(n, "field")) for n in each) for each in (removed, added)
    )
    names = _pairs_of(before, _by_key(after), lambda _one, _other: True)
    alike = [(n, _content(old, n, p)) for n, p in removed.items() if n not in names]
    # Most names of one schema are unlike: where there are many, none is renamed.
    if alike and len(alike) * len(added) <= _MOST_PAIRS:
        left = {n: p for n, p in added.items() if n not in names.values()}
        others = _by_key((n, _content(new, n, p)) for n, p in left.items())
        names |= _pairs_of(alike, others, are_alike)
    return names


def _by_key(named: Iterable[tuple[str, _K]]) -> dict[_K, dict[str, None]]:
    """Return the names of each key, in their order."""
    by_key: dict[_K, dict[str, None]] = {}
    for name, key in named:
        by_key.setdefault(key, {})[name] = None
    return by_key


def _pairs_of(
    removed: Iterable[tuple[str, _K]],
    added: Mapping[_K, dict[str, None]],
    is_one: Callable[[str, str], bool],
) -> dict[str, str]:
    """Return old name to the first new name of the same key that is not taken."""
    names: dict[str, str] = {}
    for name, key in removed:
        left = added.get(key, {})
        other = next((each for each in left if is_one(name, each)), None)
        if other is not None:
            del left[other]
            names[name] = other
    return names


def _content(branch: Branch, name: str, parts: Parts) -> tuple[bool, str]:
    """Return what two names of one member have in common."""
    return name in branch.required, text_of(parts)


def are_alike(one: str, other: str) -> bool:
    """Return whether one name is in the other, or most letters are the same.

    Args:
        one: A name.
        other: Another name.
    """
    short, long = sorted((one.lower(), other.lower()), key=len)
    return short in long or SequenceMatcher(None, short, long).ratio() >= _ALIKE
