"""Shortens a recording beside another one: a tool of equal text is not read again.

The text of a tool that was read stands for a JSON value. A mark, which is a JSON
string, takes its stead, and JSON that is sound with one value is sound with another.
No mark is in a string of the file, since no string of JSON has a line break. The caller
makes sure that each mark is an element of the list of tools.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_bindgen.limits import Limits
    from mcp_bindgen.recording.mismatch import JsonObject

__all__ = ["Shortened", "shortened"]

# Where one of the tools begins and ends in a file that `dump` or `arrange` wrote.
_BEGIN, _END = "\n    {\n", "\n    }"
# Nobody can write a mark into a file, since it is random.
_MARK = secrets.token_hex(16)
# No double is written with more characters.
_MOST_DIGITS = 24
_VALUES = (b",", b"[", b"{")


class Shortened(NamedTuple):
    """A recording with marks in it.

    Attributes:
        data: Its bytes.
        marked: Each mark with the tool that it stands for.
    """

    data: bytes
    marked: Mapping[str, JsonObject]


def shortened(
    data: bytes, texts: Mapping[str, JsonObject], limits: Limits
) -> Shortened | None:
    """Return a recording with a mark for each tool of a known text.

    Args:
        data: The bytes of the recording.
        texts: The texts of tools that were read within the same limits, as `dump`
            writes them, each with its tool.
        limits: The limits on the recording.

    Returns:
        The recording; None where it has none of the tools, or may be over a limit.
    """
    if not data.isascii() or _may_exceed(data, limits):
        return None
    head, *pieces = data.decode("ascii").split(_BEGIN)
    parts, marked = [head], dict[str, "JsonObject"]()
    for number, piece in enumerate(pieces):
        body, end, rest = piece.partition(_END)
        tool = texts.get(f"{{\n{body}{end}")
        if tool is None:
            parts += (_BEGIN, piece)
        else:
            mark = f"{_MARK}{number}"
            marked[mark] = tool
            parts += (f'\n    "{mark}"', rest)
    return Shortened("".join(parts).encode(), marked) if marked else None


def _may_exceed(data: bytes, limits: Limits) -> bool:
    """Return whether a file may be over a limit that its tools are not over."""
    values = 1 + sum(map(data.count, _VALUES))
    return (
        len(data) > limits.bytes
        or values > limits.nodes
        or limits.digits < _MOST_DIGITS
    )
