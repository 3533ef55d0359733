"""Each type of each tool of the real servers is built, as the first call builds it."""

from __future__ import annotations

import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from tests.packages import CASES, copy_case, generate
from tests.shared import needs, recordings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    sys.path.insert(0, str(tmp_path))
    yield tmp_path
    sys.path.remove(str(tmp_path))


def build(package: Path) -> int:
    """Build the public types of each tool's module; return how many there are."""
    built = 0
    for tool in json.loads((package / "manifest.json").read_text())["tools"].values():
        module = importlib.import_module(f"{package.name}.{tool['module']}")
        for name in module.__all__:
            if name[0].isupper():
                adapter = TypeAdapter[Any](getattr(module, name))
                adapter.rebuild()
                assert adapter.pydantic_complete, (tool["module"], name)
                built += 1
    return built


# An empty list is an error of pytest: without the corpus, one name is skipped.
@needs("corpus/recordings")
@pytest.mark.parametrize("name", [*recordings()] or ["absent"])
def test_types_of_real_servers_are_built(name: str, folder: Path) -> None:
    package = f"built_{name}"
    options = ("--name", package, "--target", "python", "--quiet")
    assert generate(recordings()[name], "-o", folder, *options).code == 0
    assert build(folder / package) > 0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_types_of_cases_are_built(case: Path, folder: Path) -> None:
    options = copy_case(case, folder)
    package = f"built_{case.name}"
    recording = folder / "recording.json"
    ran = generate(recording, "-o", folder, "--name", package, "--quiet", *options)
    modules = [*(folder / package / "tools").glob("[a-z]*.py")]
    if ran.code == 0:
        assert bool(build(folder / package)) == bool(modules)
