"""Each change of the table has its rules and grades; mypy proves those in source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.plan import plan
from mcp_bindgen.recording.document import load

from tests.contract.changes import recording, report
from tests.contract.mutations.callers import caller
from tests.contract.mutations.table import rows
from tests.packages import generate, mypy, share_runtime

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


def findings(found: Report) -> list[str]:
    """Return each finding as the table has it, sorted."""
    return sorted(
        f"{change.rule} {GRADES[change.wire]}{GRADES[change.source]}"
        for change in found.changes
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [way[1:] for way in WAYS],
    ids=[way[0] for way in WAYS],
)
def test_a_change_has_its_rules_and_grades(old: Any, new: Any, expected: str) -> None:
    found = report(old, new)
    words = expected.split()
    rules = zip(words[::2], words[1::2], strict=True)
    assert findings(found) == sorted(f"{rule} {grades}" for rule, grades in rules)
    assert not found.problems


def renamed(tools: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """Return tools with names of their own, so that one package has all of them."""
    return [{**tool, "name": f"m{number}_{tool['name']}"} for tool in tools]


def write_callers(folder: Path) -> dict[str, bool]:
    """Write programs for both packages; return file to whether it has errors."""
    sides = {
        "old": [renamed(row.old, number) for number, row in enumerate(ROWS)],
        "new": [renamed(row.new, number) for number, row in enumerate(ROWS)],
    }
    has_errors: dict[str, bool] = {}
    for side, other in (("old", "new"), ("new", "old")):
        data = recording(*(tool for tools in sides[side] for tool in tools))
        (folder / f"{side}.json").write_bytes(data)
        arguments = ("--name", f"{side}_side", "-o", folder)
        assert generate(folder / f"{side}.json", *arguments).code == 0
        for number, tools in enumerate(sides[side]):
            loaded, _ = load(recording(*tools))
            breaks = report(tools, sides[other][number]).source == "breaking"
            for package, has_error in ((side, False), (other, breaks)):
                name = f"{side}_on_{package}_{number}.py"
                parts = (caller(tool, f"{package}_side") for tool in plan(loaded))
                (folder / name).write_text("\n".join(parts))
                has_errors[name] = has_error
    share_runtime(folder)
    return has_errors


@pytest.mark.slow
def test_grades_in_source_are_what_mypy_says(tmp_path: Path) -> None:
    has_errors = write_callers(tmp_path)
    said = mypy(tmp_path).stderr
    wrong = {*re.findall(r"^(\w+\.py):\d+: error", said, re.MULTILINE)}
    expected = {name for name, breaks in has_errors.items() if breaks}
    assert sorted(wrong ^ expected) == []
    assert len(expected) > len(ROWS) / 2
