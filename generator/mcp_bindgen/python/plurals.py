"""The singular of an English plural: `owners` holds objects of a class `Owner`."""

from __future__ import annotations

import re

__all__ = ["singular"]

_LAST = re.compile(r"[A-Z]?[a-z]+$")
_SHORTEST = 4  # letters of a plural
_IRREGULAR = {
    "analyses": "analysis",
    "children": "child",
    "criteria": "criterion",
    "halves": "half",
    "hypotheses": "hypothesis",
    "indices": "index",
    "leaves": "leaf",
    "matrices": "matrix",
    "people": "person",
    "shelves": "shelf",
    "vertices": "vertex",
}
# Words that end like plurals and are none, or that are their own plural.
_NO_PLURALS = frozenset("""
    alias always atlas axes bases bias canvas chaos cosmos dns goods https ios
    kubernetes lens lives macos means news parentheses postgres redis series sms species
    thanks
    """.split())
# The first that fits a word counts: the letters that it loses, and its new end.
_RULES = (
    (re.compile(r".*(?:ss|us|is|[^s])"), 0, ""),
    (re.compile(r".*(?:movie|cookie|calorie|selfie|zombie)s"), 1, ""),
    (re.compile(r".*ies"), 3, "y"),
    (re.compile(r".*(?:tus|nus|rus|bus|cus|lias|nvas|bias|gas|lens)es"), 2, ""),
    (re.compile(r".*(?:ache|niche)s"), 1, ""),
    (re.compile(r".*(?:ss|x|zz|ch|sh|hero|echo|veto)es"), 2, ""),
    (re.compile(r".*s"), 1, ""),
)


def singular(words: str) -> str:
    """Return a class name with its last word in the singular, "" if it is already.

    Args:
        words: A class name: `RecentEntries` becomes `RecentEntry`.
    """
    last = _LAST.search(words)
    word = last[0].lower() if last else ""
    if len(word) < _SHORTEST or word in _NO_PLURALS:
        return ""
    head, first = words[: -len(word)], words[-len(word)]
    if word in _IRREGULAR:
        return head + first + _IRREGULAR[word][1:]
    cut, end = next((cut, end) for rule, cut, end in _RULES if rule.fullmatch(word))
    return f"{words[:-cut]}{end}" if cut else ""
