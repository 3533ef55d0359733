"""Each option of a project has its effect on models, and these are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from mcp_bindgen.pipeline import models
from mcp_bindgen.pipeline.model_options import project_models
from mcp_bindgen.python import model_kinds
from mcp_bindgen.python.model_kinds import KINDS, kinds_with

from tests.models.__main__ import IMPORTS, ran
from tests.models.module_of import module_of
from tests.models.test_models import project

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from mcp_bindgen.python.style import Style

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
            "x": {
                "type": "object",
                "patternProperties": {"^x-": TEXT},
                "additionalProperties": False,
            },
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


def made(folder: Path, name: str, kind: str, more: str) -> str:
    """Make the models of the tool, alone in a package of this name; return them."""
    src = project(folder, kind, more)
    text = module_of(TOOL, project_models(src))
    (src / name / "models").mkdir(parents=True)
    (src / name / "models" / "find.py").write_text(text)
    return text


def failures(src: Path) -> Mapping[str, str]:
    """Import all packages, and build their types; return what fails in each."""
    lines = ran("-c", IMPORTS, str(src)).splitlines()
    return {line.partition(".")[0]: line for line in lines}


class Changed(NamedTuple):
    """The kinds of models that an option changes, and what fails in them."""

    kinds: list[str]
    failures: list[str]


def as_it_is(text: str, style: Style) -> str:
    """Lay out nothing: the layout of a module is no effect of an option."""
    del style
    return text


@pytest.fixture(scope="module")
def without_black() -> Iterator[None]:
    """Let black, which takes a third of the time, lay out no module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "by_black", as_it_is)
        yield


@pytest.fixture(scope="module")
def changed(
    tmp_path_factory: pytest.TempPathFactory, without_black: None
) -> dict[str, Changed]:
    """Make the models of each kind with each option; import all of them at once."""
    del without_black
    folder = tmp_path_factory.mktemp("options")
    plain = {kind: made(folder, f"plain_{kind}", kind, "") for kind in KINDS}
    packages: dict[str, tuple[str, str]] = {}
    for option, value in OPTIONS.items():
        line = f"{option.replace('_', '-')} = {value}\n"
        for kind in sorted(kinds_with(option)):
            more = line.replace("app.base.", f"app.{kind}.")
            name = f"{option}_{kind}"
            table = f"[tool.datamodel-codegen]\n{more}"
            if made(folder, name, kind, table) != plain[kind]:
                packages[name] = option, kind
    (folder / "src" / "app").mkdir()
    for kind, text in BASES.items():
        (folder / "src" / "app" / f"{kind}.py").write_text(text)
    failed = failures(folder / "src")
    assert failed.keys() <= packages.keys()
    return {
        option: Changed(
            [kind for other, kind in packages.values() if other == option],
            [line for name, line in failed.items() if packages[name][0] == option],
        )
        for option in OPTIONS
    }


@pytest.mark.xdist_group("options-of-models")
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_has_its_effect(option: str, changed: dict[str, Changed]) -> None:
    assert changed[option].kinds
    assert changed[option].failures == []


def test_each_option_is_tested() -> None:
    assert {*OPTIONS} == model_kinds.OPTIONS


def test_a_base_class_may_be_with_another_option(tmp_path: Path) -> None:
    app = tmp_path / "src" / "app"
    app.mkdir(parents=True)
    (app / "base.py").write_text(BASES["typeddict"])
    more = "use-total-false-for-typed-dict = true"
    lines = f"base-class = {OPTIONS['base_class']}\n{more}"
    text = made(tmp_path, "pkg", "typeddict", f"[tool.datamodel-codegen]\n{lines}\n")
    assert "(Base, total=False):" in text
    assert failures(tmp_path / "src") == {}
