"""The todo server's tools, resources and prompt, over real HTTP and stdio."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client, MCPError

from tests.servers.launch import serve_http, stdio_command
from tests.servers.talk import connect_http, connect_stdio, failure, value
from tests.servers.tasks import ALICE, BOB, add, listed

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def test_add_returns_the_whole_task(client: Client) -> None:
    task = await add(client, "Paint", tags=["home"], due_on="2026-05-01")
    created = task.pop("created_at")
    assert created.endswith("Z")
    assert task == {
        "id": 1,
        "user_id": ALICE,
        "title": "Paint",
        "notes": None,
        "status": "open",
        "priority": "normal",
        "tags": ["home"],
        "due_on": "2026-05-01",
        "completed_at": None,
    }


async def test_list_filters_and_pages(client: Client) -> None:
    await add(client, "a", priority="high", due_on="2026-05-01")
    await add(client, "b", tags=["home"], due_on="2026-06-01")
    await add(client, "c")
    value(await client.call_tool("complete_task", {"user_id": ALICE, "task_id": 3}))
    assert await listed(client) == ["a", "b"]
    assert await listed(client, status="done") == ["c"]
    assert await listed(client, status="all") == ["a", "b", "c"]
    assert await listed(client, priority="high") == ["a"]
    assert await listed(client, priority=None) == ["a", "b"]
    assert await listed(client, tag="home") == ["b"]
    assert await listed(client, due_before="2026-06-01") == ["a"]
    arguments = {"user_id": ALICE, "status": "all", "limit": 2}
    first = value(await client.call_tool("list_tasks", arguments))
    assert (first["total"], first["next_offset"]) == (3, 2)
    last = value(await client.call_tool("list_tasks", {**arguments, "offset": 2}))
    assert [task["title"] for task in last["tasks"]] == ["c"]
    assert last["next_offset"] is None


async def test_update_tells_null_from_absent(client: Client) -> None:
    await add(client, "a", notes="n", due_on="2026-05-01")
    arguments = {"user_id": ALICE, "task_id": 1}
    renamed = value(await client.call_tool("update_task", {**arguments, "title": "b"}))
    assert renamed["task"]["due_on"] == "2026-05-01"
    assert renamed["changed"] == ["title"]
    cleared = value(
        await client.call_tool("update_task", {**arguments, "due_on": None})
    )
    assert cleared["task"]["due_on"] is None
    assert cleared["task"]["notes"] == "n"
    assert cleared["changed"] == ["due_on"]
    again = value(await client.call_tool("update_task", {**arguments, "due_on": None}))
    assert again["changed"] == []


async def test_complete_twice_keeps_the_time(client: Client) -> None:
    await add(client, "a")
    arguments = {"user_id": ALICE, "task_id": 1}
    first = value(await client.call_tool("complete_task", arguments))
    assert first["status"] == "done"
    assert first["completed_at"] is not None
    assert value(await client.call_tool("complete_task", arguments)) == first


async def test_delete_is_for_good(client: Client) -> None:
    await add(client, "a")
    arguments = {"user_id": ALICE, "task_id": 1}
    gone = value(await client.call_tool("delete_task", arguments))
    assert gone == {"task_id": 1, "title": "a"}
    assert await listed(client, status="all") == []
    again = failure(await client.call_tool("delete_task", arguments))
    assert again.startswith("TASK_NOT_FOUND")
    assert (await add(client, "b"))["id"] == 2


@pytest.mark.parametrize("tool", ["update_task", "complete_task", "delete_task"])
async def test_a_task_of_another_user_is_not_found(client: Client, tool: str) -> None:
    await add(client, "a")
    fields = {"title": "mine"} if tool == "update_task" else {}
    arguments = {"user_id": BOB, "task_id": 1, **fields}
    assert failure(await client.call_tool(tool, arguments)).startswith(
        "TASK_NOT_FOUND: "
    )
    assert await listed(client, user_id=BOB) == []
    assert await listed(client) == ["a"]


INVALID: list[tuple[str, dict[str, Any]]] = [
    ("add_task", {"user_id": ALICE}),
    ("add_task", {"user_id": "alice", "title": "a"}),
    ("add_task", {"user_id": ALICE, "title": ""}),
    ("add_task", {"user_id": ALICE, "title": 3}),
    ("add_task", {"user_id": ALICE, "title": "a", "priority": "urgent"}),
    ("add_task", {"user_id": ALICE, "title": "a", "due_on": "tomorrow"}),
    ("add_task", {"user_id": ALICE, "title": "a", "due": "2026-05-01"}),
    ("list_tasks", {"user_id": ALICE, "limit": 0}),
    ("list_tasks", {"user_id": ALICE, "limit": "5"}),
    ("update_task", {"user_id": ALICE, "task_id": 1}),
    ("update_task", {"user_id": ALICE, "task_id": 1, "title": None}),
    ("complete_task", {"user_id": ALICE, "task_id": 0}),
    ("delete_task", {"user_id": ALICE, "task_id": 2**31}),
]


async def test_arguments_that_do_not_fit_are_refused(client: Client) -> None:
    await add(client, "a")
    for tool, arguments in INVALID:
        said = failure(await client.call_tool(tool, arguments))
        assert said.startswith("VALIDATION_ERROR: "), (tool, arguments, said)
    assert await listed(client, status="all") == ["a"]


@pytest.mark.parametrize(
    "address",
    [
        "sqlite:////no/such/folder/tasks.db",
        "sqlite+nonsense:///tasks.db",
        "nonsense",
        "postgresql+psycopg://todo:hush@127.0.0.1:1/todo",
    ],
)
async def test_a_database_that_fails(address: str) -> None:
    with serve_http("todo", env={"TODO_DATABASE_URL": address}) as url:
        async with connect_http(url) as client:
            answer = await client.call_tool("list_tasks", {"user_id": ALICE})
            assert failure(answer).startswith("DATABASE_ERROR: ")
            assert "hush" not in failure(answer)
            with pytest.raises(MCPError, match="DATABASE_ERROR"):
                await client.read_resource(f"todo://users/{ALICE}/tasks")


async def test_each_call_has_a_session_of_its_own(
    client: Client, database: Path
) -> None:
    await add(client, "a")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        # A session left open would hold a lock, or show what it read before.
        other.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("UPDATE taskrow SET title = 'b'")
        other.execute("COMMIT")
        assert await listed(client) == ["b"]
        # A failed call leaves nothing behind that the next one stumbles over.
        other.execute("ALTER TABLE taskrow RENAME TO hidden")
        answer = await client.call_tool("add_task", {"user_id": ALICE, "title": "c"})
        assert failure(answer).startswith("DATABASE_ERROR: ")
        other.execute("ALTER TABLE hidden RENAME TO taskrow")
    assert await listed(client) == ["b"]


async def test_calls_at_the_same_time_all_succeed(client: Client) -> None:
    async with anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(add, client, str(number))
    assert sorted(await listed(client)) == [str(number) for number in range(8)]


async def test_a_fault_of_the_server_is_an_internal_error(
    client: Client, database: Path
) -> None:
    await add(client, "Paint")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("UPDATE taskrow SET tags = '['")  # JSON that cannot be read
    result = await client.call_tool("list_tasks", {"user_id": ALICE})
    assert failure(result) == "INTERNAL_ERROR: JSONDecodeError"


async def test_nothing_is_stored_but_the_database(tmp_path: Path) -> None:
    env = {"TODO_DATABASE_URL": f"sqlite:///{tmp_path}/tasks.db"}
    async with connect_stdio(stdio_command("todo"), env=env) as client:
        await add(client, "a")
    with serve_http("todo", "--stateless", env=env) as url:
        async with connect_http(url, mode="legacy") as client:
            assert await listed(client) == ["a"]


async def test_the_default_is_a_file_in_the_folder(tmp_path: Path) -> None:
    env = {"TODO_DATABASE_URL": ""}
    async with connect_stdio(stdio_command("todo"), cwd=tmp_path, env=env) as client:
        await add(client, "a")
    assert (tmp_path / "todo.db").is_file()


async def test_a_database_in_memory_serves_every_call() -> None:
    with serve_http("todo", env={"TODO_DATABASE_URL": "sqlite://"}) as url:
        async with connect_http(url) as client:
            await add(client, "a")
            assert await listed(client) == ["a"]
