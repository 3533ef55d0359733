"""Wrong options of a project are problems; those without effect are named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.model_options import project_models

from tests.models.adapter import models
from tests.models.test_models import project
from tests.models.test_option_effects import TOOL
from tests.packages import generate

if TYPE_CHECKING:
    from pathlib import Path

WRONG = {
    "snake-case-feild = true": (
        "unknown option 'snake-case-feild'",
        "did you mean snake-case-field?",
    ),
    "extra-fields = 3": ("tool.datamodel-codegen.extra-fields: ", "correct the option"),
    'snake-case-field = "perhaps"': ("snake-case-field: Input should be", "correct"),
    'base-class = "Base"': ("base-class: expected a module and a class", "correct"),
    'base-class-map = {A = ["os;"]}': ("base-class-map: expected a module", "correct"),
    'aliases = ["a"]': ("aliases: expected a table", "write a table"),
    'aliases = "nothing.json"': ("aliases: ", "beside pyproject.toml"),
    'aliases = {a = "list"}': (
        "no name for a field that hides no other: 'list'",
        "cor",
    ),
    'aliases = {a = "x-y"}': ("no name for a field that hides no other: 'x-y'", "cor"),
    'aliases = {a = ["b", "c"]}': (
        "no name for a field that hides no other",
        "correct",
    ),
    "base-class = 3": ("base-class: expected a module and a class", "correct"),
    'union-mode = "wild"': ("union-mode: Input should be", "correct the option"),
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_option_is_a_problem(tmp_path: Path, line: str) -> None:
    output = project(tmp_path, "pydantic", f"[tool.datamodel-codegen]\n{line}\n")
    with pytest.raises(BindgenError) as caught:
        project_models(output)
    problem = caught.value.problems[0]
    message, hint = WRONG[line]
    assert message in problem.message
    assert str(tmp_path / "pyproject.toml") in problem.message
    assert hint in problem.hint
    # Who wants no models is not disturbed.
    assert project_models(output, ["python"]).options == ()


def test_all_wrong_options_are_named_at_once(tmp_path: Path) -> None:
    more = "[tool.datamodel-codegen]\nnothing = 1\nextra-fields = 3\nalso-not = 1\n"
    src = project(tmp_path, "pydantic", more)
    (tmp_path / "pkg.json").write_text(json.dumps({"tools": [TOOL]}))
    code, text = generate(tmp_path / "pkg.json", "-o", src, "--target", "models")
    assert (code, text.count("error: ")) == (2, 3)


def test_options_without_effect_are_named_with_the_reason(tmp_path: Path) -> None:
    more = """[tool.datamodel-codegen]
input = "openapi.yaml"
custom-template-dir = "templates"
target-python-version = "3.14"
aliases = {maxHits = "most"}
field-constraints = true
"""
    src = project(tmp_path, "typeddict", more)
    (tmp_path / "pkg.json").write_text(json.dumps({"tools": [TOOL]}))
    code, text = generate(tmp_path / "pkg.json", "-o", src, "--target", "models")
    assert code == 0
    for words in (
        "aliases (it is for kind = msgspec or pydantic)",
        "custom-template-dir (the files hold models alone, which are checked)",
        "input (mcp-bindgen reads the schemas",
        "target-python-version (packages run on Python 3.11)",
    ):
        assert words in text
    assert "field-constraints" not in text
    code, text = generate(tmp_path / "pkg.json", "-o", src, "--target", "python")
    assert "datamodel-codegen" not in text


@pytest.mark.parametrize("form", ["table", "text", "file"])
@pytest.mark.parametrize("kind", ["msgspec", "pydantic"])
def test_an_alias_is_a_name_for_programs_alone(
    tmp_path: Path, kind: str, form: str
) -> None:
    table = {"maxHits": "most", "list": "texts"}
    (tmp_path / "names.json").write_text(json.dumps(table))
    value = {
        "table": '{maxHits = "most", list = "texts"}',
        "text": f"'{json.dumps(table)}'",
        "file": '"names.json"',
    }[form]
    src = project(tmp_path, kind, f"[tool.datamodel-codegen]\naliases = {value}\n")
    number = {"type": "integer"}
    # A member has the name that the user gives to another.
    names = dict.fromkeys(["maxHits", "list", "dict", "most_"], number)
    tool = {"name": "find", "inputSchema": {"type": "object", "properties": names}}
    package = f"named_{kind}_{form}"
    recording = tmp_path / f"{package}.json"
    recording.write_text(json.dumps({"tools": [tool]}))
    options = ("--target", "models", "--quiet", "--no-cache")
    assert generate(recording, "-o", src, *options) == (0, "")
    text = (src / package / "models" / "find.py").read_text()
    assert "    most: " in text
    assert "    texts: " in text
    data = dict.fromkeys(names, 3)
    assert models(str(src / package))("find", None)(data) == data


def test_an_option_is_part_of_the_keys_of_the_cache(tmp_path: Path) -> None:
    src = project(tmp_path, "pydantic")
    (tmp_path / "pkg.json").write_text(json.dumps({"tools": [TOOL]}))
    options = (tmp_path / "pkg.json", "-o", src, "--target", "models", "--quiet")
    assert generate(*options) == (0, "")
    project(tmp_path, "pydantic", '[tool.datamodel-codegen]\nextra-fields = "forbid"\n')
    assert generate(*options, "--check")[0] == 1
    assert generate(*options) == (0, "")
    assert 'extra="forbid"' in (src / "pkg" / "models" / "find.py").read_text()
    assert generate(*options, "--check") == (0, "")
