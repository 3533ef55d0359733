"""The names of a package are found when they are asked for, and no others are."""

from __future__ import annotations

import json
import pickle
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

from tests.targets.conftest import write

if TYPE_CHECKING:
    from pathlib import Path

OTHERS = ("nope", "Nope", "NopeArguments", "nope_async", "_TOOL", "tools.names", "")


def test_the_names_are_these_and_no_other(todo: Any) -> None:
    assert dir(todo) == sorted(todo.__all__)
    for name in todo.__all__:
        assert getattr(todo, name) is getattr(todo, name)
    assert todo.add_task_async.__module__ == "fw_todo.tools.add_task"
    assert todo.AddTaskArguments.__name__ == "AddTaskArguments"
    for name in OTHERS:
        with pytest.raises(AttributeError, match=f"has no attribute {name!r}"):
            getattr(todo, name)


def test_what_a_tool_lacks_is_reported_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = json.dumps({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})
    made = generate(
        data.encode(),
        "fw_broken",
        Settings(targets=("python",), runtime="mcp_bindgen.runtime"),
    )
    write(
        {**made.files, "tools/t.py": "import no_such_library\n"}, tmp_path / "fw_broken"
    )
    monkeypatch.setattr("sys.path", [str(tmp_path), *sys.path])
    package = import_module("fw_broken")
    with pytest.raises(ModuleNotFoundError, match="no_such_library"):
        _ = package.t
    info = package.tool_info("t")
    assert info.strict_schema is None


def test_a_description_names_the_member_of_its_tool(todo: Any) -> None:
    for tool in todo.Tool:
        info = todo.tool_info(tool)
        assert info.tool is tool
        assert isinstance(info, todo.ToolInfo)
        assert pickle.loads(pickle.dumps(info)) == info
    assert "Add task" in repr(todo.TOOLS["add_task"])
    assert todo.destructive("add_*") == []
    assert [type(tool) for tool in todo.read_only()] == [todo.Tool]
