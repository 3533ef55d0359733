"""The figures of earlier commits, and the change against the last of them."""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.bench.measure import Row

__all__ = ["changes", "commit", "remember"]

_ROOT = Path(__file__).parents[2]


def commit() -> str:
    """Return the commit that is measured, with "+" where files differ from it."""
    command = ["git", "describe", "--always", "--exclude=*", "--dirty=+"]
    ran = subprocess.run(
        command, cwd=_ROOT, capture_output=True, text=True, check=False
    )
    return ran.stdout.strip() or "no commit"


def remember(file: Path, name: str, table: Sequence[Row]) -> list[str]:
    """Add the figures of a commit to a history, in place of earlier ones of it.

    Args:
        file: The history; it is made if it is missing.
        name: The commit.
        table: The figures.

    Returns:
        The lines of the change against the last other commit.
    """
    history: list[dict[str, Any]] = []
    if file.exists():
        history = json.loads(file.read_text("utf-8"))
    others = [entry for entry in history if entry["commit"] != name]
    entry = {"commit": name, "python": platform.python_version(), **_figures(table)}
    file.write_text(json.dumps([*others, entry], indent=2) + "\n", "utf-8")
    if not others:
        return [f"{file.name}: {name} is the first commit in it"]
    return changes(others[-1], entry)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return a line for each figure of two commits: both, and their ratio.

    Args:
        before: The entry of a commit in the history.
        after: That of a later one.
    """
    title = f"{before['commit']} to {after['commit']}"
    lines = [f"{title:<50}{'before':>15}{'after':>15}{'ratio':>8}"]
    for kind in ("cpu", "work"):
        for what, now in after[kind].items():
            if earlier := before[kind].get(what):
                pair = f"{earlier:>15,.6g}{now:>15,.6g}"
                lines.append(f"{what:<50}{pair}{now / earlier:>8.3f}")
    return lines


def _figures(table: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Return the medians of processor seconds, and counts of work, by what they are."""
    sound = {_name(row): row for row in table if not row.failure}
    return {
        "cpu": {k: statistics.median(row.cpu) for k, row in sound.items() if row.cpu},
        "work": {k: row.work for k, row in sound.items() if row.work},
    }


def _name(row: Row) -> str:
    return f"{row.what}, {row.tools} tools" if row.tools else row.what
