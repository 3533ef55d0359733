"""The short form of scripts/chaos for rows that pass; and cases that have to fail."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.rows import CASES, PASSING, TITLES

ROOT = Path(__file__).parents[2]
FAILING = """
import json, os, sys, time
from pathlib import Path
from tests.chaos.case import Case, judge
from tests.chaos.runner import run_all

def hangs(tally):
    with tally.attempt("waits"):
        time.sleep(60)

def dies(tally):
    with tally.attempt("dies"):
        os._exit(0)

def nothing(tally):
    pass

def breaks(tally):
    raise KeyError("outside")

def twice(tally):
    with tally.attempt("twice"):
        judge(None, 2)

def fine(tally):
    with tally.attempt("fine"):
        judge(None, 1)

cases = [Case(1, f.__name__, f, 1) for f in (hangs, dies, nothing, breaks, twice, fine)]
results = list(run_all(cases, Path(sys.argv[1]), quick=True, jobs=2))
print(json.dumps({r.case.name: [r.attempts, r.passes, len(r.faults)] for r in results}))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.skipif(not PASSING, reason="no row passes yet")
def test_rows_that_pass_go_on_passing() -> None:
    rows = [f"--row={row}" for row in PASSING]
    ran = run("-m", "tests.chaos", "--quick", "--verbose", *rows)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_row_has_cases() -> None:
    assert {case.row for case in CASES} == set(range(1, 39)) == set(TITLES) - {0}


def test_what_hangs_or_dies_or_does_nothing_is_a_failure(tmp_path: Path) -> None:
    ran = run("-c", FAILING, str(tmp_path))
    assert ran.returncode == 0, ran.stderr
    ends = json.loads(ran.stdout)
    assert ends.pop("fine") == [1, 1, 0]
    assert set(ends) == {"hangs", "dies", "nothing", "breaks", "twice"}
    assert all(end == [1, 0, 1] for end in ends.values()), ends
