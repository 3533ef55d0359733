# Copied by mcp-bindgen. Do not edit.
"""Searches the matches of a mask as Python's engine does, in less time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PARTS", "Branch", "branches_of", "first_match", "matches"]

PARTS = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P<\w+>|[a-z]*:))?|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)
_ONE = r"\\[^A-Za-z0-9]|[^\\\[\](){}.^$|*+?]"
# Literal characters, then a set or a character that repeats without an end.
_RUN = re.compile(
    rf"(?P<flags>(?:\(\?[a-z]+\))?)(?P<head>(?:\\b)?(?:(?:{_ONE})(?![*+?{{]))*)"
    rf"(?P<one>\\[dDwWsS]|\.|\[\^?(?:\\.|[^\]\\\[^])+\]|{_ONE})"
    r"(?P<least>[*+]|\{\d+,\})(?!\+)"
)


class Branch(NamedTuple):
    """One of the alternatives of a pattern.

    Attributes:
        whole: The alternative.
        run: Its literal characters and its first repetition, in a group; None where it
            does not begin so.
        head: The number of the literal characters.
    """

    whole: re.Pattern[str]
    run: re.Pattern[str] | None
    head: int


@lru_cache(maxsize=256)
def branches_of(pattern: str) -> list[Branch]:
    """Return the alternatives of a pattern."""
    bars, depth = [-1], 0
    for token in PARTS.finditer(pattern):
        depth += token[0].startswith("(") - (token[0] == ")")
        bars += [token.start()] if token[0] == "|" and not depth else []
    flags = re.match(r"(?:\(\?[a-z]+\))?", pattern)
    global_flags = flags[0] if flags else ""
    ends = [*bars[1:], len(pattern)]
    texts = (pattern[bar + 1 : end] for bar, end in zip(bars, ends, strict=True))
    return [_branch(global_flags + text.removeprefix(global_flags)) for text in texts]


def _branch(text: str) -> Branch:
    run = _RUN.match(text)
    if run is None:
        return Branch(re.compile(text), None, 0)
    least = "*" if run["least"] == "*" else "+"
    first = re.compile(f"{run['flags']}{run['head']}({run['one']}{least})")
    head = len(re.sub(r"\\(.)", r"\1", run["head"].removeprefix(r"\b")))
    return Branch(re.compile(text), first, head)


def first_match(
    branch: Branch, text: str, begin: int, end: int
) -> re.Match[str] | None:
    """Return the first match of an alternative.

    Where a match fails that begins before a run, each one fails that begins later and
    takes up the same run: what follows may begin at fewer ends of the run. So a long
    run costs its length, not the square.
    """
    if branch.run is None:
        return branch.whole.search(text, begin, end)
    last = min(end, len(text))  # behind it, a search begins at the end again
    while begin < last and (run := branch.run.search(text, begin, last)):
        if match := branch.whole.match(text, run.start(), last):
            return match
        begin = max(run.start() + 1, run.end(1) - branch.head)
    return None


def matches(pattern: str, text: str, begin: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the matches as `finditer` does: of two at one begin, the first branch's."""
    branches = branches_of(pattern)
    firsts = [first_match(branch, text, begin, end) for branch in branches]
    while there := [match for match in firsts if match is not None]:
        match = min(there, key=_begin)
        yield match
        begin = max(match.end(), match.start() + 1)
        for number, old in enumerate(firsts):
            if old is not None and old.start() < begin:
                firsts[number] = first_match(branches[number], text, begin, end)


def _begin(match: re.Match[str]) -> int:
    return match.start()
