"""Resources and prompts of the example servers, read in four ways."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

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


def test_names_are_found_without_a_server(folder: Path) -> None:
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
