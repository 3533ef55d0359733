"""Models take the members that a schema allows beside those that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from mcp_bindgen.python.model_kinds import KINDS

from tests.models.adapter import models
from tests.models.exact import is_sent
from tests.models.test_models import package

if TYPE_CHECKING:
    from pathlib import Path

OBJECT = {"type": "object"}
TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
PATTERN = {**OBJECT, "patternProperties": {"^x": NUMBER}}
TWO = {"^x": NUMBER, "^y": TEXT}
CLOSED = {"additionalProperties": False}
MEMBERS: dict[str, Any] = {**OBJECT, "properties": {"a": TEXT}}
# Members of the arguments, each with a value that it allows.
ALLOWED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "others": (PATTERN, {"x1": 1, "other": "any"}),
    "typed": ({**PATTERN, "additionalProperties": TEXT}, {"x1": 1, "other": "text"}),
    "whole": ({**OBJECT, "patternProperties": {"^(.*)$": NUMBER}}, {"other": 1}),
    "two": ({**OBJECT, "patternProperties": TWO, **CLOSED}, {"x": 1, "y": "a"}),
    "closed": ({**PATTERN, **CLOSED}, {"x1": 1}),
    "members": ({**MEMBERS, **CLOSED, "patternProperties": TWO}, {"a": "a", "x": 1}),
}
REFUSED: dict[str, dict[str, Any]] = {
    "whole": {"other": "a"},
    "two": {"x": []},
    "closed": {"x1": "a"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_a_pattern_are_not_the_only_ones(tmp_path: Path, kind: str) -> None:
    table = {name: schema for name, (schema, _) in ALLOWED.items()}
    tool = {"name": "find", "inputSchema": {**OBJECT, "properties": table}}
    package(tmp_path, kind, tool, name=f"patterns_{kind}")
    check = models(str(tmp_path / "src" / f"patterns_{kind}"))("find", None)
    for name, (_, value) in ALLOWED.items():
        check({name: value})
    for name, wrong in REFUSED.items():
        with pytest.raises((ValueError, msgspec.ValidationError)):
            check({name: wrong})


def test_pydantic_loses_no_member_of_an_open_object(tmp_path: Path) -> None:
    both = {"allOf": [MEMBERS, {**OBJECT, "properties": {"b": NUMBER}}]}
    table = {"one": {"allOf": [MEMBERS]}, "both": both}
    closed = {"closed": {"allOf": [{**MEMBERS, **CLOSED}]}}
    schema = {**OBJECT, "properties": {**table, **closed}}
    package(tmp_path, "pydantic", {"name": "find", "inputSchema": schema}, name="open")
    check = models(str(tmp_path / "src" / "open"))("find", None)
    for name in table:
        assert is_sent(check, {name: {"a": "a", "other": [1]}})
    assert not is_sent(check, {"closed": {"a": "a", "other": [1]}})


@pytest.mark.parametrize("value", ["ignore", "forbid"])
def test_a_project_says_what_becomes_of_other_members(
    tmp_path: Path, value: str
) -> None:
    schema = {**OBJECT, "properties": {"one": {"allOf": [MEMBERS]}}}
    more = f'[tool.datamodel-codegen]\nextra-fields = "{value}"\n'
    tool = {"name": "find", "inputSchema": schema}
    package(tmp_path, "pydantic", tool, more=more)
    text = (tmp_path / "src" / "pkg" / "models" / "find.py").read_text()
    assert "allow" not in text
    assert f'extra="{value}"' in text


def test_a_type_may_be_called_as_a_variable_of_the_adapter(tmp_path: Path) -> None:
    both = {"anyOf": [{"type": "array", "items": TEXT, "maxItems": 2}, MEMBERS]}
    schema = {**OBJECT, "properties": {"_": both}}
    package(tmp_path, "typeddict", {"name": "find", "inputSchema": schema}, name="line")
    check = models(str(tmp_path / "src" / "line"))("find", None)
    for value in (["x"], {"a": "x"}):
        assert check({"_": value}) == {"_": value}
