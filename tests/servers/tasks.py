"""Calls of the todo server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from tests.servers.talk import value

if TYPE_CHECKING:
    from mcp import Client


ALICE, BOB = str(UUID(int=1)), str(UUID(int=2))


async def add(client: Client, title: str, **fields: Any) -> Any:
    call_arguments = {"user_id": ALICE, "title": title, **fields}
    return value(await client.call_tool("add_task", call_arguments))


async def listed(client: Client, **arguments: Any) -> list[str]:
    call_arguments = {"user_id": ALICE, **arguments}
    page = value(await client.call_tool("list_tasks", call_arguments))
    return [task["title"] for task in page["tasks"]]
