"""The table that `scripts/corpus` prints, of two real servers.

What its checkers say of more of them is seen in tests/bindings/test_checkers.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.corpus import __main__ as program
from tests.shared import needs, recordings

if TYPE_CHECKING:
    from pathlib import Path


@needs("corpus")
@pytest.mark.parametrize("findings", [0, 1])
def test_a_row_for_each_server_and_the_totals(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    findings: int,
) -> None:
    checked: list[str] = []

    def verdicts(folder: Path, names: list[str]) -> list[int]:
        checked.extend(name for name in names if (folder / name).is_dir())
        return [0, findings]

    monkeypatch.setattr(program, "verdicts", verdicts)
    chosen = {name: recordings()[name] for name in ("slack_ref", "mcp_server_time")}
    assert program.check(chosen, tmp_path) == findings
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows] == ["server", *chosen, "all"]
    tools = [int(row[-8]) for row in rows[1:]]
    assert tools[0] + tools[1] == tools[2] > 2
    assert checked == [*chosen]
