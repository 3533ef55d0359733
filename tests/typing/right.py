"""Calls that both type checkers must accept; read by them, never run."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Literal, assert_type

import catalog
import enums
import nested
import no_arguments
import results
import scalars
import todo
import unions
from enums import MISSING
from nested.tools.draw import Circle, Group
from todo.openai import Executor, executor, run_tool_calls
from unions.tools.discriminated import Cat, Dog


def every_way_to_call(client: todo.Client) -> None:
    assert_type(client.add_task(user_id="u", title="t"), todo.AddTaskResult)
    assert_type(todo.add_task(client, user_id="u", title="t"), todo.AddTaskResult)
    task = client.add_task(user_id="u", title="t", notes=None, tags=["a"])
    assert_type(task.id, int)
    assert_type(task.notes, str | None)
    assert_type(task.status, Literal["open", "done"])


async def the_same_for_tasks(client: todo.AsyncClient) -> None:
    assert_type(await client.add_task(user_id="u", title="t"), todo.AddTaskResult)
    page = await todo.list_tasks_async(client, user_id="u", limit=3)
    assert_type([task.due_on for task in page.tasks], list[str | None])


def completions(client: todo.Client, prompt: todo.Prompt, name: str) -> None:
    chosen = client.complete("tone", "st", prompt=todo.Prompt.REVIEW_WEEK)
    assert_type(chosen, todo.Completion)
    template: Final = todo.ResourceTemplate.TASK
    client.complete("task_id", template=template, others={"user_id": "u"})
    client.complete(name, prompt=todo.PROMPTS[prompt], others={name: "x"})
    client.complete(name, template=todo.RESOURCE_TEMPLATES[template])
    for info in client.list_prompts():
        client.complete(info.arguments[0].name, prompt=info)


async def completions_for_tasks(client: catalog.AsyncClient) -> None:
    template: Final = catalog.ResourceTemplate.ENTITY
    kinds = await client.complete("entityType", "ta", template=template)
    assert_type(kinds.values, tuple[str, ...])
    tables = client.complete("fqn", prompt=catalog.Prompt.DESCRIBE_TABLE)
    assert_type(await asyncio.create_task(tables), catalog.Completion)


def templates_and_prompts(client: todo.Client) -> None:
    assert_type(client.task(user_id="u", task_id=1), todo.ResourceContents)
    assert_type(client.plan_day(user_id="u"), todo.PromptMessages)
    assert_type(client.read_resource(todo.Resource.GUIDE), todo.ResourceContents)
    client.subscribe(todo.Resource.GUIDE, print, timeout=1)
    result = client.call_tool("list_tasks", {"user_id": "u"})
    for link in result.links:
        assert_type(client.follow(link), todo.ResourceContents)


def what_is_known_of_a_tool() -> None:
    info = todo.tool_info(todo.Tool.ADD_TASK)
    assert_type(info, todo.ToolInfo)
    assert_type(info.tool, todo.Tool)
    assert_type(info.parameters, tuple[todo.Parameter, ...])
    assert_type(todo.read_only(), list[todo.Tool])


def absent_is_not_null(client: todo.Client, title: str | MISSING) -> None:
    client.update_task(user_id="u", task_id=1, title=title, notes=None, tags=MISSING)
    if title is not MISSING:
        assert_type(title.upper(), str)


def several_at_once(client: todo.Client) -> None:
    one = partial(client.list_tasks, user_id="u")
    many = client.call_many([one, one])
    assert_type(many, list[todo.ListTasksResult | todo.McpError])


def formats(client: scalars.Client, text: str) -> None:
    client.strings(c=datetime.now(UTC), d=text)
    client.strings(c=text)


def listed_values(client: enums.Client, state: Literal["open", "done"]) -> None:
    client.set_state(state=state, priority=None, level=2, flag=False, mixed=True)
    client.set_state(state="in progress", ratio=1, quote="\U0001f600")


def objects(client: nested.Client) -> None:
    circle = Circle(radius=1)
    shape = Group(members=[circle], parent=None)
    client.draw(shape=Group(members=[shape, circle]))
    client.filter_(where={"a": ["b", {"c": "d"}]})
    client.menu(label="a", entries=[nested.MenuArguments(label="b")])


def unions_of_objects(client: unions.Client) -> None:
    cat = Cat(kind="cat")
    dog = Dog(kind="dog", tricks=["sit"])
    client.discriminated(pets=[cat, dog])
    client.any_of(id="x", many=["a"], maybe=None)


def kinds_of_results(client: results.Client) -> None:
    assert_type(client.count(), int)
    assert_type(client.list_names(), list[str])
    assert_type(client.wrapped(), str)
    assert_type([row.id for row in client.titled(bucket_name="b")], list[int])
    assert_type(client.any_object(), dict[str, Any])
    assert_type(client.text().text, str)
    page = client.maybe()
    assert_type(page.found if page else None, str | None)


def any_arguments(client: no_arguments.Client) -> None:
    client.anything(extra={"a": 1, "b": [None]})
    client.anything()
    client.ping_(extra={"a": 1})
    client.ping_()


def greet(name: str) -> str:
    return f"Hello, {name}!"


def own_functions(client: todo.Client, message: object) -> None:
    tools = todo.own(greet, every_way_to_call)
    assert_type(tools[0].name, str)
    box = todo.Toolbox(todo.toolset(client), tools)
    answers = run_tool_calls(box, message, leave_unknown=True)
    assert_type(answers, list[Any])
    assert_type(box.run_each([("greet", {"name": "Ada"}), ("greet", "{}")]), list[Any])


async def executors(client: todo.AsyncClient, message: object) -> None:
    helper = executor(client, include=[todo.Tool.ADD_TASK], strict=True)
    assert_type(helper, Executor)
    assert_type(helper("add_task", '{"title": "t"}'), dict[str, Any])
    assert_type(await helper.call_async("add_task", {"title": "t"}), dict[str, Any])
    assert_type(helper.run(message), list[Any])
    assert_type(await helper.run_async(message, leave_unknown=True), list[Any])


def a_toolbox_from_a_file(client: todo.Client) -> None:
    with todo.Toolbox.from_config("mcp.json", packages=[todo], only=["list_*"]) as box:
        assert_type(box, todo.Toolbox)
        assert_type(box.health(), dict[str, float | Exception])
    assert_type(client.ping(), float)
    quick = todo.Client.from_config(timeouts={todo.Tool.ADD_TASK: 5})
    assert_type(quick, todo.Client)
    todo.Client.stdio(["todo"], timeouts={todo.Tool.ADD_TASK: 5, "list_tasks": 0.5})
