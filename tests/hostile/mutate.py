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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tests.hostile.mutant import mutated
from tests.hostile.mutants import MUTANTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.hostile.mutant import Mutant

__all__: list[str] = []

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("generator/mcp_bindgen")


def main(words: list[str]) -> int:
    """Try the mutants whose names have one of these words, or all of them."""
    chosen = {
        name: mutant
        for name, mutant in MUTANTS.items()
        if not words or any(word in name for word in words)
    }
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        sets = sorted({mutant.tests for mutant in chosen.values()})
        for tests, failed in zip(sets, pool.map(_fails_anyway, sets), strict=True):
            if failed:
                print(f"{tests} fails without any mutant: {failed}")
                return 2
        survivors = 0
        caught = pool.map(_first_failure, chosen.values())
        for name, failed in zip(chosen, caught, strict=True):
            survivors += not failed
            print(
                f"{'caught' if failed else 'SURVIVED':9} {name}: {failed}", flush=True
            )
    print(f"{len(chosen) - survivors} of {len(chosen)} mutants are caught")
    return 1 if survivors else 0


def _fails_anyway(tests: str) -> str:
    """Return the first of some tests that fails though nothing is turned off.

    Such a test would catch everything. All statements that mutants of these tests
    change are written anew, so that none is caught for how it is written.
    """
    own = [mutant for mutant in MUTANTS.values() if mutant.tests == tests]
    return _failed(tests, own, harmless=True)


def _first_failure(mutant: Mutant) -> str:
    """Return the first test that fails with a mutant, "" for none."""
    return _failed(mutant.tests, [mutant], harmless=False)


def _failed(tests: str, mutants: Iterable[Mutant], *, harmless: bool) -> str:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        _copy_project(copy)
        for mutant in mutants:
            file = copy / PACKAGE / mutant.file
            source = file.read_text("utf-8")
            file.write_text(mutated(source, mutant, harmless=harmless), "utf-8")
        quick = ("-qx", "-p", "no:cacheprovider")
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", *quick, *tests.split()],
            cwd=copy,
            env={**os.environ, "PYTHONPATH": f"{copy / 'generator'}"},
            capture_output=True,
            text=True,
            check=False,
        )
    if ran.returncode > 1:  # 2, say, where a module cannot be imported: no proof
        raise RuntimeError(f"pytest {tests} ends with {ran.returncode}:\n{ran.stdout}")
    lines = ran.stdout.splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split("::")[-1].split(" - ")[0][:70] if failed else ""


def _copy_project(folder: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    for part in ("generator", "templates", "tests", "generated"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    for part in ("pyproject.toml", "SECURITY.md"):
        shutil.copy(ROOT / part, folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
