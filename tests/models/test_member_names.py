"""Members of any name in models: none hides a name that the module needs."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from mcp_bindgen.pipeline.model_names import changed_key
from mcp_bindgen.python.model_kinds import KINDS

from tests.models.adapter import models
from tests.models.test_models import package

if TYPE_CHECKING:
    from pathlib import Path


def members_of(*names: str) -> dict[str, Any]:
    """Return a schema whose members have these names, beside a few others."""
    text = {"type": "string", "minLength": 1}
    return {
        "type": "object",
        "properties": {
            **dict.fromkeys(names, text),
            "texts": {"type": "array", "items": {"enum": ["a", "b"]}},
            "numbers": {"type": "object", "additionalProperties": {"type": "integer"}},
            "inner": {
                "type": "object",
                "properties": {"a": text},
                "additionalProperties": {"$ref": "#/$defs/Other"},
            },
        },
        "required": [*names],
        "$defs": {"Other": {"type": "object", "properties": {"b": text}}},
    }


HIDING = ["list", "dict", "str", "int", "Any", "Literal", "Annotated", "Field"]
UNDER = ["_id", "_", "__typename", "__init__", "__class__"]
UNICODE = ["na\u00efve", "\u540d\u524d", "class", "a-b"]


@pytest.mark.parametrize("kind", ["typeddict", "msgspec", "pydantic"])
def test_a_member_hides_no_name_and_is_sent_as_it_is(tmp_path: Path, kind: str) -> None:
    tool = {"name": "find", "inputSchema": members_of(*HIDING, *UNICODE)}
    name = f"hiding_{kind}"
    package(tmp_path, kind, tool, name=name)
    assert (tmp_path / "src" / name / "models" / "find.py").read_text().isascii()
    check = models(str(tmp_path / "src" / name))("find", None)
    data: dict[str, Any] = dict.fromkeys((*HIDING, *UNICODE), "x")
    data |= {"texts": ["a"], "inner": {"a": "x"}}
    assert check(data) == data
    for wrong in ({"texts": ["c"]}, {"list": 3}, {"\u540d\u524d": None}):
        with pytest.raises((ValueError, msgspec.ValidationError)):
            check(data | wrong)


@pytest.mark.parametrize("kind", ["typeddict", "msgspec", "pydantic"])
@pytest.mark.parametrize("name", UNDER)
def test_a_member_may_begin_with_an_underscore(
    tmp_path: Path, kind: str, name: str
) -> None:
    own = f"under_{kind}_{UNDER.index(name)}"
    schema = members_of(name, name.strip("_") or "a", f"field_{name.strip('_')}")
    package(tmp_path, kind, {"name": "find", "inputSchema": schema}, name=own)
    check = models(str(tmp_path / "src" / own))("find", None)
    data = dict.fromkeys(schema["required"], "x")
    assert check(data) == data
    with pytest.raises((ValueError, msgspec.ValidationError)):
        check({key: "x" for key in data if key != name})


def test_a_key_that_another_library_changes_is_left_out() -> None:
    tree = ast.parse("class A:\n    field_id: str\n    b: int\n")
    assert changed_key(tree, {"properties": {"_id": {}, "b": {}}}) == "field_id"
    assert not changed_key(tree, {"items": {"properties": {"field_id": {}, "b": {}}}})


def test_other_members_have_their_type(tmp_path: Path) -> None:
    tool = {"name": "find", "inputSchema": members_of()}
    package(tmp_path, "pydantic", tool, name="extras")
    check = models(str(tmp_path / "src" / "extras"))("find", None)
    right = {"inner": {"more": {"b": "x"}}}
    assert check(right) == right
    with pytest.raises(ValueError, match="more"):
        check({"inner": {"more": {"b": 3}}})


@pytest.mark.parametrize("kind", KINDS)
def test_a_tool_without_members_has_its_name(tmp_path: Path, kind: str) -> None:
    texts = {"type": "array", "items": {"type": "string"}}
    tool = {
        "name": "find",
        "inputSchema": {"type": "object", "additionalProperties": texts},
    }
    package(tmp_path, kind, tool, name=f"open_{kind}")
    check = models(str(tmp_path / "src" / f"open_{kind}"))("find", None)
    assert check({"a": ["x"]}) == {"a": ["x"]}
    with pytest.raises((ValueError, msgspec.ValidationError)):
        check({"a": 3})


def test_a_dataclass_may_have_a_member_called_as_its_class(tmp_path: Path) -> None:
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    tool = {
        "name": "find",
        "inputSchema": {"type": "object", "properties": {"Enum": inner}},
    }
    package(tmp_path, "dataclass", tool, name="called")
    check = models(str(tmp_path / "src" / "called"))("find", None)
    assert check({"Enum": {"a": "x"}}).get("Enum") == {"a": "x"}


def test_a_required_member_may_be_no_property(tmp_path: Path) -> None:
    base: Any = {"type": "object", "properties": {"_id": {}}}
    both: Any = {"allOf": [base, {"type": "object", "required": ["token"]}]}
    schema = {"type": "object", "properties": {"inner": both}}
    tool = {"name": "find", "inputSchema": schema}
    report = package(tmp_path, "typeddict", tool, name="required")
    assert "no-models" not in report["counts"]
    check = models(str(tmp_path / "src" / "required"))("find", None)
    value = {"inner": {"_id": 1, "token": "x"}}
    assert check(value) == value
