# Copied by mcp-bindgen. Do not edit.
"""Searches the matches of a mask as Python's engine does, in less time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "PARTS",
    "Branch",
    "branches_of",
    "first_match",
    "matches",
    "without_groups",
]

PARTS = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:P<\w+>|[a-z]*:))?|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)
_LITERAL = r"\\[^A-Za-z0-9]|[^\\\[\](){}.^$|*+?]"
_ONE = rf"\\[dDwWsS]|\.|\[\^?(?:\\.|[^\]\\\[^])+\]|{_LITERAL}"
# Single characters and sets, then one of them that repeats without an end.
_RUN = re.compile(
    rf"(?P<flags>(?:\(\?[a-z]+\))?)"
    rf"(?P<head>(?:\\b)?(?:(?:{_ONE})(?:\{{[0-9]\}}(?!\?)|(?![*+?{{])))*)"
    rf"(?P<one>{_ONE})(?P<least>[*+]|\{{\d+,\}})(?!\+)"
)
_HEAD = re.compile(rf"({_ONE})(?:\{{([0-9])\}})?")
_FLAGS = re.compile(r"(?:\(\?[a-z]+\))?")
_QUANTIFIER = re.compile(r"[*+?]|\{\d")


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
    pattern = without_groups(pattern)
    bars, depth = [-1], 0
    for token in PARTS.finditer(pattern):
        depth += token[0].startswith("(") - (token[0] == ")")
        bars += [token.start()] if token[0] == "|" and not depth else []
    flags = _FLAGS.match(pattern)
    global_flags = flags[0] if flags else ""
    ends = [*bars[1:], len(pattern)]
    texts = (pattern[bar + 1 : end] for bar, end in zip(bars, ends, strict=True))
    return [_branch(global_flags + text.removeprefix(global_flags)) for text in texts]


def without_groups(pattern: str) -> str:
    """Return a pattern with fewer groups, and the same matches.

    Nothing reads what a group holds.

    Example: `without_groups("(k|j)(?:[a-z])+(!)") == "[kj][a-z]+!"`.

    Args:
        pattern: The pattern.
    """
    flags = _FLAGS.match(pattern)
    begin = flags.end() if flags else 0
    opens: list[int] = []
    parts: list[str] = []
    tokens = [*PARTS.finditer(pattern, begin)]
    if any(token[0] == "{" for token in tokens):  # "a{(2)}" is no "a{2}"
        return pattern
    for number, token in enumerate(tokens):
        parts.append(token[0])
        if token[0].startswith("("):
            opens.append(len(parts) - 1)
        elif token[0] == ")" and opens:
            after = tokens[number + 1][0] if number + 1 < len(tokens) else ""
            repeated = _QUANTIFIER.match(after) is not None
            first = opens.pop()
            parts[first:] = _opened(parts[first:], repeated=repeated)
    return pattern[:begin] + "".join(parts)


def _opened(group: list[str], *, repeated: bool) -> list[str]:
    """Return the parts of a group, without its signs where it needs none."""
    begin, *inner, _ = group
    if re.fullmatch(r"\((?:\?:|\?P<\w+>)?", begin) is None:
        return group  # it has flags
    if len(inner) == 1 and re.fullmatch(_ONE, inner[0]):
        return inner
    characters, bars = inner[::2], inner[1::2]
    literal = all(re.fullmatch(_LITERAL, one) for one in characters)
    if bars and literal and {*bars} == {"|"} and len(inner) % 2:
        return [f"[{''.join(re.escape(one[-1]) for one in characters)}]"]
    return inner if inner and not repeated and "|" not in inner else group


def _branch(text: str) -> Branch:
    run = _RUN.match(text)
    if run is None:
        return Branch(re.compile(text), None, 0)
    least = "*" if run["least"] == "*" else "+"
    first = re.compile(f"{run['flags']}{run['head']}({run['one']}{least})")
    steps = _HEAD.finditer(run["head"].removeprefix(r"\b"))
    head = sum(int(step[2] or 1) for step in steps)
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
