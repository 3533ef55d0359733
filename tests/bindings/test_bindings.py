"""Both example servers recorded, generated and called: HTTP, stdio, sync and async."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from click.testing import CliRunner
from mcp_bindgen.cli import app

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.xdist_group("bindings")


def test_results_are_typed(todo: Any) -> None:
    package, me = import_module("live_todo"), str(uuid4())
    task = todo.add_task(user_id=me, title="Read", tags=["a"], priority="high")
    assert isinstance(task, package.AddTaskResult)
    assert (task.title, task.tags) == ("Read", ["a"])
    assert (task.notes, task.status) == (None, "open")
    done = todo.complete_task(user_id=me, task_id=task.id)
    assert done.completed_at is not None
    page = todo.list_tasks(user_id=me, status="done")
    assert isinstance(page, package.ListTasksResult)
    assert [(each.id, each.status) for each in page.tasks] == [(task.id, "done")]
    assert todo.delete_task(user_id=me, task_id=task.id).title == "Read"


def test_absent_is_not_sent_and_null_is(todo: Any) -> None:
    missing, me = import_module("live_todo").MISSING, str(uuid4())
    task = todo.add_task(user_id=me, title="Read", notes="soon", due_on="2030-01-01")
    update = partial(todo.update_task, user_id=me, task_id=task.id)
    same = update(title="Write", notes=missing)
    assert (same.changed, same.task.notes) == (["title"], "soon")
    cleared = update(notes=None)
    assert (cleared.changed, cleared.task.notes) == (["notes"], None)
    assert cleared.task.due_on == "2030-01-01"
    error = import_module("live_todo").ToolError
    with pytest.raises(error, match="VALIDATION_ERROR: give at least one field"):
        update(title=missing)


def test_what_a_tool_reports_is_raised(todo: Any) -> None:
    package = import_module("live_todo")
    with pytest.raises(package.ToolError) as caught:
        todo.complete_task(user_id=str(uuid4()), task_id=1)
    assert caught.value.result.text.startswith("TASK_NOT_FOUND: ")
    assert caught.value.tool == "complete_task"
    with pytest.raises(package.ToolError, match="VALIDATION_ERROR: user_id"):
        todo.list_tasks(user_id="nobody")


def test_what_the_schema_forbids_is_not_sent(todo: Any) -> None:
    package = import_module("live_todo")
    with pytest.raises(package.InvalidArgumentsError) as caught:
        todo.add_task(user_id=str(uuid4()), title="x" * 201, priority="urgent")
    assert caught.value.outcome == "not sent"
    assert {fault.path for fault in caught.value.faults} == {"/title", "/priority"}
    assert "xxx" not in str(caught.value)


def test_a_protocol_error_is_no_tool_error(todo: Any) -> None:
    package = import_module("live_todo")
    with pytest.raises(package.ProtocolError) as caught:
        todo.request("tasks/teleport", {})
    assert caught.value.code == -32601


def test_names_on_the_wire_are_the_servers(catalog: Any) -> None:
    package = import_module("live_catalog")
    everything = catalog.search_metadata(query="*", size=5)
    rest = catalog.search_metadata(query="*", size=4, from_=1)
    assert isinstance(rest, package.SearchMetadataResult)
    assert len(everything.hits) == 5
    assert rest.hits == everything.hits[1:]
    tables = catalog.search_metadata(query="*", entity_type="table")
    assert {hit.entity_type for hit in tables.hits} == {"table"}
    name = tables.hits[0].fully_qualified_name
    lineage = catalog.get_entity_lineage(entity_type="table", fqn=name)
    assert lineage.root.fully_qualified_name == name


def test_a_tool_without_output_schema_gives_the_whole_result(catalog: Any) -> None:
    package = import_module("live_catalog")
    hit = catalog.search_metadata(query="*", entity_type="table", size=1).hits[0]
    details = catalog.get_entity_details(
        entity_type="table", fqn=hit.fully_qualified_name
    )
    assert isinstance(details, package.ToolResult)
    assert details.json()["fullyQualifiedName"] == hit.fully_qualified_name
    assert details.is_error is False


def test_nested_arguments_are_models(catalog: Any) -> None:
    tool = import_module("live_catalog.tools.search_metadata")
    filters = tool.Filters(tier="Tier1")
    sort = tool.Sort(field="name", order="desc")
    page = catalog.search_metadata(query="*", filters=filters, sort=sort)
    names = [hit.name for hit in page.hits]
    assert names == sorted(names, reverse=True)
    assert {hit.tier for hit in page.hits} == {"Tier1"}


@pytest.mark.parametrize(
    ("name", "hint"), [("add_tsk", "did you mean add_task?"), ("x", "of Tool")]
)
def test_a_time_for_a_tool_that_is_none_is_refused(
    todo: Any, name: str, hint: str
) -> None:
    package = import_module("live_todo")
    assert todo.with_options(timeouts={package.Tool.ADD_TASK: 5, "delete_task": 3})
    for make in (todo.with_options, partial(package.Client.stdio, ["todo"])):
        with pytest.raises(package.ConfigError, match=f"no tool {name}") as caught:
            make(timeouts={name: 5})
        assert caught.value.hint.endswith(hint)


def test_a_wrong_token_is_refused(folder: Path, urls: dict[str, str]) -> None:
    package = import_module("live_catalog")
    assert (folder / "live_catalog").is_dir()
    with (
        package.Client.http(urls["catalog"], token="wrong") as client,
        pytest.raises(package.AuthError) as caught,
    ):
        client.search_metadata(query="*")
    assert caught.value.status == 401


def test_a_result_that_does_not_fit_is_reported(
    folder: Path, urls: dict[str, str], tmp_path: Path
) -> None:
    """The server has changed since it was recorded."""
    recording = json.loads((folder / "live_todo.json").read_text())
    for tool in recording["tools"]:
        tool["outputSchema"] = {"type": "object", "required": ["colour"]}
    (tmp_path / "old_todo.json").write_text(json.dumps(recording))
    made = ["generate", str(tmp_path / "old_todo.json"), "-o", str(folder)]
    assert CliRunner().invoke(app, made).exit_code == 0
    package = import_module("old_todo")
    with (
        package.Client.http(urls["todo"]) as client,
        pytest.raises(package.UnexpectedResultError) as caught,
    ):
        client.add_task(user_id=str(uuid4()), title="Read")
    assert [fault.path for fault in caught.value.faults] == ["/colour"]
    assert caught.value.result.structured["title"] == "Read"
    assert caught.value.outcome == "ran"


IMPORTS = """
import sys
def loaded():
    parts = [name.split(".") for name in sys.modules]
    roots = {p[0] for p in parts} & {"pydantic", "pydantic_core", "httpx", "anyio"}
    return sorted(roots | {".".join(p[1:]) for p in parts if p[0] == "live_todo"})
import live_todo
print(loaded())
live_todo.Tool
dir(live_todo)
print(loaded())
client = live_todo.Client(None)
live_todo.TOOLS["add_task"].title
print(loaded())
client.add_task
print([name for name in loaded() if name.startswith("tools.")])
print(loaded())
print(sorted({"html", "logging", "pydantic.type_adapter"} & {*sys.modules}))
"""

# What a connection or a call needs; an import of a client or of a function does not.
LATE = ("_runtime.protocol", "_runtime.transport", "_runtime.results")


def test_what_is_not_used_is_not_imported(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", IMPORTS],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    first, second, third, tools, function, others = map(eval, ran.stdout.splitlines())
    assert first == ["", "_runtime", "_runtime.lazy"]
    assert second == ["", "_runtime", "_runtime.lazy", "names"]
    assert not {"pydantic", "pydantic_core", "httpx"} & {*third}
    assert not [name for name in third if name.startswith("tools")]
    assert tools == ["tools.add_task"]
    assert not [name for name in function if name.startswith(LATE)]
    assert "httpx" not in function
    assert len([name for name in function if name.startswith("_runtime.")]) <= 22
    assert others == []


NAMES = """
import importlib, live_todo
for name in live_todo.__all__:
    assert getattr(live_todo, name) is not None or name == "MISSING"
assert sorted(live_todo.__all__) == dir(live_todo)
space = {}
exec("from live_todo import *", space)
assert {*live_todo.__all__} <= {*space}
for name in ("nope", "Nope", "NopeArguments", "nope_async", "_TOOL", "tools.names", ""):
    try:
        getattr(live_todo, name)
    except AttributeError as error:
        assert repr(name) in str(error)
    else:
        raise AssertionError(name)
"""


def test_the_names_are_these_and_no_other(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", NAMES], cwd=folder, check=True)
