"""Writes the difference of two texts as a unified diff that hides nothing.

`difflib` alone takes minutes for large files with many equal lines, as JSON has them.
So this matches the lines that occur once on both sides, and `difflib` the gaps between.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Literal, TypeAlias

from mcp_bindgen.hidden import show

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["difference"]

_MAX_GAP = 1_000_000  # pairs of lines; a larger gap is shown as wholly replaced

_Tag: TypeAlias = Literal["replace", "delete", "insert", "equal"]
_Code: TypeAlias = "tuple[_Tag, int, int, int, int]"


def difference(name: str, old: bytes | None, new: bytes | None) -> str:
    """Return the unified diff of one file, "" for equal contents.

    Args:
        name: The name of the file in the diff.
        old: Its present bytes, None without a file.
        new: Its new bytes, None if the file goes.
    """
    if old == new:
        return ""
    lines = [
        "--- /dev/null" if old is None else f"--- {name}",
        "+++ /dev/null" if new is None else f"+++ {name}",
        *_hunks(_lines(old), _lines(new)),
    ]
    return "".join(f"{show(line)}\n" for line in lines)


def _lines(data: bytes | None) -> list[str]:
    """Split at line feeds alone; a last line without one says so, as git does."""
    if not data:
        return []
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


class _Grouped(SequenceMatcher[str]):
    """Groups the opcodes of our own matching as difflib groups its own."""

    def __init__(self, codes: list[_Code]) -> None:
        super().__init__(None, "", "")
        self._codes = codes

    def get_opcodes(self) -> list[_Code]:
        return self._codes


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    codes = list(_codes(_matches(old, new), len(old), len(new)))
    for group in _Grouped(codes).get_grouped_opcodes():
        _, i1, _, j1, _ = group[0]
        _, _, i2, _, j2 = group[-1]
        yield f"@@ -{_range(i1, i2)} +{_range(j1, j2)} @@"
        for tag, first, last, start, stop in group:
            if tag == "equal":
                yield from (f" {line}" for line in old[first:last])
            else:
                yield from (f"-{line}" for line in old[first:last])
                yield from (f"+{line}" for line in new[start:stop])


def _range(start: int, stop: int) -> str:
    size = stop - start
    return f"{start + 1}" if size == 1 else f"{start + bool(size)},{size}"


def _codes(pairs: Iterable[tuple[int, int]], old: int, new: int) -> Iterator[_Code]:
    """Turn matched pairs of line numbers into difflib's opcodes."""
    i = j = 0  # where the run of equal lines began
    end_i = end_j = 0
    for next_i, next_j in (*pairs, (old, new)):
        if (next_i, next_j) != (end_i, end_j):
            if end_i > i:
                yield "equal", i, end_i, j, end_j
            yield "replace", end_i, next_i, end_j, next_j
            i, j = next_i, next_j
        end_i, end_j = next_i + 1, next_j + 1
    if old > i:
        yield "equal", i, old, j, new


def _matches(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    i = j = 0
    for next_i, next_j in _anchors(old, new):
        yield from _gap(old[i:next_i], new[j:next_j], i, j)
        yield next_i, next_j
        i, j = next_i + 1, next_j + 1
    yield from _gap(old[i:], new[j:], i, j)


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest row of lines that occur once, in one order, on both sides."""
    once = {line for line, count in Counter(old).items() if count == 1}
    once &= {line for line, count in Counter(new).items() if count == 1}
    new_line = {line: j for j, line in enumerate(new) if line in once}
    ends: list[int] = []  # smallest last new_line of a row, by the length of the row
    rows: list[tuple[int, int, int]] = []  # its pair, and the pair before in `rows`
    last: list[int] = []
    for i, j in ((i, new_line[line]) for i, line in enumerate(old) if line in new_line):
        length = bisect_left(ends, j)
        ends[length : length + 1] = [j]
        last[length : length + 1] = [len(rows)]
        rows.append((i, j, last[length - 1] if length else -1))
    row: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        i, j, at = rows[at]
        row.append((i, j))
    return row[::-1]


def _gap(
    old: Sequence[str], new: Sequence[str], i: int, j: int
) -> Iterator[tuple[int, int]]:
    """Match lines without anchors; `i` and `j` are their first line numbers."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    tail = next(
        (n for n in range(most - head) if old[-1 - n] != new[-1 - n]), most - head
    )
    yield from ((i + n, j + n) for n in range(head))
    old_end, new_end = len(old) - tail, len(new) - tail
    if (old_end - head) * (new_end - head) <= _MAX_GAP:
        inner = SequenceMatcher(
            None, old[head:old_end], new[head:new_end], autojunk=False
        )
        for a, b, size in inner.get_matching_blocks():
            yield from ((i + head + a + n, j + head + b + n) for n in range(size))
    yield from ((i + old_end + n, j + new_end + n) for n in range(tail))
