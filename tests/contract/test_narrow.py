"""What is left out of a comparison changes no finding: both ways say the same."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp_bindgen.contract import sketch
from mcp_bindgen.contract.model import ABSENT

from tests.contract.changes import CLOSED, report, tool
from tests.contract.drift import DRIFT, pairs
from tests.contract.test_proofs import SCALARS, SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.model import Report

NAMES = ("owner", "owner_id", "ownerId", "limit", "other", "class", "7")


def graded(compared: Report) -> list[tuple[str, ...]]:
    """Return all of a report but its witnesses, of which many are right."""
    changes = compared.changes
    return sorted(
        (c.rule, c.path, c.symbol, c.wire, c.source, c.message, c.fingerprint)
        for c in changes
    )


def nothing_is_same(_old: Any, _new: Any) -> Sequence[str]:
    return ()


def in_both_ways(old: Any, new: Any) -> tuple[Report, Report]:
    narrow = report(old, new)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketch, "same_members", nothing_is_same)
        return narrow, report(old, new)


@settings(max_examples=150)
@given(
    st.dictionaries(st.sampled_from(NAMES), st.one_of(SCALARS, SCHEMAS), min_size=2),
    st.dictionaries(st.sampled_from(NAMES), st.one_of(SCALARS, SCHEMAS), max_size=2),
    st.tuples(
        st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES), max_size=2)
    ),
    st.sets(st.sampled_from(NAMES), max_size=1),
    st.sampled_from([{}, CLOSED]),
)
def test_members_that_are_the_same_change_no_finding(
    members: dict[str, Any],
    others: dict[str, Any],
    required: tuple[set[str], set[str]],
    gone: set[str],
    more: dict[str, Any],
) -> None:
    after = {n: copy.deepcopy(v) for n, v in members.items() if n not in gone} | others
    old, new = (
        tool(each, tuple(sorted(needed & each.keys())), **more)
        for each, needed in ((members, required[0]), (after, required[0] ^ required[1]))
    )
    for key in ("inputSchema", "outputSchema"):
        before, now = ({**tool(), key: side["inputSchema"]} for side in (old, new))
        narrow, whole = in_both_ways(before, now)
        assert graded(narrow) == graded(whole)
        for mine, full in zip(narrow.changes, whole.changes, strict=True):
            assert mine.witness is not ABSENT or full.witness is ABSENT


@pytest.mark.skipif(not DRIFT.exists(), reason="the shared set is not here")
def test_pairs_of_real_servers_are_compared_the_same_in_both_ways() -> None:
    narrow = [graded(compared) for _, compared in pairs()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketch, "same_members", nothing_is_same)
        assert [graded(compared) for _, compared in pairs()] == narrow
