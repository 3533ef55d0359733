"""Makes the pictures of the documentation: `python -m tests.docs_site.pictures`.

The terminal is a text, so that a diff of the picture says what changed.
"""

from __future__ import annotations

import json
import re
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.commands import run
from tests.docs_site.pages import ROOT

__all__ = ["diff"]

_RECORDING = ROOT / "generated" / "catalog" / "recording.json"
_WIDE, _HIGH, _EDGE = 7.23, 19, 14  # of a character, of a line, around all, in pixels
_COLOURS = {"wire+source": "#f47067", "compatible": "#8ddb8c", "breaking": "#f47067"}


def diff() -> str:
    """Return the picture of a breaking and a compatible change, as SVG."""
    changed = json.loads(_RECORDING.read_text("utf-8"))
    tool = next(t for t in changed["tools"] if t["name"] == "search_metadata")
    tool["inputSchema"]["properties"].pop("minScore")
    tool["inputSchema"]["additionalProperties"] = False
    tool["outputSchema"]["properties"]["took"] = {"type": "integer"}
    with TemporaryDirectory() as folder:
        new = Path(folder) / "new.json"
        new.write_text(json.dumps(changed), "utf-8")
        result = run("diff", str(_RECORDING), str(new))
    said = f"{result.stdout}{result.stderr}".splitlines()
    return _svg(["$ mcp-bindgen diff old.json new.json", *said])


def _svg(lines: list[str]) -> str:
    width = round(2 * _EDGE + _WIDE * max(map(len, lines)))
    height = 2 * _EDGE + _HIGH * len(lines)
    rows = [
        f'<text x="{_EDGE}" y="{_EDGE + 14 + _HIGH * number}" xml:space="preserve">'
        f"{_coloured(line)}</text>"
        for number, line in enumerate(lines)
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="monospace" font-size="12"'
        ' fill="#cdd9e5" role="img">'
    )
    return "\n".join(
        [
            head,
            f"<title>{escape(lines[0])}</title>",
            f'<rect width="{width}" height="{height}" rx="6" fill="#1c2128"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _coloured(line: str) -> str:
    def span(match: re.Match[str]) -> str:
        return f'<tspan fill="{_COLOURS[match[0]]}">{match[0]}</tspan>'

    return re.sub("|".join(map(re.escape, _COLOURS)), span, escape(line, quote=False))


if __name__ == "__main__":
    target = ROOT / "docs" / "images" / "diff.svg"
    target.write_text(diff(), "utf-8")
    sys.stdout.write(f"{target}\n")
