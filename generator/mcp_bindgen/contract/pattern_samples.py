"""Texts that match a pattern: the shortest ones, and some longer."""

from __future__ import annotations

import re
import string
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from mcp_bindgen.runtime.validation.pattern_tree import (
    Character,
    Either,
    Group,
    Repeat,
    Series,
    parse_pattern,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_bindgen.runtime.validation.pattern_tree import Part

__all__ = ["samples"]

_MOST = 8
_LONG = 300  # characters of a text that is repeated, and times
_CHARACTERS = "xa0A1-_./:#@ " + string.printable


@lru_cache(maxsize=512)
def samples(pattern: str) -> tuple[str, ...]:
    """Return up to 8 texts that should match a pattern; look-around is not obeyed.

    Example: `samples("^a{2}$") == ("aa",)`.

    Args:
        pattern: A pattern of ECMA-262; one that cannot be read has no samples.
    """
    try:
        tree = parse_pattern(pattern).part
    except ValueError:
        return ()
    return tuple(dict.fromkeys(islice(_texts(tree), _MOST)))


def _texts(part: Part) -> Iterator[str]:
    if isinstance(part, Character):
        yield from islice(_matching(part.rust), 3)
    elif isinstance(part, Series):
        yield from _joined(part.parts)
    elif isinstance(part, Either):
        for each in part.branches:
            yield from islice(_texts(each), 3)
    elif isinstance(part, Group):
        yield from _texts(part.part)
    elif isinstance(part, Repeat):
        texts = [text for text in islice(_texts(part.part), 2) if len(text) < _LONG]
        for number in dict.fromkeys((max(part.least, 1), part.least, part.least + 2)):
            if part.most is None or number <= part.most:
                yield from (text * min(number, _LONG) for text in texts)
    else:  # an edge, a look-around, or a back-reference
        yield ""


def _joined(parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield texts of a series: the first of each part, then others of one part."""
    choices = [[*islice(_texts(part), 4)] or [""] for part in parts]
    first = [texts[0] for texts in choices]
    yield "".join(first)
    for number, texts in enumerate(choices):
        for text in texts[1:]:
            yield "".join([*first[:number], text, *first[number + 1 :]])


def _matching(characters: str) -> Iterator[str]:
    """Yield characters of a set."""
    try:
        is_in = re.compile(characters).fullmatch
    except re.error:
        yield "x"
        return
    yield from (character for character in _CHARACTERS if is_in(character))
