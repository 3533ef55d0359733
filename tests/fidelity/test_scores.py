"""The JSON-Schema-Test-Suite, as arguments and as results: every schema exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fidelity.__main__ import SETS, generate_set, score
from tests.shared import needs

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@needs("fidelity/suite.json")
def test_every_schema_of_the_suite_is_perfect(tmp_path: Path) -> None:
    suite, _ = SETS
    generate_set(suite, tmp_path)
    scores = [score(suite, role, tmp_path) for role in ("arguments", "results")]
    assert scores == [(799, 799), (799, 799)]
