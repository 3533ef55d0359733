"""Each folder of tests/cases: a recording, and all that comes of it, reviewed.

`pytest tests/test_cases.py --update` rewrites what is expected; git shows the change.
"""

from __future__ import annotations

import difflib
import json
import shutil
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.render.templates import copied_files

from tests.packages import CASES, copy_case, generate

if TYPE_CHECKING:
    from pathlib import Path

# Hashes of files, and the version, change without any change of the case.
CHANGING = ("files", "generator")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_gives_what_is_expected(
    case: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    actual = outcome(case, tmp_path)
    if request.config.getoption("--update"):
        rewrite(case, actual)
    assert difference(expected(case), actual) == ""


def outcome(case: Path, folder: Path) -> dict[str, str]:
    """Return path to text of all that the command makes of a case."""
    options = copy_case(case, folder)
    report = ("--report", "report.json")
    ran = generate(
        "recording.json", "-o", ".", "--name", case.name, *options, *report, "--quiet"
    )
    files = {"stderr.txt": ran.stderr, "exit.txt": f"{ran.code}\n" if ran.code else ""}
    if (folder / "report.json").exists():
        files["report.json"] = (folder / "report.json").read_text()
    package = folder / case.name
    for path in sorted(p for p in package.rglob("*") if p.is_file()):
        name = path.relative_to(package).as_posix()
        if not is_the_same_everywhere(name):
            files[f"expected/{name}"] = text_of(path)
    return {name: text for name, text in files.items() if text}


def is_the_same_everywhere(name: str) -> bool:
    """Return whether a file is a copy of one that stands in this repository."""
    return name.startswith("_runtime/") or name in {*copied_files(), "recording.json"}


def text_of(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.name != "manifest.json":
        return text
    facts = json.loads(text)
    assert [*facts["files"]] == sorted(facts["files"])
    stable = {key: value for key, value in facts.items() if key not in CHANGING}
    return json.dumps(stable, indent=2) + "\n"


def expected(case: Path) -> dict[str, str]:
    names = ("stderr.txt", "exit.txt", "report.json")
    paths = [case / name for name in names if (case / name).exists()]
    paths += [path for path in case.glob("expected/**/*") if path.is_file()]
    return {p.relative_to(case).as_posix(): p.read_text("utf-8") for p in paths}


def rewrite(case: Path, actual: dict[str, str]) -> None:
    shutil.rmtree(case / "expected", ignore_errors=True)
    for name in expected(case).keys() - actual.keys():
        (case / name).unlink()
    for name, text in actual.items():
        (case / name).parent.mkdir(parents=True, exist_ok=True)
        (case / name).write_text(text, encoding="utf-8")


def difference(old: dict[str, str], new: dict[str, str]) -> str:
    """Return what differs between two sets of files, as diffs."""
    lines: list[str] = []
    for name in sorted(old.keys() | new.keys()):
        before, after = (
            files.get(name, "").splitlines(keepends=True) for files in (old, new)
        )
        lines += difflib.unified_diff(before, after, name, name)
    return "".join(lines)


def test_there_are_cases_and_each_is_a_name_to_import() -> None:
    assert len(CASES) > 15
    assert all(case.name.isidentifier() for case in CASES)
    folders = {path for path in CASES[0].parent.iterdir() if path.is_dir()}
    assert folders == {*CASES}, "a folder without recording.json is never run"
