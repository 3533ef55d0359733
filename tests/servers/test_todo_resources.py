"""The todo server's resources, templates and prompt."""

from __future__ import annotations

import json
from base64 import b64decode

import pytest
from mcp import Client, MCPError
from mcp_types import BlobResourceContents, TextContent, TextResourceContents

from tests.servers.tasks import ALICE, add

pytestmark = pytest.mark.anyio


async def read(client: Client, uri: str) -> TextResourceContents:
    (part,) = (await client.read_resource(uri)).contents
    assert isinstance(part, TextResourceContents)
    return part


async def test_the_resources_and_the_templates(client: Client) -> None:
    guide, logo = (await client.list_resources()).resources
    part = await read(client, guide.uri)
    assert part.mime_type == guide.mime_type == "text/markdown"
    assert "TASK_NOT_FOUND" in part.text
    (picture,) = (await client.read_resource(logo.uri)).contents
    assert isinstance(picture, BlobResourceContents)
    assert len(b64decode(picture.blob)) == logo.size

    template, one = (await client.list_resource_templates()).resource_templates
    assert one.uri_template == "todo://users/{user_id}/tasks/{task_id}"
    await add(client, "a")
    part = await read(client, template.uri_template.replace("{user_id}", ALICE))
    assert part.mime_type == "application/json"
    assert [task["title"] for task in json.loads(part.text)["tasks"]] == ["a"]


@pytest.mark.parametrize("uri", ["todo://none", "todo://users/alice/tasks"])
async def test_a_resource_that_is_not_there(client: Client, uri: str) -> None:
    with pytest.raises(MCPError) as caught:
        await client.read_resource(uri)
    assert caught.value.code == -32602


async def test_the_prompt(client: Client) -> None:
    plan, review = (await client.list_prompts()).prompts
    assert review.name == "review_week"
    assert [(a.name, a.required) for a in plan.arguments or []] == [
        ("user_id", True),
        ("focus", None),
    ]
    arguments = {"user_id": ALICE, "focus": "home"}
    (message,) = (await client.get_prompt("plan_day", arguments)).messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    assert ALICE in message.content.text
    assert "'home'" in message.content.text


@pytest.mark.parametrize(
    ("name", "arguments"), [("plan_day", {}), ("plan_week", {"user_id": ALICE})]
)
async def test_a_prompt_that_cannot_be_made(
    client: Client, name: str, arguments: dict[str, str]
) -> None:
    with pytest.raises(MCPError) as caught:
        await client.get_prompt(name, arguments)
    assert caught.value.code == -32602
