"""A live tool has typed members, whatever its server sends."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_bindgen.runtime.client.listed import ListedTool


def test_a_listed_tool_has_typed_members() -> None:
    raw: dict[str, Any] = {
        "name": "get_item",
        "description": "Get it.",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "array"},
        "annotations": {"title": "Get an item", "readOnlyHint": True},
    }
    tool = ListedTool.from_wire(raw)
    assert (tool.tool, tool.title) == ("get_item", "Get an item")
    assert tool.description == "Get it."
    assert tool.input_schema == {"type": "object"}
    assert tool.output_schema == {"type": "array"}
    assert tool.read_only
    assert not tool.destructive
    assert tool.raw is raw
    assert repr(tool) == "ListedTool('get_item', 'Get an item')"


@pytest.mark.parametrize("value", [None, 1, [], {}, ""])
def test_a_malformed_tool_has_empty_members(value: Any) -> None:
    names = ("name", "title", "description", "inputSchema", "annotations")
    tool = ListedTool.from_wire(dict.fromkeys((*names, "outputSchema"), value))
    assert (tool.tool, tool.title, tool.description) == ("", "", "")
    assert (tool.input_schema, tool.annotations) == ({}, {})
    assert tool.output_schema == ({} if value == {} else None)
    assert tool.destructive


def test_the_hints_are_those_of_the_server() -> None:
    def destructive(**annotations: object) -> bool:
        return ListedTool.from_wire({"annotations": annotations}).destructive

    assert destructive(destructiveHint=True)
    assert not destructive(destructiveHint=False)
    assert not destructive(destructiveHint=True, readOnlyHint=True)
