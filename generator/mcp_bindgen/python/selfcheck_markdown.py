"""Checks a page: outside of fences and JSON strings, each word is the generator's."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from mcp_bindgen.python.docstring_safety import first_active
from mcp_bindgen.python.skill_safety import first_run

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["markdown_faults"]

_FENCE = re.compile("`{3,}")
# Lines of ours: words, code, and links within the skill; no HTML, no image.
_OURS = re.compile(r"[A-Za-z0-9 #*`_.,:;()\[\]/=>'\"-]*", re.ASCII)
_FIELD = re.compile(r"(name|description): (.*)")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def markdown_faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and message of each fault of a page.

    Args:
        text: The page: Markdown, maybe with front matter of two fields.
    """
    fence = ""
    front = text.startswith("---\n")
    for number, line in enumerate(text.split("\n"), 1):
        # Inside of a fence, all is text; it ends with the very line that began it.
        if fence:
            fence = "" if line == fence else fence
        elif _FENCE.fullmatch(line):
            fence = line
        elif front and number > 1:
            front = line != "---"
            if front and not _is_field(line):
                yield number, "a field of the front matter that is not ours"
        elif not _OURS.fullmatch(line):
            yield number, "a text outside of a fence that is not ours"
    if fence:
        yield 1, "a fence without an end"
    if active := first_active(text) or first_run(text):
        yield 1, f"{active[:40]!a}, which a tool acts on"


def _is_field(line: str) -> bool:
    """Return whether a line is a name, or a description as a string of JSON."""
    field = _FIELD.fullmatch(line)
    if field is None:
        return False
    if field[1] == "name":
        return bool(_NAME.fullmatch(field[2]))
    try:
        return line.isascii() and isinstance(json.loads(field[2]), str)
    except ValueError:
        return False
