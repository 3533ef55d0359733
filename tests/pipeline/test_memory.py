"""What is used is free: a recording may have tens of thousands of tools."""

from __future__ import annotations

import gc
import json
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.parts import parts_of
from mcp_bindgen.pipeline.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.pipeline.parts import Listed, Parts
    from mcp_bindgen.pipeline.tool_files import ToolFiles

MARK = "x-mark-of-this-test"


def _data() -> bytes:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    tools = [{"name": f"t{n}", "inputSchema": schema, MARK: [n]} for n in range(30)]
    return json.dumps({"tools": tools}).encode()


def _as_json() -> int:
    """Return how many tools there are as JSON."""
    objects: list[Any] = gc.get_objects()
    return sum(MARK in each for each in objects if type(each) is dict)


@pytest.mark.parametrize("targets", [("python", "openai", "langchain"), ("python",)])
def test_no_tool_is_there_as_json_once_all_are_made(
    targets: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []

    def counted(lists: Listed, tools: Sequence[ToolFiles]) -> Parts:
        left.append(_as_json())
        return parts_of(lists, tools)

    monkeypatch.setattr("mcp_bindgen.pipeline.generate.parts_of", counted)
    package = generate(_data(), "demo", Settings(targets))
    assert left == [0]
    assert len(package.catalog.tools) == 30
    assert not any(tool.raw or tool.entries for tool in package.catalog.tools)
    assert MARK in package.files["recording.json"]
