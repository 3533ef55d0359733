"""The short form of scripts/chaos, for the rows that pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.rows import PASSING


@pytest.mark.skipif(not PASSING, reason="no row passes yet")
def test_rows_that_pass_go_on_passing() -> None:
    rows = [f"--row={row}" for row in PASSING]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.chaos", "--quick", "--verbose", *rows],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
