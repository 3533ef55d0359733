"""Grades the pairs and the mutations of the shared set, and prints the score."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.model import worst
from mcp_bindgen.contract.rules import page

from tests.contract.random_pairs import main as random_pairs
from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_bindgen.contract.model import Report

DRIFT = SHARED / "drift"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"
# What our names do where the grade depends on the generator's names: each of two tools
# whose Python name would be the same says how it is spelled, so the old name is gone;
# the name of a definition is in no name of a class.
NAMES = {
    "tool-name-collision-earlier": {"source": "breaking"},
    "param-def-renamed": {"source": "none"},
    "output-def-renamed": {"source": "none"},
}
AXES = ("wire", "wire_strict", "source")


class Score(NamedTuple):
    """One graded pair: what was expected and what was said, by axis."""

    name: str
    expected: Mapping[str, str]
    said: Mapping[str, str]

    @property
    def is_right(self) -> bool:
        return all(self.said[axis] == grade for axis, grade in self.expected.items())


def pairs() -> Iterator[tuple[dict[str, Any], Report]]:
    """Yield each pair of real recordings with our report."""
    for pair in json.loads((DRIFT / "pairs.json").read_text()):
        old, new = (
            (DRIFT / pair[side]["file"]).read_bytes() for side in ("old", "new")
        )
        yield pair, compare_recordings(old, new)


def pair_scores() -> Iterator[Score]:
    """Yield the score of each pair, and below it that of each tool."""
    for pair, report in pairs():
        said = {axis: getattr(report, axis) for axis in AXES}
        expected = {axis: pair[axis] for axis in AXES}
        yield Score(
            pair["id"],
            {**expected, "bump": pair["suggested_bump"]},
            {**said, "bump": report.bump},
        )
        for tool, graded in pair["tools"].items():
            if not graded.get("uncertain"):
                yield tool_score(f"{pair['id']} {tool}", tool, graded, report)


def tool_score(name: str, tool: str, graded: dict[str, Any], report: Report) -> Score:
    own = [change for change in report.changes if change.tool == tool]
    said = {
        "wire": worst(change.wire for change in own),
        "source": worst(change.source for change in own),
    }
    return Score(name, {axis: graded[axis] for axis in said}, said)


def mutation_scores() -> Iterator[Score]:
    """Yield the score of each mutation that is not uncertain."""
    for file in sorted((DRIFT / "mutations").glob("*.json")):
        mutation = json.loads(file.read_text())
        old, new = (json.dumps(mutation[side]).encode() for side in ("old", "new"))
        report = compare_recordings(old, new)
        said = {axis: getattr(report, axis) for axis in ("wire", "source")}
        rules = " ".join(sorted({change.rule for change in report.changes}))
        expected = {axis: mutation["expected"][axis] for axis in said}
        if mutation["expected"].get("source_is_generator_dependent"):
            expected.update(NAMES.get(mutation["id"], {}))
        name = f"{mutation['id']} [{rules}]"
        yield Score(name, expected, said)


def main() -> int:
    """Print what is graded wrong, and the score; with --docs, write the page."""
    if "--docs" in sys.argv:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(), "utf-8")
        return 0
    if "--random" in sys.argv:
        return random_pairs(sys.argv[1:])
    wrong = 0
    for title, scores in (("pairs", pair_scores()), ("mutations", mutation_scores())):
        listed = [*scores]
        for score in listed:
            if not score.is_right:
                sys.stdout.write(f"{score.name}: {score.expected} {score.said}\n")
        right = sum(score.is_right for score in listed)
        wrong += len(listed) - right
        sys.stdout.write(f"{title}: {right} of {len(listed)} right\n")
        sys.stdout.writelines(f"  {row}\n" for row in table(listed))
    return 1 if wrong else 0


def table(scores: Sequence[Score]) -> Iterator[str]:
    """Yield a line for each axis: breaking ones that were said, missed, and false."""
    for axis in AXES:
        pairs_ = [
            (score.expected[axis] == "breaking", score.said[axis] == "breaking")
            for score in scores
            if axis in score.expected
        ]
        hits, missed, false, others = (
            pairs_.count(each)
            for each in ((True, True), (True, False), (False, True), (False, False))
        )
        if pairs_:
            yield (
                f"{axis:12} breaking and said {hits:3}, missed {missed:3},"
                f" false {false:3}; not breaking {others:3}"
            )


if __name__ == "__main__":
    sys.exit(main())
