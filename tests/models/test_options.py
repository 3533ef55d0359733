"""The options of a project: each has its effect, and a wrong one is a problem."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.errors import BindgenError
from mcp_bindgen.pipeline.model_options import project_models
from mcp_bindgen.python import model_kinds
from mcp_bindgen.python.model_kinds import KINDS, kinds_with

from tests.models.__main__ import IMPORTS, ran
from tests.models.adapter import models
from tests.models.test_models import project
from tests.packages import generate

if TYPE_CHECKING:
    from pathlib import Path

INNER: dict[str, Any] = {
    "type": "object",
    "title": "An Inner",
    "properties": {"x-y": {"type": "string"}, "_u": {"type": "integer"}},
}
TEXT = {"type": "string"}
TREE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}}}
TOOL: dict[str, Any] = {
    "name": "find",
    "inputSchema": {
        "type": "object",
        "description": "Words of an object.",
        "properties": {
            "maxHits": {"type": "integer", "minimum": 0, "multipleOf": 2},
            "name": {"type": "string", "description": "The name.", "minLength": 1},
            "kind": {"enum": ["one", "two"]},
            "word": {"type": "string", "enum": ["x", "y"]},
            "nothing": {"type": ["string", "null"]},
            "price": {"type": "number", "multipleOf": 0.5},
            "above": {"type": "number", "exclusiveMinimum": 0, "title": "Height"},
            "half": {"type": "integer", "minimum": 0, "multipleOf": 0.5},
            "both": {"type": ["string", "integer"], "minLength": 2, "pattern": "^a"},
            "some": {"type": ["array", "integer"], "minItems": 2, "minimum": 1},
            "tags": {"type": "array", "items": {"type": "string"}},
            "three": {
                "type": "array",
                "items": {"type": "number"},
                "minItems": 3,
                "maxItems": 3,
            },
            "pair": {
                "type": "array",
                "prefixItems": [{"type": "string"}, {"type": "integer"}],
                "minItems": 2,
                "maxItems": 2,
                "items": False,
            },
            "old": {"type": "array", "items": [TEXT], "minItems": 1, "maxItems": 1},
            "x": {"type": "object", "patternProperties": {"^x-": {"type": "string"}}},
            "inner": INNER,
            "closed": {**TREE, "additionalProperties": False},
            "shape": {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {"t": {"const": each}, each: {"type": "integer"}},
                        "required": ["t"],
                    }
                    for each in ("a", "b")
                ]
            },
            "text": {"$ref": "#/$defs/Text"},
            "tree": {"$ref": "#/$defs/Tree"},
        },
        "required": ["maxHits", "kind", "nothing"],
        "$defs": {"Text": {"type": "string", "minLength": 2}, "Tree": TREE},
    },
}
BASES = {
    "typeddict": (
        "from typing_extensions import TypedDict\nclass Base(TypedDict): ...\n"
    ),
    "dataclass": "class Base: ...\n",
    "msgspec": "import msgspec\nclass Base(msgspec.Struct): ...\n",
    "pydantic": "import pydantic\nclass Base(pydantic.BaseModel): ...\n",
}
ENUMS = 'enum-field-as-literal = "none"\n'
# Each option with a value that changes something, and what it needs beside it.
OPTIONS: dict[str, str] = {
    "aliases": '{maxHits = "most"}',
    "allow_extra_fields": "true",
    "allow_population_by_field_name": "true",
    "base_class": '"app.base.Base"',
    "base_class_map": '{FindArguments = "app.base.Base", Tree = ["app.base.Base"]}',
    "capitalise_enum_members": f"true\n{ENUMS}",
    "class_name_affix_scope": '"models"\nclass-name-prefix = "Acme"\n' + ENUMS,
    "class_name_prefix": '"Acme"',
    "class_name_suffix": '"Model"',
    "collapse_root_models": "true",
    "dataclass_arguments": "{slots = true, frozen = true}",
    "duplicate_name_suffix": '{model = "Schema"}',
    "enable_faux_immutability": "true",
    "enum_field_as_literal": '"none"',
    "enum_field_as_literal_map": '{kind = "enum"}',
    "extra_fields": '"forbid"',
    "frozen_dataclasses": "true",
    "infer_union_variant_names": "true",
    "keep_model_order": "true",
    "keyword_only": "false",
    "model_name_map": '{Inner = "Core"}',
    "naming_strategy": '"full-path"',
    "original_field_name_delimiter": '"-"\nsnake-case-field = true',
    "parent_scoped_naming": "true",
    "remove_special_field_name_prefix": "true",
    "snake_case_field": "true",
    "special_field_name_prefix": '"zz"',
    "strict_types": '["str", "int", "float", "bool"]',
    "target_pydantic_version": '"2"',
    "union_mode": '"smart"',
    "use_attribute_docstrings": "true\nuse-field-description = true",
    "use_closed_typed_dict": "true",
    "use_field_description": "true",
    "use_generic_container_types": "true",
    "use_missing_sentinel": "true",
    "use_non_positive_negative_number_constrained_types": "true",
    "use_schema_description": "false",
    "use_subclass_enum": f"true\n{ENUMS}",
    "use_tag_as_union_variant_name": "true",
    "use_title_as_name": "true",
    "use_total_false_for_typed_dict": "true",
    "use_tuple_for_fixed_items": "true",
    "use_tuple_for_fixed_length_arrays": "true",
    "use_type_alias": "true",
    "use_union_operator": "false",
}


def made(folder: Path, kind: str, more: str) -> str:
    """Generate the models of the tool as `pkg_KIND`; return their source."""
    src = project(folder, kind, more)
    recording = folder / f"pkg_{kind}.json"
    recording.write_text(json.dumps({"tools": [TOOL]}))
    options = ("--target", "models", "--quiet", "--no-cache")
    assert generate(recording, "-o", src, *options) == (0, "")
    return (src / recording.stem / "models" / "find.py").read_text()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the models of each kind without options."""
    folder = tmp_path_factory.mktemp("plain")
    return {kind: made(folder, kind, "") for kind in KINDS}


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_has_its_effect(
    tmp_path: Path, option: str, plain: dict[str, str]
) -> None:
    line = f"{option.replace('_', '-')} = {OPTIONS[option]}\n"
    app = tmp_path / "src" / "app"
    app.mkdir(parents=True)
    changed: set[str] = set()
    for kind in sorted(kinds_with(option)):
        more = line.replace("app.base.", f"app.{kind}.")
        text = made(tmp_path, kind, f"[tool.datamodel-codegen]\n{more}")
        if text != plain[kind]:
            changed.add(kind)
        (app / f"{kind}.py").write_text(BASES[kind])
    assert changed
    assert ran("-c", IMPORTS, str(tmp_path / "src")) == ""


def test_each_option_is_tested() -> None:
    assert {*OPTIONS} == model_kinds.OPTIONS


def test_a_base_class_may_be_with_another_option(tmp_path: Path) -> None:
    app = tmp_path / "src" / "app"
    app.mkdir(parents=True)
    (app / "base.py").write_text(BASES["typeddict"])
    more = "use-total-false-for-typed-dict = true"
    lines = f"base-class = {OPTIONS['base_class']}\n{more}"
    text = made(tmp_path, "typeddict", f"[tool.datamodel-codegen]\n{lines}\n")
    assert "(Base, total=False):" in text
    assert ran("-c", IMPORTS, str(tmp_path / "src")) == ""


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
