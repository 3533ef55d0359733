"""Finds the lines of a text that stay as they are: code between fences, and tables."""

from __future__ import annotations

import re
from bisect import bisect

__all__ = ["fixed_lines", "open_fence"]

_OPENS = re.compile(r"\s*(`{3,}(?!.*`)|~{3,})")
_CLOSES = re.compile(r"\s*(`{3,}|~{3,})\s*$")
# The line below the head of a table of Markdown: "--- | :-:".
_BELOW_HEAD = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$")
# The lines around a table of reStructuredText: "=====  ===".
_RULER = re.compile(r"\s*={2,}(?: +={2,})+\s*$")


def fixed_lines(lines: list[str]) -> set[int]:
    """Return the numbers of the lines that are neither joined nor broken.

    Args:
        lines: The lines of a cleaned text.
    """
    fixed = _fenced(lines)
    for number, line in enumerate(lines[1:], 1):
        if number not in fixed and "-" in line and _BELOW_HEAD.match(line):
            fixed |= _rows(lines, number)
    return fixed | _between_rulers(lines, fixed)


def open_fence(lines: list[str]) -> str:
    """Return the line that closes the code at the end of a text, "" if none is open.

    Tildes below a line of text are no fence: reStructuredText underlines headings so.

    Args:
        lines: The lines of a cleaned text.
    """
    fixed = _fenced(lines)
    for number, line in enumerate(lines):
        opened = _OPENS.match(line) if number not in fixed else None
        is_heading = number > 0 and line.startswith("~~~") and lines[number - 1].strip()
        if opened and not is_heading:
            return line[: opened.end()]
    return ""


def _fenced(lines: list[str]) -> set[int]:
    """Return the lines of code with their fences; an open fence does not count."""
    fenced: set[int] = set()
    # The shortest fence that nothing closes; so each text is read a few times only.
    unclosed = dict.fromkeys("`~", 1 + max(map(len, lines)))
    begin = 0
    while begin < len(lines):
        opened = _OPENS.match(lines[begin])
        end = begin
        if opened and len(opened[1]) < unclosed[opened[1][0]]:
            end = _closing(lines, begin, opened[1])
            if end > begin:
                fenced.update(range(begin, end + 1))
            else:
                unclosed[opened[1][0]] = len(opened[1])
        begin = end + 1
    return fenced


def _closing(lines: list[str], begin: int, fence: str) -> int:
    """Return the line that closes a fence, the fence's own if there is none."""
    for number in range(begin + 1, len(lines)):
        closed = _CLOSES.match(lines[number])
        if closed and closed[1].startswith(fence):
            return number
    return begin


def _rows(lines: list[str], below: int) -> set[int]:
    """Return the lines of a table, whose second line is a ruler."""
    if "|" not in lines[below - 1]:
        return set()
    end = below + 1
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return {*range(below - 1, end)}


def _between_rulers(lines: list[str], fixed: set[int]) -> set[int]:
    """Return the lines of tables that begin and end with equal rulers."""
    last: dict[str, list[int]] = {}
    rulers: list[int] = []
    for number, line in enumerate(lines):
        if number not in fixed and "=" in line and _RULER.match(line):
            rulers.append(number)
            if not "".join(lines[number + 1 : number + 2]).strip():
                last.setdefault(line.strip(), []).append(number)
    between: set[int] = set()
    for number in rulers:
        ends = last.get(lines[number].strip(), [])
        after = bisect(ends, number)
        if number not in between and after < len(ends):
            between.update(range(number, ends[after] + 1))
    return between
