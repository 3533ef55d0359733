"""Turns off each defence in a copy of the project and shows that a test fails.

    scripts/mutate [NAME...]

A mutant that survives makes the exit code 1.
"""

# ruff: noqa: T201 - a program, whose output is the table

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.hostile.mutant import Mutant
from tests.hostile.mutants import MUTANTS

__all__: list[str] = []

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("generator/mcp_bindgen")


def main(names: list[str]) -> int:
    """Try the mutants of these names, or all of them."""
    chosen = {
        k: m for k, m in MUTANTS.items() if not names or any(n in k for n in names)
    }
    for tests in sorted({mutant.tests for mutant in chosen.values()}):
        # A test that fails anyway would catch everything.
        if failed := _failed(Mutant("source.py", "", "", tests)):
            print(f"{tests} fails without any mutant: {failed}")
            return 2
    survivors = 0
    for name, mutant in chosen.items():
        failed = _failed(mutant)
        survivors += not failed
        print(f"{'caught' if failed else 'SURVIVED':9} {name}: {failed}", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants are caught")
    return 1 if survivors else 0


def _failed(mutant: Mutant) -> str:
    """Return the first test that fails in a copy with a mutant, "" for none."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for part in ("generator", "templates", "tests", "generated"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, place / part, ignore=ignored)
        for part in ("pyproject.toml", "SECURITY.md"):
            shutil.copy(ROOT / part, place)
        file = place / PACKAGE / mutant.file
        text = file.read_text("utf-8")
        if mutant.old and text.count(mutant.old) != 1:
            sys.exit(f"{mutant.file} has changed: {mutant.old!r} must stand there once")
        if mutant.old:
            file.write_text(text.replace(mutant.old, mutant.new), "utf-8")
        quick = ("-qx", "-p", "no:cacheprovider")
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", *quick, *mutant.tests.split()],
            cwd=place,
            env={**os.environ, "PYTHONPATH": f"{place / 'generator'}"},
            capture_output=True,
            text=True,
            check=False,
        )
    failed = [line for line in ran.stdout.splitlines() if line.startswith("FAILED")]
    return failed[0].split("::")[-1].split(" - ")[0][:70] if failed else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
