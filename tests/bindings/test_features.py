"""Resources and prompts of the example servers, read in four ways."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from mcp_bindgen.runtime.client import feature_drift

from tests.bindings.conftest import WAYS, opened
from tests.servers.launch import serve_http, stdio_command

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("bindings")


def test_resources_and_prompts_are_typed(todo: Any) -> None:
    package, me = import_module("live_todo"), str(uuid4())

    guide = todo.read_resource(package.Resource.GUIDE)

    assert isinstance(guide, package.ResourceContents)
    assert guide.mime_type == "text/markdown"
    assert guide.text.startswith("# How to use the todo tools")
    assert guide.data == guide.text.encode()
    assert [info.uri for info in todo.list_resources()] == [*package.Resource]
    with pytest.raises(package.ProtocolError, match="Resource not found"):
        todo.read_resource("todo://nothing")

    todo.add_task(user_id=me, title="Read")
    assert todo.open_tasks(user_id=me).json()["total"] == 1
    with pytest.raises(package.ProtocolError, match="user_id is no UUID"):
        todo.open_tasks(user_id="a/../b")
    listed = todo.list_resource_templates()
    assert [info.uri_template for info in listed] == [*package.ResourceTemplate]

    messages = todo.plan_day(user_id=me, focus="home")
    assert [message.role for message in messages] == ["user"]
    assert me in messages.text
    assert "home" in messages.text
    assert "home" not in todo.plan_day(user_id=me).text
    assert [info.prompt for info in todo.list_prompts()] == [*package.Prompt]
    completion = todo.complete("tone", "st", prompt=package.Prompt.REVIEW_WEEK)
    assert completion.values == ("strict",)

    logo = todo.read_resource(package.Resource.LOGO)
    assert logo.data.startswith(b"\x89PNG")
    assert len(logo.data) == package.RESOURCES[package.Resource.LOGO].size
    assert "<img" in logo._repr_mimebundle_()["text/html"]
    task = todo.add_task(user_id=me, title="Write")
    assert todo.task(user_id=me, task_id=task.id).json()["title"] == "Write"
    template, sent = [*package.ResourceTemplate][1], {"user_id": me, "task_id": task.id}
    assert todo.read_template(template, sent).json()["title"] == "Write"
    link = package.ResourceLink(f"todo://users/{me}/tasks", "", None, {})
    assert todo.follow(link).json()["total"] == 2
    assert todo.verify() == []


def test_a_template_of_two_parameters_and_a_prompt_with_a_link(catalog: Any) -> None:
    package, orders = import_module("live_catalog"), "warehouse.sales.orders"
    picture = catalog.read_resource(package.Resource.LINEAGE)
    assert picture.data.startswith(b"\x89PNG")
    assert len(picture.data) == package.RESOURCES[package.Resource.LINEAGE].size

    entity = catalog.entity(entity_type="table", fqn=orders).json()
    assert (entity["displayName"], len(entity["columns"])) == ("Orders", 5)
    with pytest.raises(package.ProtocolError, match="no table 'a/b c'"):
        catalog.entity(entity_type="table", fqn="a/b c")

    link, request = catalog.describe_table(fqn=orders, audience="newcomers")
    assert "for newcomers" in request.content.text
    assert catalog.follow(link.content).json() == entity
    (question,) = catalog.find_owner(subject="sales")
    assert "sales" in question.content.text

    template = package.ResourceTemplate.ENTITY
    kinds = catalog.complete("entityType", "ta", template=template)
    assert kinds.values == ("table",)
    chosen = {"entityType": "table"}
    names = catalog.complete("fqn", "warehouse.s", template=template, others=chosen)
    assert orders in names.values
    assert catalog.verify() == []


def test_a_model_reads_resources_by_tools(
    todo: Any, caplog: pytest.LogCaptureFixture
) -> None:
    package, me = import_module("live_todo"), str(uuid4())
    todo.add_task(user_id=me, title="Read")
    client = getattr(todo, "client", todo)
    tools = {tool.name: tool for tool in package.resources_as_tools(client)}
    assert [*tools][:3] == ["list_resources", "read_resource", "open_tasks"]
    guide = tools["read_resource"].answer({"uri": "todo://guide"})
    assert "# How to use" in guide.parts[0].text
    tasks = tools["open_tasks"].answer({"user_id": me})
    assert '"total":1' in tasks.parts[0].text.replace(" ", "")
    absent = tools["read_resource"].answer({"uri": "todo://nothing"})
    assert isinstance(absent.error, package.ProtocolError)
    assert "Resource not found" in absent.parts[0].text
    assert caplog.text == ""
    last = tools[[*tools][3]]
    assert last.answer({"user_id": me}).error is not None


def test_what_fails_has_a_code_a_name_and_a_time(todo: Any) -> None:
    package, me = import_module("live_todo"), str(uuid4())
    unknown = todo.try_tool("no_such_tool", {})
    assert isinstance(unknown, package.ToolCallResult)
    assert (unknown.tool, unknown.success, unknown.data) == (
        "no_such_tool",
        False,
        None,
    )
    assert unknown.result.text.startswith("UNKNOWN_TOOL: ")
    assert unknown.elapsed > 0
    absent = todo.try_tool("complete_task", {"user_id": me, "task_id": 1})
    assert absent.result.text.startswith("TASK_NOT_FOUND: ")
    listed = todo.try_tool("list_tasks", {"user_id": me})
    assert (listed.tool, listed.success, listed.error) == ("list_tasks", True, None)
    assert listed.data["total"] == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_fault_of_the_server_is_an_internal_error(
    way: str, folder: Path, tmp_path: Path
) -> None:
    assert (folder / "live_todo").is_dir()
    package, me = import_module("live_todo"), str(uuid4())
    file = tmp_path / "tasks.db"
    env = {"TODO_DATABASE_URL": f"sqlite:///{file}"}
    with ExitStack() as stack:
        if way.startswith("stdio"):
            client = opened(package, way, stdio_command("todo"), stack, env=env)
        else:
            url = stack.enter_context(serve_http("todo", env=env))
            client = opened(package, way, url, stack)
        client.add_task(user_id=me, title="Read")
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("UPDATE taskrow SET tags = '['")  # JSON that cannot be read
        tried = client.try_tool("list_tasks", {"user_id": me})
        with pytest.raises(package.ToolError, match="INTERNAL_ERROR"):
            client.list_tasks(user_id=me)
    assert isinstance(tried, package.ToolCallResult)
    assert (tried.tool, tried.success, tried.data) == ("list_tasks", False, None)
    assert isinstance(tried.error, package.ToolError)
    assert tried.result.text == "INTERNAL_ERROR: JSONDecodeError"
    assert tried.elapsed > 0


def test_names_need_no_server(folder: Path) -> None:
    assert (folder / "live_todo").is_dir()
    package = import_module("live_todo")
    client = package.Client.stdio(["nothing"])
    assert {"open_tasks", "plan_day", "add_task"} <= {*dir(client)} & {*dir(package)}
    assert package.open_tasks is package.resources.open_tasks
    assert client.open_tasks.__func__ is package.open_tasks
    with pytest.raises(AttributeError, match="no attribute 'plan_days'"):
        _ = client.plan_days
    guide = package.RESOURCES[package.Resource.GUIDE]
    assert (guide.title, guide.mime_type) == ("Guide", "text/markdown")
    arguments = package.PROMPTS[package.Prompt.PLAN_DAY].arguments
    assert [(a.name, a.required) for a in arguments] == [
        ("user_id", True),
        ("focus", False),
    ]


def test_what_changed_at_the_server_is_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded = {
        "resources": [{"uri": "a://b", "name": "b"}, {"uri": "a://c", "name": "c"}],
        "prompts": [{"name": "p"}],
    }

    def read(_package: str, _file: str) -> dict[str, Any]:
        return {**recorded}

    monkeypatch.setattr(feature_drift, "read_json", read)
    live = {
        "resources": [{"uri": "a://b", "name": "other"}],
        "resourceTemplates": [{"uriTemplate": "a://{d}"}],
        "prompts": [{"name": "p"}],
    }
    differences = map(str, feature_drift.feature_differences("any", live))
    assert [*differences] == [
        "resource a://b /name: changed (RESOURCE_TEXT_CHANGED, text)",
        "resource a://c: removed (RESOURCE_REMOVED, breaking)",
        "template a://{d}: added (RESOURCE_TEMPLATE_ADDED, text)",
    ]
