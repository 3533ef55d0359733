"""Draws lines of a terminal or an editor as SVG, so that a diff says what changed."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["svg"]

_WIDE, _HIGH, _EDGE = 7.23, 19, 14  # of a character, of a line, around all, in pixels


def svg(
    title: str,
    lines: Sequence[str],
    colours: Mapping[str, str],
    box: tuple[int, int, int, int] | None = None,
) -> str:
    """Return lines of text as a picture.

    Args:
        title: Its text for those who do not see it.
        lines: The lines.
        colours: Words to the colours that they have.
        box: Column, row, columns and rows of a brighter ground.
    """
    width = round(2 * _EDGE + _WIDE * max(map(len, lines)))
    height = 2 * _EDGE + _HIGH * len(lines)
    rows = [
        f'<text x="{_EDGE}" y="{_EDGE + 14 + _HIGH * number}" xml:space="preserve">'
        f"{_coloured(line, colours)}</text>"
        for number, line in enumerate(lines)
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="monospace" font-size="12"'
        ' fill="#cdd9e5" role="img">'
    )
    ground = f'<rect width="{width}" height="{height}" rx="6" fill="#1c2128"/>'
    boxes = [_box(*box)] if box else []
    parts = [head, f"<title>{escape(title)}</title>", ground, *boxes, *rows, "</svg>\n"]
    return "\n".join(parts)


def _box(column: int, row: int, columns: int, rows: int) -> str:
    x, y = round(_EDGE + _WIDE * column), _EDGE + _HIGH * row
    size = f'width="{round(_WIDE * columns)}" height="{_HIGH * rows}"'
    return f'<rect x="{x}" y="{y}" {size} rx="4" fill="#2d333b" stroke="#444c56"/>'


def _coloured(line: str, colours: Mapping[str, str]) -> str:
    def span(match: re.Match[str]) -> str:
        return f'<tspan fill="{colours[match[0]]}">{match[0]}</tspan>'

    return re.sub("|".join(map(re.escape, colours)), span, escape(line, quote=False))
