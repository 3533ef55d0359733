"""Random changes are graded as jsonschema-rs and mypy say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.contract.random_pairs import pairs, real_tools, source_faults, wire_faults

if TYPE_CHECKING:
    from pathlib import Path

# `scripts/drift --random 2000 --mypy 300 --seed 9` tries more.
SEED = "test"


def test_random_changes_are_graded_as_instances_say() -> None:
    tried = [*pairs(SEED, 150, []), *pairs(SEED, 150, real_tools())]
    assert [fault for pair in tried for fault in wire_faults(pair)] == []


@pytest.mark.slow
def test_random_changes_are_graded_as_mypy_says(tmp_path: Path) -> None:
    assert source_faults([*pairs(SEED, 60, [])], tmp_path) == []
