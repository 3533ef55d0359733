"""Writes the difference of two texts as a unified diff that hides nothing."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from mcp_bindgen.hidden import show

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["difference"]

# Beyond this, difflib's search for the shortest diff takes minutes, and nobody reads
# the outcome: all old lines and then all new lines is a valid diff too.
_MAX_WORK = 20_000_000


def difference(name: str, old: bytes | None, new: bytes | None) -> str:
    """Return the unified diff of one file, "" for equal contents.

    Args:
        name: What the diff calls the file.
        old: Its bytes now, None where there is no file.
        new: Its bytes to be, None where there will be no file.
    """
    if old == new:
        return ""
    before, after = _lines(old), _lines(new)
    lines = [
        "--- /dev/null" if old is None else f"--- {name}",
        "+++ /dev/null" if new is None else f"+++ {name}",
        *_hunks(before, after),
    ]
    return "".join(_printable(line) for line in lines)


def _hunks(before: list[str], after: list[str]) -> Iterable[str]:
    if len(before) * len(after) > _MAX_WORK:
        return _replacement(before, after)
    hunks = difflib.unified_diff(before, after, lineterm="")
    return list(hunks)[2:]


def _replacement(before: list[str], after: list[str]) -> Iterator[str]:
    yield f"@@ -1,{len(before)} +1,{len(after)} @@"
    yield from (f"-{line}" for line in before)
    yield from (f"+{line}" for line in after)


def _lines(data: bytes | None) -> list[str]:
    """Split at line feeds alone; a last line without one says so, as git does."""
    if not data:
        return []
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


def _printable(line: str) -> str:
    return f"{show(line)}\n"
