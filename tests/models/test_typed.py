"""Models of odd schemas are imported without a warning, and type checkers read them."""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from mcp_bindgen.python.model_kinds import KINDS, ModelSettings
from mcp_bindgen.python.names import LIMIT
from mcp_bindgen.python.style import Style

from tests.cli.test_style import ran
from tests.models.adapter import models
from tests.models.module_of import module_of
from tests.models.test_builds import build, made
from tests.models.test_models import package
from tests.packages import mypy

if TYPE_CHECKING:
    from pathlib import Path

OBJECT = {"type": "object"}
TEXT = {"type": "string"}


def objects(**properties: Any) -> dict[str, Any]:
    return {**OBJECT, "properties": properties}


ODD = {
    # No Literal may have them; each is optional.
    "const_number": {"const": 1.5},
    "const_list": {"const": [1]},
    "const_object": {"const": {"a": 1}},
    "const_large": {"const": -(2**63)},
    "large": {"enum": [2**63, "a", None]},
    # A member that is called as the type of another one.
    "member": objects(A={"type": "number"}, a={"$ref": "#/$defs/A"}),
    # A second name of a type that comes later.
    "union": objects(b={"anyOf": [{"$ref": "#/$defs/second"}, {"type": "null"}]}),
}
DEFS = {
    "A": {"type": ["boolean", "string"]},
    "second": {"$ref": "#/$defs/list"},
    "list": objects(value=objects(inner={"$ref": "#/$defs/second"})),
}


def test_type_checkers_read_odd_schemas(tmp_path: Path) -> None:
    schema = {**objects(**ODD), "$defs": DEFS}
    for kind in KINDS:
        build(kind, text := made(kind, schema, schema))
        assert text
        (tmp_path / f"of_{kind}.py").write_text(text)
    assert mypy(tmp_path) == (0, "")


@pytest.mark.parametrize("kind", ["typeddict", "msgspec", "pydantic"])
def test_no_constant_is_lost_with_its_type(tmp_path: Path, kind: str) -> None:
    tool = {"name": "find", "inputSchema": {**objects(**ODD), "$defs": DEFS}}
    package(tmp_path, kind, tool, name=f"odd_{kind}")
    check = models(str(tmp_path / "src" / f"odd_{kind}"))("find", None)
    right = {"const_number": 1.5, "const_list": [1], "large": 2**63}
    assert check(right) == right
    wrongs: list[dict[str, Any]] = [{"const_number": "a"}, {"const_list": {}}]
    for wrong in (*wrongs, {"large": [1]}):
        with pytest.raises((ValueError, msgspec.ValidationError)):
            check(wrong)


def test_pydantic_warns_of_no_member(tmp_path: Path) -> None:
    names = ["model_dump", "model_validated", "model_config", "copy", "schema"]
    tool = {"name": "find", "inputSchema": objects(**dict.fromkeys(names, TEXT))}
    package(tmp_path, "pydantic", tool, name="protected")
    sys.path.insert(0, str(tmp_path / "src"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            importlib.import_module("protected.models.find")
    finally:
        sys.path.remove(str(tmp_path / "src"))
    check = models(str(tmp_path / "src" / "protected"))("find", None)
    data = dict.fromkeys(names, "x")
    assert check(data) == data


@pytest.mark.parametrize("kind", KINDS)
def test_a_root_may_be_a_reference(tmp_path: Path, kind: str) -> None:
    inner = {**objects(x=TEXT, more={"$ref": "#/$defs/One"}), "required": ["x"]}
    schema = {**OBJECT, "$ref": "#/$defs/One", "$defs": {"One": inner}}
    package(tmp_path, kind, {"name": "find", "inputSchema": schema}, name=f"r_{kind}")
    check = models(str(tmp_path / "src" / f"r_{kind}"))("find", None)
    data = {"x": "a", "more": {"x": "b"}}
    assert {**check(data)}["x"] == "a"
    with pytest.raises((ValueError, TypeError, msgspec.ValidationError)):
        check({"more": {"x": "b"}})


def test_a_name_that_python_reads_as_another_is_left_out() -> None:
    wide = "\uff41dmin"  # Python reads it as "admin"
    assert made("typeddict", objects(**{wide: TEXT}), {}) == ""
    assert made("dataclass", objects(**{wide: TEXT}), {}) == ""
    for kind in ("msgspec", "pydantic"):
        assert "\\uff41dmin" in made(kind, objects(**{wide: TEXT}), {})


@pytest.mark.parametrize("kind", KINDS)
def test_quotes_are_those_of_the_other_files(kind: str) -> None:
    tool = {"name": "find", "inputSchema": objects(a={"enum": ["x", "y"]})}
    style = Style(100, skip_string_normalization=True)
    assert 'Literal["x", "y"]' in module_of(tool, ModelSettings(kind), style)


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_name_of_a_type_is_shorter(tmp_path: Path, kind: str) -> None:
    long, longer = "Long" * 18, f"{'Long' * 18}1"
    references: list[Any] = [
        {"$ref": f"#/$defs/{name}"} for name in (long, longer, "Self" * 20)
    ]
    defs: dict[str, Any] = {
        long: {"type": ["string", "integer"]},
        longer: {"type": "array", "items": {"type": "string"}},
        "Self" * 20: objects(inner={"type": "array", "items": references[2]}),
    }
    table = {"type": "object", "additionalProperties": {"type": "number", "minimum": 1}}
    defs["Map" * 30] = {"anyOf": [table, {"type": "boolean"}]}
    references.append({"$ref": f"#/$defs/{'Map' * 30}"})
    schema = objects(**dict(zip("abcd", references, strict=True))) | {"$defs": defs}
    tool = {"name": "t" * 60, "inputSchema": schema, "outputSchema": schema}
    package(tmp_path, kind, tool, name=f"long_{kind}")
    made = tmp_path / "src" / f"long_{kind}"
    text = (made / "models" / f"{'t' * 60}.py").read_text()
    words = [word.removeprefix("Result") for word in re.findall(r"\w+", text)]
    long_ones = {word for word in words if len(word) > LIMIT + len("_")}
    assert {word[-9:] for word in long_ones} <= {"Arguments", "tttResult"}
    assert ran(made, "ruff", "format", "--check", "--isolated", "models") == ""
    (tmp_path / "long.py").write_text(text)
    assert mypy(tmp_path, "long.py") == (0, "")
    self: dict[str, Any] = {"inner": [{"inner": []}]}
    value = {"a": "x", "b": ["y"], "c": self, "d": {"x": 1.5}}
    assert models(str(made))("t" * 60, None)(value) == value


def test_an_array_may_be_within_itself(tmp_path: Path) -> None:
    tree = {"type": "array", "items": {"$ref": "#/$defs/list"}}
    members = {"a": tree["items"], "@b": tree["items"], "c": {"type": "array"}}
    schema = {**objects(**members), "$defs": {"list": tree}}
    for kind in KINDS:
        build(kind, text := made(kind, schema, schema))
        (tmp_path / f"of_{kind}.py").write_text(text)
    for option in ("use_type_alias", "use_generic_container_types"):
        settings = ModelSettings("pydantic", ((option, True),))
        tool = {"name": "find", "inputSchema": schema}
        (tmp_path / f"{option}.py").write_text(module_of(tool, settings))
    assert mypy(tmp_path) == (0, "")


def test_a_definition_may_have_the_name_of_a_container(tmp_path: Path) -> None:
    defs = {"Sequence": {"type": "number"}, "Mapping": {"type": "string"}}
    members = {name: {"$ref": f"#/$defs/{name}"} for name in defs}
    schema = {**objects(**members, rest={"type": "array"}), "$defs": defs}
    for kind in KINDS:
        build(kind, text := made(kind, schema, schema))
        (tmp_path / f"of_{kind}.py").write_text(text)
    assert mypy(tmp_path) == (0, "")


def test_a_type_that_its_library_renamed_in_part_is_left_out(tmp_path: Path) -> None:
    union = {"anyOf": [objects(Annotated={"$ref": "#/$defs/union"})]}
    either = {"anyOf": [{**TEXT, "minLength": 1}, {"$ref": "#/$defs/union"}]}
    schema = {**objects(**{"a-b": either}), "$defs": {"union": union}}
    tool = {"name": "find", "inputSchema": schema}
    report = package(tmp_path, "typeddict", tool, name="renamed")
    assert report["counts"]["no-models"] == 1


def test_a_base_may_have_members_that_are_no_names(tmp_path: Path) -> None:
    inner: dict[str, Any] = {"from": {"$ref": "#/$defs/B"}, "n": {"type": "number"}}
    base = {**objects(**{"@type": TEXT}, **inner), "required": ["@type"]}
    more = {**objects(m=TEXT, n={"type": "integer"}), "required": ["n"]}
    last = {"allOf": [{"$ref": "#/$defs/C"}, objects(list=TEXT)]}
    defs = {
        "B": base,
        "C": {"allOf": [{"$ref": "#/$defs/B"}, more]},
        "D": last,
    }
    schema = {**objects(x={"$ref": "#/$defs/D"}), "$defs": defs}
    tool = {"name": "find", "inputSchema": schema}
    report = package(tmp_path, "typeddict", tool, name="based")
    assert "no-models" not in report["counts"]
    made = tmp_path / "src" / "based"
    text = (made / "models" / "find.py").read_text()
    uses = (
        'right: FindArguments = {"x": {"@type": "", "from": {"@type": ""}, "n": 1}}\n'
        'wrong: FindArguments = {"x": {"@type": "", "list": "", "m": ""}}\n'
    )
    (tmp_path / "uses.py").write_text(f"{text}\n{uses}")
    errors = mypy(tmp_path, "uses.py").stderr
    assert errors.count("error:") == 1
    assert "uses.py" in errors
    check = models(str(made))("find", None)
    value: Any = {"x": {"@type": "", "from": {"@type": ""}, "n": 1, "list": ""}}
    assert check(value) == value
