"""Many changes of one tool take work that grows with their number, not its square."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.contract import diff
from mcp_bindgen.contract.effort import Effort
from mcp_bindgen.contract.judge import Known
from mcp_bindgen.contract.model import ABSENT

from tests.bench.counting import calls
from tests.contract.changes import report, tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

S: dict[str, Any] = {"type": "string"}
INT: dict[str, Any] = {"type": "integer"}


def retyped(number: int) -> None:
    names = [f"p{each}" for each in range(number)]
    report(tool(dict.fromkeys(names, S)), tool(dict.fromkeys(names, INT)))


def renamed(number: int) -> None:
    old, new = ({f"{start}{n}": S for n in range(number)} for start in ("of_", "at_"))
    report(tool(old), tool(new))


@pytest.mark.parametrize("change", [retyped, renamed])
def test_the_work_grows_with_the_number_of_parameters(
    change: Callable[[int], None],
) -> None:
    change(10)  # what only the first comparison costs
    few, many = (calls(partial(change, number)) for number in (200, 400))
    assert many < 2.5 * few


def test_values_are_made_while_there_is_work_left() -> None:
    made: list[int] = []

    def values() -> Iterator[list[int]]:
        for number in range(100):
            made.append(number)
            yield [number] * 9  # ten parts

    effort = Effort(left=1_000)
    share = effort.share(25_000)  # twenty parts for each
    assert [len(value) for value in share.within(values())] == [9, 9]
    assert made == [0, 1]
    assert effort.left == 980
    assert not [*Effort(left=0).share(1).within(values())]
    assert made == [0, 1]


def test_a_change_without_a_proof_still_breaks() -> None:
    """The first values show most changes; the others count by their rules."""
    names = tuple(f"p{each}" for each in range(300))
    old, new = (tool(dict.fromkeys(names, each), names) for each in (S, INT))
    changes = report(old, new).changes
    assert len(changes) == len(names)
    assert {change.wire for change in changes} == {"breaking"}
    assert any(change.witness is not ABSENT for change in changes)


def test_other_tools_take_no_work_from_a_proof_that_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A proof makes an undecided change a breaking one: its grade is its own."""
    patterns, types = (("^a+$", "^a$"), ("string", "integer"))
    pairs = (
        [tool({"p": {"type": "string", "pattern": each}}) for each in patterns],
        [tool({"p": {"type": each}}) for each in types],
    )
    alone = [report(*pair).changes for pair in pairs]
    monkeypatch.setattr(diff, "Known", partial(Known, effort=Effort(left=0)))
    among = [report(*pair).changes for pair in pairs]
    assert [change.unsure for change in among[0]] == [False]
    assert among[0] == alone[0]
    # What breaks by its rule needs no proof; its example takes from the work for all.
    assert [change.witness for change in among[1]] == [ABSENT]
    assert alone[1] == tuple(replace(c, witness={"p": "x"}) for c in among[1])


def test_many_names_of_one_schema_are_not_compared_letter_by_letter() -> None:
    few, many = (
        report(
            tool({f"user_{n}": S for n in range(number)}),
            tool({f"user_{n}_id": S for n in range(number)}),
        )
        for number in (20, 60)
    )
    assert {change.rule for change in few.changes} == {"PARAM_RENAMED_IGNORED"}
    rules = {change.rule for change in many.changes}
    assert rules == {"PARAM_REMOVED_IGNORED", "PARAM_ADDED_OPTIONAL"}


def costly(number: int, end: str) -> dict[str, Any]:
    groups = "(.*)" * 6 + "".join(rf"\{n}" for n in range(1, 7))
    schema = {**S, "pattern": f"{number}{groups}x${end}"}
    return {**tool({"v": schema}), "name": f"t{number}"}


def test_checks_of_costly_patterns_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern may take a million steps for a value: many tools take no hours."""
    effort = Effort(steps=1_000_000)
    monkeypatch.setattr(diff, "Known", lambda: Known(effort=effort))
    old, new = ([costly(n, end) for n in range(20)] for end in ("b", ""))
    rules = [change.rule for change in report(old, new).changes]
    assert rules.count("PARAM_PATTERN_CHANGED") == 20
    assert -3_000_000 < effort.steps <= 0


def test_a_change_that_no_step_is_left_for_is_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old, new = (tool({"a": {"not": INT}}) for _ in range(2))
    old["inputSchema"]["maxProperties"] = 9
    assert report(old, new).wire == "compatible"
    monkeypatch.setattr(diff, "Known", lambda: Known(effort=Effort(steps=0)))
    assert report(old, new).wire == "breaking"
