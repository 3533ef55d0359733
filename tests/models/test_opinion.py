"""A second opinion on some real schemas: ours are never the wrong ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.models.opinion import INSTANCES, disagreements, opinion
from tests.shared import needs

if TYPE_CHECKING:
    from pathlib import Path


# The sentinel of the other's models has moved in Pydantic 2.14.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@needs("fidelity/instances.json")
def test_where_models_disagree_ours_are_right(tmp_path: Path) -> None:
    tools = json.loads(INSTANCES.read_text())["tools"][::30]
    table = disagreements(tools, tmp_path)
    assert table["both are right"] > 300
    assert not [row for row in table if row.startswith("ours is wrong")]


def test_the_judge_decides_who_is_wrong() -> None:
    assert opinion(valid=True, ours=False, theirs=True).startswith("ours is wrong")
    assert opinion(valid=False, ours=True, theirs=True).startswith("ours is wrong")
    assert opinion(valid=False, ours=False, theirs=True).startswith("the other")
    assert opinion(valid=True, ours=True, theirs=True) == "both are right"
