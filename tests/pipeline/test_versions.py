"""The versions of installed distributions, as `importlib.metadata` knows them."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distributions
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.pipeline.versions import version

if TYPE_CHECKING:
    from pathlib import Path


def test_all_are_those_of_importlib() -> None:
    expected: dict[str, str] = {}
    for distribution in distributions():
        expected.setdefault(distribution.name, distribution.version)
    assert {name: version(name) for name in expected} == expected


@pytest.mark.parametrize("name", ["Some.Thing", "some_thing", "some-thing"])
def test_first_folder_on_the_path_counts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, number in (("first", "1.0.post1"), ("second", "2.0+local.1")):
        installed(tmp_path / folder, "some_thing", number)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "none"), *places(tmp_path)])
    assert version(name) == "1.0.post1"
    monkeypatch.setattr(sys, "path", [*reversed(places(tmp_path))])
    assert version(name) == "2.0+local.1"


def test_other_forms_are_left_to_importlib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    old = tmp_path / "old_thing.egg-info"
    old.mkdir()
    (old / "PKG-INFO").write_text("Name: old-thing\nVersion: 0.5\n", "utf-8")
    # An update that failed leaves two.
    for number in ("1.0", "1.1"):
        installed(tmp_path, "twice", number)
    assert version("old-thing") == "0.5"
    assert version("twice") in {"1.0", "1.1"}


def test_absent_is_the_error_of_importlib() -> None:
    with pytest.raises(PackageNotFoundError):
        version("no-such-distribution")


def test_usual_version_does_not_import_importlib_metadata() -> None:
    program = """
import sys
from mcp_bindgen.pipeline.versions import version
version("mcp-bindgen")
print("importlib.metadata" in sys.modules)
"""
    ran = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert ran.strip() == "False"


def installed(folder: Path, name: str, number: str) -> None:
    info = folder / f"{name}-{number}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {name}\nVersion: {number}\n", "utf-8")


def places(folder: Path) -> list[str]:
    return [str(folder / name) for name in ("first", "second")]
