"""Finds characters that a reader cannot see, or that reorder a text."""

from __future__ import annotations

import re

__all__ = ["HIDDEN", "first_hidden"]

# A fixed table, since `unicodedata` differs between versions of Python. Unicode 17: the
# categories Cc (but for the line feed), Cf, Cs and Co, noncharacters, the line and
# paragraph separators, and default-ignorable characters.
_RANGES = (
    (0x0000, 0x0009),
    (0x000B, 0x001F),
    (0x007F, 0x009F),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),  # the empty braille cell
    (0x3164, 0x3164),
    (0xD800, 0xF8FF),  # surrogates and private use
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0x10000, 0xE0000, 0x10000)),
    (0xE0000, 0x10FFFF),  # tags, variation selectors, private use
)

HIDDEN = re.compile(
    "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _RANGES) + "]"
)
"""Matches one character that is invisible, a control, or reorders other characters."""


def first_hidden(text: str) -> re.Match[str] | None:
    """Return the first hidden character of a text; fast for texts without one."""
    if text.isascii() and text.replace("\n", " ").isprintable():
        return None
    return HIDDEN.search(text) if HIDDEN.search("".join(set(text))) else None
