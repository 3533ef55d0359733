"""What is generated needs no formatter, and both type checkers find nothing in it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.packages import (
    CASES,
    black,
    copy_case,
    generate,
    mypy,
    pyright,
    share_runtime,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    for case in CASES:
        options = copy_case(case, folder)
        recording = folder / "recording.json"
        generate(recording, "-o", folder, "--name", case.name, *options, "--quiet")
    (folder / "recording.json").unlink()
    assert len([*folder.glob("*/__init__.py")]) == len(CASES) - 1  # one is refused
    return folder


def test_black_would_change_nothing(packages: Path) -> None:
    assert black(packages) == (0, "")


def test_everything_imports_and_every_model_builds(packages: Path) -> None:
    names = [path.parent.name for path in packages.glob("*/__init__.py")]
    command = [sys.executable, "-m", "tests.load", str(packages), *names]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["models"] > 150


@pytest.fixture(scope="module")
def with_one_runtime(packages: Path) -> Path:
    share_runtime(packages)
    return packages


def test_mypy_strict_finds_nothing(with_one_runtime: Path) -> None:
    assert mypy(with_one_runtime) == (0, "")


def test_pyright_strict_finds_nothing(with_one_runtime: Path) -> None:
    ran = pyright(with_one_runtime)
    assert ran.code == 0, ran.stderr
