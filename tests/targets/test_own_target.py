"""A reader's own target is one folder; the one that the docs show is tried here."""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.render.target_folders import allowlists, chosen

from tests.packages import generate as command
from tests.targets.conftest import RECORDING, ROOT, write
from tests.targets.fakes import Fake

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PAGE = ROOT / "templates" / "README.md"


def target_of_the_page(folder: Path) -> str:
    """Write the target that the page shows, and return its path."""
    text = PAGE.read_text(encoding="utf-8")
    files = re.findall(r"`my-target/([^`]+)`:\n\n```\w*\n(.*?)```", text, re.DOTALL)
    assert len(files) == 3
    target = folder / "my-target"
    write(dict(files), target)
    return str(target)


def test_the_target_that_the_page_shows_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = target_of_the_page(tmp_path)
    made = generate(RECORDING.read_bytes(), "fw_own", Settings(("python", target)))
    write(dict(made.files), tmp_path / "fw_own")
    listed = json.loads(made.files["menu.json"])
    assert listed["add_task"] == "Add a task to a user's list."
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    package = import_module("fw_own")
    menu = import_module("fw_own.menu")
    fake = Fake(
        "fw_own", {"content": [{"type": "text", "text": "no"}], "isError": True}
    )
    assert menu.choose(package.Client(fake), "list_tasks", {"user_id": "u"}) == "no"
    assert package.choose is menu.choose
    extras = json.loads(made.files["manifest.json"])["extras"]
    assert extras == {"menu": "menu-framework>=1"}


def rendered(tmp_path: Path, files: Mapping[str, str]) -> Mapping[str, str]:
    """Return the files of a package with a target of these files."""
    write({"target.toml": 'description = "a test"\n', **files}, tmp_path / "t")
    return generate(RECORDING.read_bytes(), "x", Settings((str(tmp_path / "t"),))).files


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("{% for t in tools %}{{ t.description }}{% endfor %}", "the output of lit"),
        ("{{ tool.wire | json }}", "'tool' is undefined"),
        ("{% for t in tools %}", "Unexpected end of template"),
        ("{{ catalog | entry_map('openai') }}", 'add "openai" to entries'),
        ("{{ 'x' | no_such_filter }}", "No filter named"),
    ],
)
def test_a_fault_of_a_template_is_a_problem(
    tmp_path: Path, template: str, fault: str
) -> None:
    with pytest.raises(BindgenError, match=fault) as caught:
        rendered(tmp_path, {"a.json.jinja": template})
    (problem,) = caught.value.problems
    assert f"{tmp_path}/t/a.json.jinja" in problem.message
    assert problem.hint


@pytest.mark.parametrize(
    ("description", "fault"),
    [
        ("module = 'x'", "it has no description"),
        ("description = 1", "description: expected a string, got 1"),
        ("description = ''\ndepend = []", "there is no key depend"),
        ("description = ''\nentries = ['menu']", "there are no entries menu"),
        ("description = ''\nselfcheck.import = 1", "there is no key selfcheck.import"),
        ("description = ''\nselfcheck.calls.f = 1", "expected a table of tables"),
        ("description = ''\npublic.x = 'y'", "expected a table of lists of strings"),
        ("description = ", "target.toml: Invalid value"),
        ("description = ''\ndepends = ['nope']", 'no target "nope"'),
    ],
)
def test_a_fault_of_a_description_is_a_problem(
    tmp_path: Path, description: str, fault: str
) -> None:
    with pytest.raises(BindgenError, match=fault):
        rendered(tmp_path, {"target.toml": description})


def test_the_command_says_which_framework_is_missing(tmp_path: Path) -> None:
    target = target_of_the_page(tmp_path)
    arguments = (RECORDING, "-o", tmp_path, "--name", "own")
    ran = command("--target", f"python,{target}", *arguments)
    assert "own: menu.py needs menu-framework>=1, which this Python does" in ran.stderr
    assert "to leave it out: --target python" in ran.stderr
    assert "needs" not in command("--target", f"python,{target}", *arguments).stderr
    assert "needs" not in command("--target", "python", *arguments).stderr


def test_a_notebook_sees_each_change_of_a_target(tmp_path: Path) -> None:
    """A process that runs for long reads the folder anew for each package."""
    with pytest.raises(BindgenError, match="there is no key descripton"):
        rendered(tmp_path, {"target.toml": "descripton = ''\n"})
    assert "a.json" in rendered(tmp_path, {"a.json": "1"})
    public = {"target.toml": "description = ''\npublic.b = ['B']\n", "b.py": "B = 1\n"}
    assert '"B"' in rendered(tmp_path, public)["_public.py"]
    (tmp_path / "t" / "a.json").unlink()
    assert "a.json" not in rendered(tmp_path, public)


def test_a_target_depends_on_folders_beside_it(tmp_path: Path) -> None:
    write({"target.toml": "description = ''\n", "b.json": "1"}, tmp_path / "b")
    files = rendered(tmp_path, {"target.toml": "description=''\ndepends=['../b']\n"})
    assert files["b.json"] == "1"


def test_a_package_has_the_modules_that_its_target_imports(tmp_path: Path) -> None:
    path = "_runtime/agents/toolset.py"
    assert path not in rendered(tmp_path, {"a.py": "A = 1\n"})
    for line in (
        "from ._runtime.agents.toolset import run",
        "from ._runtime.agents import toolset",
        "from ._runtime.agents import (\n    own,\n    toolset,\n)",
    ):
        assert path in rendered(tmp_path, {"a.py": f"{line}\n"})


def test_a_folder_without_a_description_is_no_target(tmp_path: Path) -> None:
    write({"a.py": ""}, tmp_path / "t")
    with pytest.raises(BindgenError, match=r"it has no target\.toml"):
        generate(RECORDING.read_bytes(), "x", Settings((str(tmp_path / "t"),)))


def test_targets_that_depend_on_each_other_are_a_problem(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        text = f"description = ''\ndepends = ['{tmp_path}/{other}']\n"
        write({"target.toml": text}, tmp_path / name)
    with pytest.raises(BindgenError, match="targets depend on each other"):
        generate(RECORDING.read_bytes(), "x", Settings((f"{tmp_path}/a",)))


def test_rendered_python_runs_nothing_at_import(tmp_path: Path) -> None:
    with pytest.raises(BindgenError, match="a call of print at import"):
        rendered(tmp_path, {"a.py.jinja": "SAID = print('hello')\n"})


MENU = """
description = "a menu"
[selfcheck]
imports = { menu_framework = ["Base", "Menu"] }
calls = { Menu = { positional = ["value"] } }
bases = ["Base"]
"""


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('from menu_framework import Base, Menu\n\nM = Menu("x")', ""),
        ("from menu_framework import Base\n\n\nclass A(Base):\n    a: int", ""),
        ("from menu_framework import Other", "the import of Other from menu_framework"),
        ("from os import Base", "the import of Base from os"),
        ("from menu_framework import Menu\nM = Menu(x='x')", "the argument x of Menu"),
        ("Menu = 1", "a new meaning for Menu"),
    ],
)
def test_the_self_check_allows_what_the_target_lists(
    tmp_path: Path, source: str, fault: str
) -> None:
    files = {"target.toml": MENU, "menu.py.jinja": f"{source}\n"}
    if not fault:
        assert rendered(tmp_path, files)["menu.py"] == f"{source}\n"
        return
    with pytest.raises(BindgenError, match=fault):
        rendered(tmp_path, files)


def test_a_list_of_one_target_holds_for_its_own_files_alone(tmp_path: Path) -> None:
    rules = allowlists(chosen(["langchain"]), ["client.py", "langchain.py"])
    assert "langchain_core.tools" in rules["langchain.py"].imports
    assert "langchain_core.tools" not in rules["client.py"].imports


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("{% set x = 1 / 0 %}", "division by zero"),
        ("{% set x = 10.0 ** 1000 %}", "out of range"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{% set x = f() %}", "recursion"),
        ("{% include 'a.json.jinja' %}", "recursion"),
    ],
)
def test_a_template_that_fails_as_it_runs_is_a_problem(
    tmp_path: Path, template: str, fault: str
) -> None:
    with pytest.raises(BindgenError, match=fault):
        rendered(tmp_path, {"a.json.jinja": template})


@pytest.mark.parametrize("name", ["a.json", "logo.png", "a.json.jinja"])
def test_a_file_that_is_no_text_is_a_problem(tmp_path: Path, name: str) -> None:
    write({"target.toml": 'description = ""\n'}, tmp_path / "t")
    (tmp_path / "t" / name).write_bytes(b"\x89PNG\xff")
    with pytest.raises(BindgenError, match="can't decode byte") as caught:
        generate(RECORDING.read_bytes(), "x", Settings((str(tmp_path / "t"),)))
    assert f"{tmp_path}/t/{name}" in caught.value.problems[0].message


@pytest.mark.parametrize(
    "path",
    [
        *("__init__.py", "client.py", "recording.json", "manifest.json"),
        *("tools/__tool__.py.jinja", "_runtime/errors.py", "_runtime/mine.py"),
    ],
)
def test_a_target_replaces_no_file_of_the_package(tmp_path: Path, path: str) -> None:
    with pytest.raises(BindgenError, match="the package has another") as caught:
        rendered(tmp_path, {path: '"""Another."""\n'})
    assert caught.value.problems[0].hint == "give the file of the target another name"


@pytest.mark.parametrize(
    "line",
    [
        *('module = "../x y"', 'framework.imports = "a..b"'),
        *('framework.imports = ".a"', 'framework.imports = "a\\u001b[31m"'),
        *('public.menu = ["a b"]', 'public.menu = ["class"]', 'public."" = ["a"]'),
        *('public.menu = ["__all__"]', 'public.menu = ["_hidden"]'),
        *('public."a import b; c" = ["d"]', 'public.menu = ["a\\"]); import os #"]'),
    ],
)
def test_names_in_a_description_are_names_of_python(tmp_path: Path, line: str) -> None:
    with pytest.raises(BindgenError, match=r"expected (the name|a table)"):
        rendered(tmp_path, {"target.toml": f"description = ''\n{line}\n"})


def test_a_framework_below_a_missing_package_is_missing(tmp_path: Path) -> None:
    text = "description = ''\nmodule = 'a'\nframework.imports = 'no_such.module'\n"
    write({"target.toml": text, "a.py": "A = 1\n"}, tmp_path / "t")
    target = f"python,{tmp_path / 't'}"
    ran = command("--target", target, RECORDING, "-o", tmp_path, "--name", "own")
    assert ran.code == 0
    assert "own: a.py needs " in ran.stderr
