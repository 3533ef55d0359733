"""Mistakes in a user's target are reported as such, never as faults of mcp-bindgen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError

from tests.packages import generate as command
from tests.targets.conftest import RECORDING, write
from tests.targets.test_own_target import rendered

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"my file.json": "1"}, "'my file.json': expected the name of a .py, .json"),
        ({"Client.py": ""}, "'Client.py': expected the name of a .py, .json"),
        ({"x.txt": "a"}, "'x.txt': expected the name of a .py, .json"),
        ({"x.json": "[\n]]"}, "x.json:2: this is not strict JSON: Extra data"),
        ({"x.json.jinja": "nope"}, "x.json:1: this is not strict JSON"),
        ({"x.py.jinja": "\ndef ("}, "x.py:2: Python cannot read this file"),
        ({"x.py": "\ndef ("}, "x.py:2: Python cannot read this file"),
        ({"x.py": "x = '\u202e'"}, "x.py:1: the hidden character"),
    ],
)
def test_a_faulty_file_of_a_target_is_no_fault_of_ours(
    tmp_path: Path, files: Mapping[str, str], fault: str
) -> None:
    with pytest.raises(BindgenError) as caught:
        rendered(tmp_path, files)
    (problem,) = caught.value.problems
    assert f"{tmp_path}/t: {fault}" in problem.message
    assert problem.hint.startswith("correct the ")


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("module = 'nope'", "module: the package has no module nope"),
        ("public.nope = ['choose']", "public: the package has no module nope"),
        ("public.menu = ['nope']", "public: the module menu does not define nope"),
        ("public.menu = ['Client']", "public: the package exports Client twice"),
        ("public.menu = ['add_task']", "public: the package exports add_task twice"),
        ("public.client = ['nope']", "public: the module client does not define nope"),
        ("library = 'models'", "there is no key library for targets of users"),
        ("public.menu = ['menu']", "public: menu is also a module of the package"),
        ("framework.extra = 'x'", "framework.extra: expected framework.requirement"),
        ("framework.requirement = 'a b'", "framework.requirement: 'a b' is no req"),
    ],
)
def test_a_description_that_does_not_fit_is_no_fault_of_ours(
    tmp_path: Path, lines: str, fault: str
) -> None:
    files = {
        "target.toml": f"description = 'a menu'\n{lines}\n",
        "menu.py": "if True:\n    choose = Client = add_task = menu = 1\n",
    }
    with pytest.raises(BindgenError) as caught:
        rendered(tmp_path, files)
    (problem,) = caught.value.problems
    assert f"{tmp_path}/t/target.toml: {fault}" in problem.message
    assert problem.hint


@pytest.mark.parametrize("source", ["def __getattr__(name): ...", "from x import *"])
def test_names_that_only_a_run_can_tell_are_believed(
    tmp_path: Path, source: str
) -> None:
    description = "description = 'a menu'\npublic.menu = ['choose']\n"
    files = {"target.toml": description, "menu.py": f"{source}\n"}
    assert "menu.py" in rendered(tmp_path, files)


@pytest.mark.parametrize(
    ("module", "user"), [("module = 'menu'", "menu.py"), ("", "target ")]
)
def test_a_framework_without_a_requirement_has_the_name_of_its_import(
    tmp_path: Path, module: str, user: str
) -> None:
    text = f"description = ''\n{module}\nframework.imports = 'nope_framework'\n"
    write({"target.toml": text, "menu.py": ""}, tmp_path / "t")
    arguments = (RECORDING, "-o", tmp_path, "--name", "own", "--no-cache")
    ran = command("--target", str(tmp_path / "t"), *arguments)
    assert f"own: {user}" in ran.stderr
    assert " needs nope_framework, which this Python does not have;" in ran.stderr


def test_a_missing_framework_is_named_once_for_all_packages(tmp_path: Path) -> None:
    text = "description = ''\nframework.imports = 'nope_framework'\n"
    write({"target.toml": text, "menu.py": ""}, tmp_path / "t")
    other = tmp_path / "other.json"
    other.write_bytes(RECORDING.read_bytes())
    arguments = (RECORDING, other, "-o", tmp_path / "src", "--no-cache")
    stderr = command("--target", str(tmp_path / "t"), *arguments).stderr
    assert stderr.count("needs nope_framework") == 1
    assert "2 packages: target " in stderr


@pytest.mark.parametrize(
    "files",
    [
        {"x/__tool__.json.jinja": "1", "x/add_task.json": "2"},
        {"x.json": "1", "x.json.jinja": "2"},
    ],
)
def test_two_files_of_a_target_are_not_one_file(
    tmp_path: Path, files: Mapping[str, str]
) -> None:
    with pytest.raises(BindgenError, match="the package has another x"):
        rendered(tmp_path, files)


@pytest.mark.parametrize(
    "template",
    ["{{ nope }}", "{{ nope | json }}", "{{ nope | lit }}", "{{ nope | text }}"],
)
def test_an_undefined_name_is_named_with_its_line(
    tmp_path: Path, template: str
) -> None:
    with pytest.raises(BindgenError, match="'nope' is undefined") as caught:
        rendered(tmp_path, {"x.json.jinja": f"[\n{template}\n]"})
    (problem,) = caught.value.problems
    assert problem.message.startswith(f"{tmp_path}/t/x.json.jinja:2: ")
    assert "| json, | lit" in problem.hint


def test_files_of_other_programs_are_left_out(tmp_path: Path) -> None:
    write({".git/config": "[core]", "x.json": "1"}, tmp_path / "t")
    (tmp_path / "t" / ".DS_Store").write_bytes(b"\x00\xff")
    files = rendered(tmp_path, {})
    assert "x.json" in files
    assert not [path for path in files if path.startswith(".")]
