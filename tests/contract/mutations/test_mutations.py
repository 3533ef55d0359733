"""Each change of the table has its rules and grades; mypy proves those in source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.changes import report
from tests.contract.mutations.programs import (
    breaking,
    files_with_errors,
    write_callers,
)
from tests.contract.mutations.table import rows

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_bindgen.contract.model import Report

GRADES = {"breaking": "B", "compatible": "C", "text": "T", "none": "-"}
ROWS = rows()
WAYS = [
    (f"{row.name} {way}", *each)
    for row in ROWS
    for way, each in (
        ("there", (row.old, row.new, row.there)),
        ("back", (row.new, row.old, row.back)),
    )
]


def findings(compared: Report) -> list[str]:
    """Return each finding as the table has it, sorted."""
    return sorted(
        f"{change.rule} {GRADES[change.wire]}{GRADES[change.source]}"
        for change in compared.changes
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [way[1:] for way in WAYS],
    ids=[way[0] for way in WAYS],
)
def test_a_change_has_its_rules_and_grades(old: Any, new: Any, expected: str) -> None:
    compared = report(old, new)
    words = expected.split()
    rules = zip(words[::2], words[1::2], strict=True)
    assert findings(compared) == sorted(f"{rule} {grades}" for rule, grades in rules)
    assert not compared.problems


@pytest.mark.slow
def test_grades_in_source_are_what_mypy_says(tmp_path: Path) -> None:
    has_errors = write_callers(tmp_path, [(row.old, row.new) for row in ROWS])
    assert sorted(files_with_errors(tmp_path) ^ breaking(has_errors)) == []
    assert len(breaking(has_errors)) > len(ROWS) / 2
