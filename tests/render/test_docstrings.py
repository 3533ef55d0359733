"""Docstrings: what documentation tools read of the server's texts and our sentences."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

FENCED = 'A filter:\n\n```json\n{"a": 1}\n```'
OPEN = 'A filter:\n\n```json\n{"a": 1}'
LISTED = "One of:\n- all: each of them\n- none: nothing"


def _docstring(description: str, parameters: dict[str, str]) -> str:
    properties = {
        name: {"type": "string", "default": "all", "description": text}
        for name, text in parameters.items()
    }
    schema = {"type": "object", "properties": properties}
    tool = {"name": "look", "description": description, "inputSchema": schema}
    data = json.dumps({"tools": [tool]}).encode()
    tree = ast.parse(generate(data, "made", Settings()).files["tools/look.py"])
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return ast.get_docstring(next(functions)) or ""


def _sections(text: str) -> dict[str, Any]:
    griffe = pytest.importorskip("griffe")
    sections = griffe.Docstring(text).parse("google", warnings=False)
    return {section.kind.value: section.value for section in sections}


@pytest.mark.parametrize("text", [FENCED, OPEN, LISTED])
def test_a_default_behind_code_or_a_list_is_a_paragraph(text: str) -> None:
    sections = _sections(_docstring("Look.", {"where": text, "which": "Which."}))
    where, which = sections["parameters"]
    assert where.description.endswith('\n\nDefault: `"all"`.')
    assert where.description.count("```") % 2 == 0
    assert which.description == 'Which. Default: `"all"`.'


def test_code_that_a_server_leaves_open_hides_no_parameter() -> None:
    sections = _sections(_docstring(f"Look.\n\n{OPEN}", {"which": "Which."}))
    assert [each.name for each in sections["parameters"]] == ["which"]
