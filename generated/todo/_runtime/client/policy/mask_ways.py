# Copied by mcp-bindgen. Do not edit.
"""Counts the ways in which Python's engine may try a pattern from one position."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field

from ... import limits

__all__ = ["ways_of"]

_PARTS = re.compile(
    r"(?P<open>\((?:\?(?:P<\w+>|[-a-z]*:|[a-z]+\)))?)"
    r"|(?P<repeat>(?:[*+?]|\{(?P<least>\d+)(?P<comma>,(?P<most>\d*))?\})\??)"
    r"|(?P<edge>[|)^$]|\\[bB])"
    r"|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)|\[\^?\]?(?:\\.|[^\]\\])*\]|.",
    re.DOTALL,
)
_HEX = re.compile(r"\\[xu]([0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})")
# Latin-1, and a character of each other kind that a class of Python names.
_SAMPLES = "".join(map(chr, range(256))) + "\u017f\u0663\u2003\u2014\u4e2d\U0001f389"


@dataclass(slots=True)
class _Ways:
    """How often the parts of a pattern are tried, up to one of them.

    Attributes:
        now: The ways to get here.
        most: The most ways to a part that may fail.
        needs: Whether a part must match.
        last: The ends of the last repetition, and the ways without them.
        among: The characters of the last repetition.
        since: The characters of each part after it.
    """

    now: int = 1
    most: int = 1
    needs: bool = False
    last: tuple[int, int] = (1, 1)
    among: frozenset[str] = frozenset()
    since: list[frozenset[str]] = field(default_factory=list[frozenset[str]])

    def need(self, characters: frozenset[str]) -> None:
        """Add a part that must match: a repetition of other characters has one end."""
        self.most, self.needs = max(self.most, self.now), True
        self.since.append(characters)
        if self.among.isdisjoint(characters):
            ends, left = self.last
            self.now, self.last = self.now // ends * left, (1, 1)

    def repeat(self, characters: frozenset[str], ends: int) -> None:
        """Add a repetition that may end in so many ways."""
        before, _ = self.last
        # Its end tells its begin where it cannot run over the part before it.
        if before > 1 and any(map(characters.isdisjoint, self.since)):
            self.now = self.now // before * max(before, ends)
            self.last = (max(before, ends), before)
        else:
            self.now, self.last = self.now * ends, (ends, 1)
        self.among, self.since = characters, []

    def add(
        self, group: _Ways, characters: frozenset[str], least: int, most: int
    ) -> None:
        """Add a group that matches from `least` to `most` times."""
        before = self.now * min(group.now, limits.MASK_PIECE) ** min(
            max(most - 1, 0), 12
        )
        self.most = max(self.most, before * group.most)
        if least and group.needs:
            self.need(characters)
        else:
            self.last, self.among, self.since = (1, 1), frozenset(), []
        self.now *= min(group.now, limits.MASK_PIECE) ** min(most, 12)


class _Reader:
    """A pattern, and how far it is read."""

    def __init__(self, pattern: str) -> None:
        self._tokens = _joined([*_PARTS.finditer(pattern)])
        self._at = 0
        codes = {*map(ord, pattern), *(int(c, 16) for c in _HEX.findall(pattern))}
        near = {code + step for code in codes for step in (-1, 0, 1)}
        known = {chr(code) for code in near if 0 <= code <= sys.maxunicode}
        self._samples = {*_SAMPLES, *known}

    def either(self) -> tuple[_Ways, frozenset[str]]:
        """Read branches up to the end of their group; return their characters, too."""
        branches, characters = list[_Ways](), frozenset[str]()
        while not branches or self._take("|"):
            branches.append(_Ways())
            characters |= self._series(branches[-1])
        self._take(")")
        if len(branches) == 1:
            return branches[0], characters
        now = sum(branch.now for branch in branches)
        most = max(branch.most for branch in branches)
        return _Ways(now, most, all(branch.needs for branch in branches)), characters

    def _take(self, sign: str) -> bool:
        """Go on if a sign comes next."""
        comes = self._at < len(self._tokens) and self._tokens[self._at][0] == sign
        self._at += comes
        return comes

    def _series(self, ways: _Ways) -> frozenset[str]:
        """Read the parts of a branch; return its characters."""
        characters = frozenset[str]()
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if token[0] in ("|", ")"):
                break
            self._at += 1
            if not token["edge"]:
                characters |= self._part(token, ways)
        return characters

    def _part(self, token: re.Match[str], ways: _Ways) -> frozenset[str]:
        """Read a part and its quantifier."""
        inner = None
        if token["open"]:
            inner, characters = self.either()
        else:
            characters = self._characters(token[0])
        least, most = self._quantifier()
        if inner is not None:
            ways.add(inner, characters, least, most)
        elif least:
            ways.need(characters)
        if least < most:
            ways.repeat(characters, most - least + 1)
        return characters

    def _quantifier(self) -> tuple[int, int]:
        """Return how often a part matches, at least and at most."""
        repeat = self._tokens[self._at] if self._at < len(self._tokens) else None
        if repeat is None or not repeat["repeat"]:
            return 1, 1
        self._at += 1
        if repeat["least"] is None:
            return int(repeat[0][0] == "+"), (
                1 if repeat[0][0] == "?" else limits.MASK_PIECE
            )
        least = min(int(repeat["least"]), limits.MASK_PIECE)
        if repeat["comma"] is None:
            return least, least
        return least, min(int(repeat["most"] or limits.MASK_PIECE), limits.MASK_PIECE)

    def _characters(self, part: str) -> frozenset[str]:
        """Return the characters that a part of one character matches; in any case."""
        try:
            tests = [re.compile(part, flags) for flags in (0, re.IGNORECASE)]
        except re.error:
            return frozenset(self._samples)
        return frozenset(
            char for char in self._samples if any(test.match(char) for test in tests)
        )


def _joined(tokens: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the tokens without groups of one branch that no quantifier follows."""
    open_groups: list[tuple[int, bool]] = []
    dropped = set[int]()
    for at, token in enumerate(tokens):
        if token[0].endswith(")") and token["open"]:  # "(?i)"
            dropped.add(at)
        elif token["open"]:
            open_groups.append((at, False))
        elif token[0] == "|" and open_groups:
            open_groups[-1] = (open_groups[-1][0], True)
        elif token[0] == ")" and open_groups:
            begin, branches = open_groups.pop()
            repeated = at + 1 < len(tokens) and tokens[at + 1]["repeat"]
            if not branches and not repeated:
                dropped |= {begin, at}
    return [token for at, token in enumerate(tokens) if at not in dropped]


def ways_of(pattern: str) -> int:
    """Return in how many ways a pattern may fail from one position, about.

    Example: `ways_of("a*b") == 4096` and `ways_of("a*ca*b") == 4096`, but
    `ways_of("a*a*b") == 4096**2`.

    Args:
        pattern: The pattern; Python's engine reads it.
    """
    ways, _ = _Reader(pattern).either()
    return ways.most
