# ruff: noqa: T201 - a program, whose output is the table
"""Runs all hostile cases and prints the table; exits with 1 where one is at fault.

    scripts/hostile [--every N [--first K]] [--jobs N] [NAME...]

Four runs with `--every 4` and `--first` from 0 to 3 are a whole one.
NAME: only cases whose name has this in it.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.hostile.runner import Result, chosen, run_all

__all__: list[str] = []


def _table(results: list[Result]) -> str:
    head = ("kind", "cases", "refused", "left out", "generated", "worst s", "worst MB")
    rows: list[tuple[str, ...]] = [head]
    kinds = {"bombs": True, "others": False, "all": None}
    for kind, is_bomb in kinds.items():
        of = [r for r in results if is_bomb in (None, r.name.startswith("bomb:"))]
        if of:
            rows.append((kind, *_counts(of)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def _counts(results: list[Result]) -> tuple[str, ...]:
    refused = sum(result.code == 2 for result in results)
    left_out = sum(result.code != 2 and result.left_out > 0 for result in results)
    return (
        f"{len(results):,}",
        f"{refused:,}",
        f"{left_out:,}",
        f"{len(results) - refused - left_out:,}",
        f"{max(result.seconds for result in results):.1f}",
        f"{max(result.memory for result in results) / 1e6:,.0f}",
    )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="scripts/hostile")
    parser.add_argument("--every", type=int, default=1, help="run each Nth case only")
    parser.add_argument("--first", type=int, default=0, help="begin with this case")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    numbers = chosen(options.names)[options.first :: options.every]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = run_all(numbers, pool)
    print(_table(results))
    for result in sorted(results, key=lambda r: -r.seconds)[:5]:
        print(
            f"  {result.seconds:5.2f} s {result.memory / 1e6:5,.0f} MB  {result.name}"
        )
    guilty = [result for result in results if result.faults]
    for result in guilty:
        print(f"FAULT {result.name}: {'; '.join(result.faults)[:400]}")
    print(f"{len(guilty):,} at fault")
    return 1 if guilty else 0


if __name__ == "__main__":
    sys.exit(main())
