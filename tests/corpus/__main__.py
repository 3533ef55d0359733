"""Generates the packages of real servers, imports, types and formats them: a table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import echo

from tests.packages import ROOT, black, generate, mypy, pyright, share_runtime
from tests.shared import SHARED, recordings

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS = (
    *("tools", "left out", "residual", "not-enforced", "renamed", "unwrapped"),
    *("files", "KB"),
)


def main() -> int:
    """Print a row for each server, the totals, and what the checkers find."""
    parser = argparse.ArgumentParser(prog="scripts/corpus", description=__doc__)
    parser.add_argument("names", nargs="*", help="some servers  [default: all]")
    parser.add_argument("--keep", type=Path, help="keep the packages in this folder")
    chosen = parser.parse_args()
    sources = recordings()
    names = chosen.names or [*sources]
    if not sources or not {*names} <= sources.keys():
        echo(f"nothing in {SHARED / 'corpus'} for {' '.join(chosen.names)}", err=True)
        return 2
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
        return check({name: sources[name] for name in names}, chosen.keep.resolve())
    with tempfile.TemporaryDirectory() as folder:
        return check({name: sources[name] for name in names}, Path(folder))


def check(recorded: dict[str, Path], folder: Path) -> int:
    """Generate into a folder and check all of it; return the exit code."""
    echo(f"{'server':28}" + "".join(f"{column:>13}" for column in COLUMNS))
    rows = [row(name, path, folder) for name, path in recorded.items()]
    echo(line(f"all {len(rows)}", [sum(column) for column in zip(*rows, strict=True)]))
    left_out = sum(values[1] for values in rows)
    return 1 if left_out + sum(verdicts(folder, [*recorded])) else 0


def row(name: str, recording: Path, folder: Path) -> list[int]:
    """Generate one package and print what it has."""
    report = folder / "report.json"
    generate(
        *(recording, "-o", folder, "--name", name, "--report", report, "--quiet"),
    )
    facts: dict[str, Any] = json.loads(report.read_text())
    report.unlink()
    kinds = [{note["kind"] for note in t["notes"]} for t in facts["tools"].values()]
    files = [path for path in (folder / name).rglob("*") if path.is_file()]
    values = [len(facts["tools"]), len(facts["problems"])]
    values += [sum(kind in sources for sources in kinds) for kind in COLUMNS[2:6]]
    values += [len(files), sum(path.stat().st_size for path in files) // 1024]
    echo(line(name, values))
    return values


def line(name: str, values: Sequence[int]) -> str:
    return f"{name:28}" + "".join(f"{value:>13,}" for value in values)


def verdicts(folder: Path, names: list[str]) -> list[int]:
    """Run all checks, each once over everything, and print what they find."""
    codes: list[int] = []
    command = (sys.executable, "-m", "tests.load", str(folder), *names)
    started = time.monotonic()
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    codes.append(report("imports and models", ran.returncode, ran.stderr, started))
    started = time.monotonic()
    codes.append(report("black --check", *black(folder), started))
    share_runtime(folder)
    for checker in (mypy, pyright):
        started = time.monotonic()
        codes.append(report(f"{checker.__name__} strict", *checker(folder), started))
    return codes


def report(check: str, code: int, output: str, started: float) -> int:
    seconds = f"{time.monotonic() - started:.0f} s"
    echo(f"{check:28}{'clean' if code == 0 else 'FINDINGS':>13}{seconds:>13}")
    if code:
        echo(output)
    return code


if __name__ == "__main__":
    sys.exit(main())
