"""Calls of the todo server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from tests.servers.talk import value

if TYPE_CHECKING:
    from mcp import Client


ALICE, BOB = str(UUID(int=1)), str(UUID(int=2))


async def add(client: Client, title: str, **fields: Any) -> Any:
    given = {"user_id": ALICE, "title": title, **fields}
    return value(await client.call_tool("add_task", given))


async def listed(client: Client, **arguments: Any) -> list[str]:
    given = {"user_id": ALICE, **arguments}
    page = value(await client.call_tool("list_tasks", given))
    return [task["title"] for task in page["tasks"]]
