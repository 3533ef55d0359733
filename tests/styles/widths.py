"""Lays out a package at each width by black, as `generate` does; ruff finds nothing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from click import echo
from mcp_bindgen.pipeline.formatting import by_black
from mcp_bindgen.python.style import Style

from tests.packages import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["sweep"]

PACKAGE = ROOT / "generated" / "catalog"


def sweep(widths: Iterable[int]) -> int:
    """Print a row for each width; return 1 where ruff would change a file."""
    return max([_row(width) for width in widths])


def _row(width: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        for path in PACKAGE.rglob("*.py"):
            copy = Path(folder, path.relative_to(PACKAGE))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(by_black(path.read_text("utf-8"), Style(width)), "utf-8")
        words = ("ruff", "format", "--isolated", "--no-cache", "--diff")
        ran = subprocess.run(
            [sys.executable, "-m", *words, "--line-length", str(width), folder],
            capture_output=True,
            text=True,
            check=False,
        )
    echo(f"{width:4} columns: {ran.stderr.strip()}")
    echo("".join(f"  {line}\n" for line in ran.stdout.splitlines()), nl=False)
    return int(bool(ran.returncode))
