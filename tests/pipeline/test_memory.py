"""What is used is free: a recording may have tens of thousands of tools."""

from __future__ import annotations

import gc
import json
import pickle
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import click
import pytest
from mcp_bindgen.cli.meter import Meter
from mcp_bindgen.pipeline.executor import HERE
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.parts import listed, parts_of
from mcp_bindgen.pipeline.settings import Settings
from mcp_bindgen.pipeline.tool_files import make_tool
from mcp_bindgen.python.names import allocate
from mcp_bindgen.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.deadline import Deadline
    from mcp_bindgen.pipeline.parts import Listed, Parts
    from mcp_bindgen.pipeline.plan import ToolPlan
    from mcp_bindgen.pipeline.tool_files import ToolFiles

MARK = "x-mark-of-this-test"


def _data(number: int = 30, text: str = "") -> bytes:
    values = {"a": {"type": "string"}, "b": {"enum": ["x", "y"]}}
    schema = {"type": "object", "properties": values}
    common = {"inputSchema": schema, "description": text}
    tools = [{"name": f"t{n}", **common, MARK: [n]} for n in range(number)]
    return json.dumps({"tools": tools}).encode()


def _as_json() -> int:
    """Return how many tools there are as JSON."""
    objects: list[Any] = gc.get_objects()
    return sum(MARK in each for each in objects if type(each) is dict)


def test_one_tool_at_a_time_is_there_as_json_while_they_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there: list[int] = []

    def counted(plan: ToolPlan, settings: Settings, deadline: Deadline) -> ToolFiles:
        there.append(_as_json())
        return make_tool(plan, settings, deadline)

    monkeypatch.setattr("mcp_bindgen.pipeline.tool_files.make_tool", counted)
    with click.Context(click.Command("generate")):
        generate(_data(), "demo", executor=Meter().watch(HERE, "demo"))
    assert there == [1] * 30


def test_names_of_a_recording_are_forgotten_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    named = Mock(wraps=allocate)
    monkeypatch.setattr("mcp_bindgen.pipeline.plan.allocate", named)
    for _ in range(2):
        listed(_data(), "demo", Settings())
    assert named.call_count == 2


def test_no_file_takes_four_bytes_for_a_character() -> None:
    files = generate(_data(text="Sends \N{SNAKE}."), "demo").files
    assert isinstance(files, Texts)
    assert all(t.isascii() for t in files.stored.values() if isinstance(t, str))
    assert "Sends \N{SNAKE}." in files["tools/t0.py"]


def test_texts_are_equal_to_a_dict_of_them() -> None:
    texts = Texts.of({"a": "1", "b": "\N{SNAKE}"})
    assert texts == {"b": "\N{SNAKE}", "a": "1"}
    assert pickle.loads(pickle.dumps(texts)) == texts
    changed = texts | {"a": "\N{SNAKE}", "c": "\ud800"}
    assert changed == {"a": "\N{SNAKE}", "b": "\N{SNAKE}", "c": "\ud800"}
    assert texts["a"] == "1"


def test_no_tool_waits_for_the_collector_which_is_off() -> None:
    def cycles(tools: int) -> int:
        data = _data(tools)
        gc.collect()
        generate(data, "demo")
        return gc.collect()

    was_on = gc.isenabled()
    gc.disable()
    try:
        cycles(1)  # what is loaded once
        assert cycles(30) == cycles(3)
    finally:
        if was_on:
            gc.enable()


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
