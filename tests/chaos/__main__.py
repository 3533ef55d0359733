# ruff: noqa: T201 - a program, whose output is the table
"""Tries every promise of the runtime on a generated package, and prints the table.

    scripts/chaos [--row N]... [--quick] [--soak [N]] [--verbose]

The exit code is 0 if all passes, 1 if not, 2 if nothing could be tried.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.drive import package
from tests.chaos.package import generate
from tests.chaos.rows import CASES, TITLES
from tests.chaos.runner import Result, run_all
from tests.chaos.soak import soak_cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.chaos.case import Case

__all__ = ["tried"]

_MOST_FAULTS = 4


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/chaos", description="Try every promise of the runtime."
    )
    parser.add_argument("--row", type=int, action="append", metavar="N", default=[])
    parser.add_argument("--quick", action="store_true", help="fewer attempts, for CI")
    parser.add_argument("--soak", type=int, nargs="?", const=100_000, metavar="CALLS")
    parser.add_argument("--jobs", type=int, help="cases at a time (8 if quick, else 4)")
    parser.add_argument("--verbose", action="store_true", help="show every failure")
    return parser


def tried(rows: Sequence[int], *, quick: bool, jobs: int) -> list[Result]:
    """Run the cases of some rows, or of all; see `run_cases`."""
    cases = [case for case in CASES if not rows or case.row in rows]
    return run_cases(cases, quick=quick, jobs=jobs)


def run_cases(cases: Sequence[Case], *, quick: bool, jobs: int) -> list[Result]:
    """Run cases against a package that the command generates for them."""
    with tempfile.TemporaryDirectory(prefix="chaos-") as name:
        folder = Path(name)
        generate(folder, "chaospkg")
        _load()
        results: list[Result] = []
        for result in run_all(cases, folder, quick=quick, jobs=jobs):
            results.append(result)
            _progress(result, len(cases) - len(results))
        return results


def _progress(result: Result, left: int) -> None:
    """Say on stderr which case ended: a whole run takes minutes."""
    case = result.case
    ends = f"{result.passes} of {result.attempts} pass"
    line = f"{case.row} {case.name}: {ends}, {result.seconds:.1f} s; {left} to go"
    print(line, file=sys.stderr, flush=True)


def _load() -> None:
    """Import what cases need before they are forked."""
    for library in ("anyio._backends._asyncio", "httpcore", "opentelemetry.propagate"):
        importlib.import_module(library)
    module = package()
    client = module.Client.http("http://127.0.0.1:9/mcp")
    _ = client.read_item, client.change_item, client.put_item
    client.close()


def _report(results: list[Result], *, verbose: bool) -> None:
    for row in sorted({result.case.row for result in results}):
        of = [result for result in results if result.case.row == row]
        cases, passes = sum(r.attempts for r in of), sum(r.passes for r in of)
        title = TITLES[row]
        seconds = sum(r.seconds for r in of)
        print(f"{row:3}  {title:50} {cases:6,} cases {passes:6,} pass {seconds:6.1f} s")
        for note in (note for result in of for note in result.notes):
            print(f"     {note}")
        faults = [(r.case.name, *fault) for r in of for fault in r.faults]
        for name, attempt, reason in faults[: None if verbose else _MOST_FAULTS]:
            print(f"     - {name} [{attempt}]: {reason}")
        if len(faults) > _MOST_FAULTS and not verbose:
            print(f"     - and {len(faults) - _MOST_FAULTS} more")
    total: Counter[str] = Counter()
    for result in results:
        total["cases"] += result.attempts
        total["passes"] += result.passes
        total["deliveries"] += result.deliveries
        total["lost"] += result.lost
        total["twice"] += result.twice
    names = ", ".join(
        f"{total[name]:,} {name}"
        for name in ("cases", "passes", "deliveries", "lost", "twice")
    )
    memory = max((result.memory for result in results), default=0)
    print(f"{names}; {memory / 1e6:,.0f} MB at most")


def _leave(*_: object) -> None:
    sys.exit(2)


def main() -> int:
    """Print the table."""
    options = _parser().parse_args()
    if unknown := set(options.row) - set(TITLES):
        print(
            f"there is no row {min(unknown)}; hint: 1 to {max(TITLES)}", file=sys.stderr
        )
        return 2
    # Cases lead groups of their own: they are ended where this process is.
    signal.signal(signal.SIGTERM, _leave)
    jobs = options.jobs or (8 if options.quick else 4)
    try:
        if options.soak:
            results = run_cases(soak_cases(options.soak), quick=False, jobs=1)
        else:
            results = tried(options.row, quick=options.quick, jobs=jobs)
    except (RuntimeError, OSError) as error:
        print(f"nothing was tried: {error}", file=sys.stderr)
        return 2
    _report(results, verbose=options.verbose)
    return 1 if any(result.faults for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
