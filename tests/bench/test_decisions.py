"""A decision of a policy calls few functions; without one, a call takes no more."""

from __future__ import annotations

import pytest

from tests.bench.counting import calls
from tests.bench.decisions import CASES, Case, decision_of, without_policy

_MOST = 60
"""Calls of functions in one decision; before they were counted, the most were 67."""
_SHARE = 0.05
"""Of the client's part of a call; a real one waits for a server, too."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_a_decision_calls_few_functions(case: Case) -> None:
    decided = decision_of(case)
    assert decided() == case.effect
    assert calls(decided) <= _MOST


def test_a_call_without_a_policy_takes_no_steps_for_policies() -> None:
    client, bare = without_policy()
    assert bare <= client <= bare * (1 + _SHARE)
