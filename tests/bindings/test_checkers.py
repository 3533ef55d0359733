"""What is generated needs no formatter, and both type checkers find nothing in it.

They read the packages of all cases and, where the corpus is, of some real servers.

They must also accept every call of tests/typing/right.py and reject every one of
wrong.py, each on its line and for its reason; and typed calls of some real tools.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.fidelity.__main__ import FOLDER
from tests.fidelity.typed import findings, rejected, write_calls
from tests.packages import (
    CASES,
    ROOT,
    black,
    copy_case,
    generate,
    mypy,
    pyright,
    ruff,
    share_runtime,
)
from tests.shared import SAMPLE, recordings

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("checkers")

CALLS = ROOT / "tests" / "typing"
INSTANCES = FOLDER / "instances.json"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    for case in CASES:
        options = copy_case(case, folder)
        recording = folder / "recording.json"
        generate(recording, "-o", folder, "--name", case.name, *options, "--quiet")
    (folder / "recording.json").unlink()
    others = {p.parent.name: p for p in ROOT.glob("generated/*/recording.json")}
    others |= {name: path for name, path in recordings().items() if name in SAMPLE}
    for name, recording in others.items():
        generate(recording, "-o", folder, "--name", name, "--quiet")
    refused = 1
    expected = len(CASES) - refused + len(others)
    assert len([*folder.glob("*/__init__.py")]) == expected
    return folder


def test_black_would_change_nothing(packages: Path) -> None:
    assert black(packages) == (0, "")


def test_ruff_finds_nothing_by_its_own_defaults(packages: Path) -> None:
    assert ruff(packages) == (0, "")


def test_everything_imports_and_every_model_builds(packages: Path) -> None:
    names = [path.parent.name for path in packages.glob("*/__init__.py")]
    command = [sys.executable, "-m", "tests.load", str(packages), *names]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["models"] > 150


@pytest.fixture(scope="module")
def called(packages: Path) -> Path:
    """Return the folder of all packages with the calls beside them."""
    for path in CALLS.glob("*.py"):
        shutil.copy(path, packages)
    if INSTANCES.exists():  # scripts/typed-calls has more of them
        tools = json.loads(INSTANCES.read_text())["tools"]
        assert write_calls(tools[::50], packages, "typed") > 100
    share_runtime(packages)
    return packages


def test_mypy_finds_what_is_wrong_and_nothing_else(called: Path) -> None:
    ran = mypy(called)
    assert findings(ran.stderr) == rejected(called, 0), ran.stderr


@pytest.mark.timeout(900)  # one process, however little of a processor it gets
def test_pyright_finds_what_is_wrong_and_nothing_else(called: Path) -> None:
    ran = pyright(called, reportUnusedExpression="none", reportUnusedCoroutine="none")
    assert findings(ran.stderr) == rejected(called, 1), ran.stderr
