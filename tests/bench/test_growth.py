"""The work of generation grows with the number of tools, and not faster."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.bench.counting import calls, generated, work
from tests.bench.history import remember
from tests.bench.measure import Row

if TYPE_CHECKING:
    from pathlib import Path

_SIZES = (50, 200, 800)
# The last tools may cost so much more than the first: names and paths get longer.
_GROWTH = 1.05


def _recording(tools: int) -> bytes:
    """Return a recording of tools that differ in their names only."""
    owner = {"type": "object", "properties": {"name": {"type": "string"}}}
    limit = {"type": "integer", "minimum": 1, "description": "The most hits."}
    properties = {"owner": owner, "limit": limit}
    schema = {"type": "object", "properties": properties, "required": ["limit"]}
    listed = [
        {"name": f"find_{number:05}", "description": "Find.", "inputSchema": schema}
        for number in range(tools)
    ]
    return json.dumps({"tools": listed}).encode()


def test_the_work_grows_in_a_straight_line() -> None:
    totals = {tools: generated(_recording(tools), calls) for tools in _SIZES}
    each = [
        (more - fewer) / (last - first)
        for (first, fewer), (last, more) in pairwise(totals.items())
    ]
    assert each[1] <= each[0] * _GROWTH, totals


def test_work_is_the_same_each_time() -> None:
    first = work(lambda: sum(n for n in range(10)))
    assert first == work(lambda: sum(n for n in range(10))) > 0
    assert work(lambda: sum(n for n in range(100))) > first


def test_a_history_says_what_a_commit_changed(tmp_path: Path) -> None:
    file = tmp_path / "history.json"

    def row(seconds: float, number: int) -> list[Row]:
        return [
            Row("generate", 10, cpu=(seconds, 9.0, seconds), wall=(1.0, 1.0, 1.0)),
            Row("counted", 10, work=number, unit="calls"),
            Row("broken", failure="no such file"),
        ]

    assert remember(file, "one", row(2.0, 1000)) == [
        "history.json: one is the first commit in it"
    ]
    remember(file, "two", row(4.0, 1500))
    title, cpu, count = remember(file, "two", row(1.0, 1100))
    assert title.split() == ["one", "to", "two", "before", "after", "ratio"]
    assert cpu.split() == ["generate,", "10", "tools", "2", "1", "0.500"]
    assert count.split() == ["counted,", "10", "tools", "1,000", "1,100", "1.100"]
    assert [e["commit"] for e in json.loads(file.read_text("utf-8"))] == ["one", "two"]
