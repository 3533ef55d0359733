"""The changes of a cassette's tools since it was recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.hidden import one_line
from mcp_bindgen.recording.document import dump

if TYPE_CHECKING:
    from mcp_bindgen.recording.document import Recording

__all__ = ["breaking_changes"]


def breaking_changes(cassette: Recording, now: Recording) -> list[str]:
    """Return a line for each breaking change, with the rule of `diff`.

    Args:
        cassette: The tools as they were recorded with their calls.
        now: The same tools of the package.
    """
    before = dump(replace(cassette, server={}, instructions=None, calls=()))
    report = compare_recordings(before.encode(), dump(now).encode())
    return [
        one_line(f"{change.rule}: {change.tool}: {change.message}")
        for change in report.changes
        if change.grade == "breaking"
    ]
