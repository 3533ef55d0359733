"""Joins the lines of prose that its author wrapped by hand, to wrap them anew."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["ITEM", "joined"]

ITEM = re.compile(r"\s*(?:[-*+•‣\u2013\u2014]|\d{1,3}[.)]|[a-z]\))\s+(?=\S)")
"""Matches the mark of an element of a list."""

_FENCE = re.compile(r"\s*(?:```|~~~)")
# Rows of tables, headings, quotations, prompts, tags, brackets of code.
_ALONE = re.compile(r"[|#>\[\](){}<@$\\+=*_~-]")
# A name and its text: behind a colon, "name (str, optional):" too, a dash or an arrow.
_ENTRY = re.compile(
    r"(?:\S+ ){0,2}\S*(?: ?\([^()]*\))?(?::(?: |$)| (?:[-\u2013\u2014=→]|=>|->) )"
)
_CODE = re.compile(r".* (?:=|==|:=|=>|->|&&|\|\|) |.*[{\[(;\\|]$|.*  \S")
_SENTENCE_ENDS = (".", "!", "?", ":", ";", '."', ".)")
_LEAST = 40
"""Characters of a line that its author wrapped because it was full."""


@dataclass(slots=True)
class _Block:
    """Lines that may be one paragraph; the first may have the mark of a list."""

    indent: int
    lines: list[str] = field(default_factory=list[str])


def joined(text: str) -> str:
    """Return a text whose paragraphs of prose are single lines.

    Lists, tables, headings, code, and indented blocks stay as they are. A line is
    joined to the one before if that one was full, in the middle of a sentence.

    Args:
        text: A cleaned text.
    """
    if "\n" not in text:
        return text
    return "\n".join(line for block in _blocks(text) for line in _paragraphs(block))


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    fenced = False
    for line in text.split("\n"):
        fence = bool(_FENCE.match(line))
        indent = len(line) - len(line.lstrip())
        last = blocks[-1] if blocks and not (fence or fenced) else None
        if last and _continues(line.strip(), indent, last):
            last.lines.append(line)
        else:
            mark = ITEM.match(line)
            blocks.append(_Block(mark.end() if mark else indent, [line]))
        fenced ^= fence
    return blocks


def _continues(line: str, indent: int, block: _Block) -> bool:
    """Return whether a line may belong to the paragraph of a block."""
    before = block.lines[-1].strip()
    if not line or not before or indent != block.indent:
        return False
    if _FENCE.match(before) or before.endswith(":") or ITEM.match(line):
        return False
    is_first = len(block.lines) == 1 and not ITEM.match(block.lines[0])
    if is_first and (indent or _ALONE.match(before) or _CODE.match(before)):
        return False
    return not (_ALONE.match(line) or _ENTRY.match(line) or _CODE.match(line))


def _paragraphs(block: _Block) -> list[str]:
    """Join the lines of a block where there is proof that they were wrapped."""
    width = max(map(len, block.lines))

    def is_full(line: str, after: str) -> bool:
        word = after.split(maxsplit=1)[0]
        return len(line) >= _LEAST and len(line) + len(word) >= width

    def goes_on(line: str, after: str) -> bool:
        if len(line) < _LEAST or line.endswith(_SENTENCE_ENDS):
            return False
        return after.lstrip()[0].islower() or line.endswith(",")

    pairs = [*pairwise(block.lines)]
    if not any(is_full(*pair) and goes_on(*pair) for pair in pairs):
        return block.lines
    lines = block.lines[:1]
    for line, after in pairs:
        if is_full(line, after) or goes_on(line, after):
            lines[-1] = f"{lines[-1]} {after.strip()}"
        else:
            lines.append(after)
    return lines
