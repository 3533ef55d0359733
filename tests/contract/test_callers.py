"""`diff --callers`: the lines that a new server breaks; `--changelog`."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.contract.callers import Program, cause_of
from mcp_bindgen.contract.changelog import as_changelog, bumped, with_changes
from mcp_bindgen.contract.diff import compare_recordings
from mcp_bindgen.contract.summary import Compared, total
from mcp_bindgen.hidden import HIDDEN

from tests.contract.changes import CLOSED, recording, tool
from tests.contract.test_command import run
from tests.packages import mypy_options

if TYPE_CHECKING:
    from pathlib import Path

OLD = tool({"owner": {"type": "string"}}, ("owner",), **CLOSED)
NEW = tool({"team": {"type": "string"}}, ("team",), **CLOSED)
PROGRAM = """\
from catalog import Client
from catalog.tools.search import search

def one(client: Client) -> object:
    return search(client, owner="x")

wrong: int = "this is wrong with both packages"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "old.json").write_bytes(recording(OLD))
    (tmp_path / "catalog.json").write_bytes(recording(NEW))
    (tmp_path / "src" / "app").mkdir(parents=True)
    (tmp_path / "src" / "app" / "__init__.py").write_text("")
    (tmp_path / "src" / "app" / "jobs.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_program_that_uses_no_package_proves_nothing(folder: Path) -> None:
    (folder / "other.json").write_bytes(recording(NEW))
    done = run("old.json", "other.json", "--callers", "src")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no file in 'src' names the package other" in done.stderr
    assert "hint: give the new recording the name of the package" in done.stderr


@pytest.mark.slow
def test_new_errors_stand_beside_their_findings(folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    with mypy_options() as options:
        checker = (sys.executable, "-m", "mypy", *options, "src")
        done = run("old.json", "catalog.json", "--callers", "src", "--", *checker)
    assert done.exit_code == 1, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("src/app/jobs.py:5  search(owner)  PARAM_REMOVED  ")
    assert sorted(folder.rglob("*")) == before, "nothing of the user's is changed"


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_new_errors_of_pyright_stand_beside_their_findings() -> None:
    # Its files alone: pyright reads of the package the modules that they import.
    checker = (sys.executable, "-m", "pyright", "src/app")
    done = run("old.json", "catalog.json", "--callers", "src", "--", *checker)
    assert done.exit_code == 1, done.stderr
    one, other = done.stdout.splitlines()
    assert one.startswith("src/app/jobs.py:5  search(team)  PARAM_ADDED_REQUIRED  ")
    assert other.startswith("src/app/jobs.py:5  search(owner)  PARAM_REMOVED  ")


@pytest.mark.usefixtures("folder")
def test_a_checker_that_fails_is_never_no_error() -> None:
    for command in (("none-such",), (sys.executable, "-c", "raise SystemExit(3)")):
        done = run("old.json", "catalog.json", "--callers", "src", "--", *command)
        assert done.exit_code == 2
        assert done.stdout == ""


@pytest.mark.usefixtures("folder")
def test_a_changelog_is_ready_to_commit() -> None:
    done = run("old.json", "catalog.json", "--changelog")
    broken = "**Breaking** (wire+source)"
    gone = "the parameter is gone, and the server refuses it"
    assert done.stdout.splitlines() == [
        "## [Unreleased]",
        "",
        "The next release is major.",
        "",
        "### Added",
        "",
        f"- {broken}: `search(team)`: the parameter is new and required.",
        "",
        "### Removed",
        "",
        f"- {broken}: `search(owner)`: {gone}.",
    ]


def test_a_changelog_names_what_is_new_besides_tools() -> None:
    new = {
        "prompts": [{"name": "plan"}],
        "resources": [{"uri": "file:///a", "name": "a"}],
        "resourceTemplates": [{"uriTemplate": "db://{row}", "name": "row"}],
        "instructions": "Be brief.",
    }
    before, after = (json.dumps({"tools": [], **more}).encode() for more in ({}, new))
    report = compare_recordings(before, after)
    compared = Compared("", "s.json", before, after, report)
    assert as_changelog([compared], total([compared])).splitlines()[4:] == [
        "### Added",
        "",
        "- `db://{row}`: the resource template is new.",
        "- `file:///a`: the resource is new.",
        "- `plan`: the prompt is new.",
        "",
        "### Documentation",
        "",
        "- 1 text of the server changed.",
    ]
    report = compare_recordings(after, before)
    compared = Compared("", "s.json", after, before, report)
    assert as_changelog([compared], total([compared])).splitlines()[4] == "### Removed"


def test_a_changelog_repeats_no_text_of_a_server_as_it_is() -> None:
    name = "x\u2028## [9.9.9]\x1b[2J\u202e&#8238;<b>[l](u)`"
    before: dict[str, Any] = {"properties": {"a": {"type": "string"}}}
    named: dict[str, Any] = {"properties": {name: {}}, "required": [name]}
    lost: dict[str, Any] = {"properties": {"a": {"$ref": name}}}
    recordings = [
        json.dumps(
            {"tools": [{"name": "t", "inputSchema": {"type": "object", **schema}}]}
        ).encode()
        for schema in (before, named, lost)
    ]
    said = ""
    whole = "# Ours\u2028here\x0c\n\n## [Unreleased]\n\n- By hand.\n"
    for new in recordings[1:]:
        report = compare_recordings(recordings[0], new)
        compared = Compared("s", "s.json", recordings[0], new, report)
        text = with_changes(whole, [compared])
        assert text.startswith(whole.rstrip("\n"))
        assert text != whole
        added = text.removeprefix(whole.rstrip("\n"))
        said = as_changelog([compared], total([compared]))
        for lines in (added, said):
            assert not HIDDEN.search(lines)
            assert not re.search(r"(?<!\\)[&<](?!\w*`)", re.sub("`+.*?`+", "", lines))
    assert "- Not compared" in said


def test_a_version_grows() -> None:
    assert bumped("1.2.3", "major") == "2.0.0"
    assert bumped("1.2.3", "minor") == "1.3.0"
    assert bumped("1.2.3", "patch") == "1.2.4"
    assert bumped("1.2.3", "none") == "1.2.3"
    assert bumped("v1", "patch") == "0.0.1"


CHECKER = """\
import os, pathlib, sys

here = pathlib.Path.cwd()
files = [str(path.relative_to(here)) for path in sorted(here.rglob("*.py"))]
old = "owner" in (here / "generated/catalog/tools/search.py").read_text()
{then}
"""


def _project(root: Path, then: str) -> None:
    """Make a project whose package and plugin are beside the sources."""
    (root / "generated" / "catalog").mkdir(parents=True)
    (root / "generated" / "catalog" / "manifest.json").write_text("{}")
    (root / "generated" / "other.py").write_text("")
    (root / "tools").mkdir()
    (root / "tools" / "plugin.py").write_text("")
    (root / "tools" / "mypy.py").write_text(CHECKER.replace("{then}", then))
    (root / "pyproject.toml").write_text("[project]\nname = 'demo'\n")


def _checked(then: str, *arguments: str, root: Path) -> tuple[str, list[str]]:
    _project(root, then)
    command = [sys.executable, "tools/mypy.py", *arguments]
    ran = run("old.json", "catalog.json", "--callers", "src", "--", *command)
    return ran.stderr, ran.stdout.splitlines()


def test_a_checker_gets_the_whole_project_and_its_own_cache(folder: Path) -> None:
    """The package is where the project has it, and plugins and stubs, too."""
    then = (
        "need = {'generated/other.py', 'tools/plugin.py', 'src/app/jobs.py'}\n"
        "cache = pathlib.Path(os.environ['MYPY_CACHE_DIR'])\n"
        "fine = all((here / each).exists() for each in need)\n"
        "fine = fine and sys.argv[-1] == 'src' and '--no-pretty' in sys.argv\n"
        "fine = fine and here not in cache.parents\n"
        "fine = fine and not (here / 'src/catalog').exists()\n"
        "if not old or not fine:\n"
        "    print(f'src/app/jobs.py:5:12:5:20: error: fine is {fine}')\n"
        "    sys.exit(1)"
    )
    stderr, lines = _checked(then, "--strict", root=folder)
    assert lines == [
        "src/app/jobs.py:5  search(owner)  PARAM_REMOVED  fine is True"
    ], stderr
    assert not [*(folder / "generated" / "catalog" / "tools").glob("*")]


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ("print('usage:\\n  one\\n\\n two'); sys.exit(2)", "failed: usage:; one; two"),
        ("print('1 error, in a form of its own'); sys.exit(1)", "in a form of its own"),
    ],
)
def test_a_checker_that_cannot_be_read_is_a_failure(
    folder: Path, then: str, words: str
) -> None:
    stderr, lines = _checked(then, root=folder)
    assert words in stderr
    assert "\\n" not in stderr
    assert not lines


def test_a_missing_argument_stands_beside_the_parameter_that_is_required_now(
    tmp_path: Path,
) -> None:
    text = {"type": "string"}
    old, new = (
        tool({"q": text, "limit": text}, needed, output=fields_["inputSchema"])
        for needed, fields_ in (
            ((), tool({"id": text}, ("id",))),
            (("limit",), tool({"id": text})),
        )
    )
    changes = compare_recordings(recording(old), recording(new)).changes
    program = Program(tmp_path, tmp_path, "catalog", (), tmp_path)
    (tmp_path / "jobs.py").write_text('r = search(client, q="x")\nprint(r.id)\n')
    message = 'Argument missing for parameter "limit" (reportCallIssue)'
    cause = cause_of(program, "jobs.py", 1, message, changes)
    assert cause is not None
    assert cause.rule == "PARAM_NOW_REQUIRED"
