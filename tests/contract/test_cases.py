"""Each folder of `cases` is a change of a server that a user may meet.

It has both recordings, as `mcp-bindgen diff old.json new.json` reads them, and in
`findings.txt` each finding with its grades on the wire and in source. `options.txt` has
the globs of tools that the settings exclude since the old package was made.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.model import ABSENT, SCHEMAS
from mcp_bindgen.contract.package import package_changes
from mcp_bindgen.contract.rules import rules
from mcp_bindgen.pipeline.settings import Settings

from tests.contract.mutations import table, test_entries

if TYPE_CHECKING:
    from mcp_bindgen.contract.model import Side

CASES = sorted(Path(__file__).with_name("cases").iterdir())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_case_has_its_findings(case: Path) -> None:
    old, new = ((case / f"{side}.json").read_bytes() for side in ("old", "new"))
    options = case / "options.txt"
    if options.exists():
        settings = Settings(exclude=tuple(options.read_text().split()))
        report = package_changes("issues", "new.json", old, new, settings).report
    else:
        report = compare_recordings(old, new)
    said = [
        f"{change.rule} {change.path or change.pointer or '/'}"
        f" wire={change.wire} source={change.source}"
        for change in report.changes
    ]
    assert said == (case / "findings.txt").read_text().splitlines()
    assert case.name.upper() in {change.rule for change in report.changes}
    sides = [
        {tool["name"]: tool for tool in json.loads(data)["tools"]}
        for data in (old, new)
    ]
    for change in report.changes:
        side: Side = "in" if change.path.startswith("in") else "out"
        # Nobody can decide these, or look for a value that proves them.
        is_decided = not change.rule.endswith("_UNDECIDED") and change.path
        if change.wire == "breaking" and is_decided:
            before, after = (tools[change.tool][SCHEMAS[side]] for tools in sides)
            makes, takes = (before, after) if side == "in" else (after, before)
            assert change.witness is not ABSENT
            assert jsonschema_rs.is_valid(makes, change.witness)
            assert not jsonschema_rs.is_valid(takes, change.witness)


def test_each_rule_has_a_case() -> None:
    met = {case.name.upper() for case in CASES}
    for row in table.rows():
        met |= {*row.there.split()[::2], *row.back.split()[::2]}
    for case in test_entries.CASES:
        met |= {*case[3].split()[::2]}
    assert sorted(rules().keys() - met) == []
