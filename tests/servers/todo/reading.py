"""Offer the todo server's resources, resource templates and prompts."""

from __future__ import annotations

import re
from base64 import b64decode
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from uuid import UUID

from mcp import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    BlobResourceContents,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    EmbeddedResource,
    GetPromptRequestParams,
    GetPromptResult,
    ImageContent,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from tests.servers.todo.database import DatabaseError, in_thread
from tests.servers.todo.logo import LOGO
from tests.servers.todo.models import ListTasks, OneTask
from tests.servers.todo.tasks import NotFoundError, list_tasks, read_task

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext
    from pydantic import BaseModel

__all__ = [
    "complete",
    "get_prompt",
    "list_prompts",
    "list_resources",
    "list_templates",
    "read",
]

GUIDE = """\
# How to use the todo tools

Every task belongs to a user, named by a UUID. Add tasks, list them, complete them.
A failed call says `VALIDATION_ERROR`, `TASK_NOT_FOUND`, `DATABASE_ERROR`,
`UNKNOWN_TOOL` or `INTERNAL_ERROR` first.
"""
GUIDE_URI, LOGO_URI = "todo://guide", "todo://logo.png"
USER = re.compile(r"todo://users/([^/]*)/tasks(?:/([0-9]{1,9}))?")


async def list_resources(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListResourcesResult:
    """Answer `resources/list`."""
    guide = Resource(
        uri=GUIDE_URI,
        name="guide",
        title="Guide",
        description="How to use the tools, and what their failures mean.",
        mime_type="text/markdown",
    )
    logo = Resource(
        uri=LOGO_URI,
        name="logo",
        title="Logo",
        description="A tick, 16 by 16 pixels.",
        mime_type="image/png",
        size=len(b64decode(LOGO)),
    )
    return ListResourcesResult(resources=[guide, logo])


async def list_templates(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListResourceTemplatesResult:
    """Answer `resources/templates/list`."""
    tasks = ResourceTemplate(
        uri_template="todo://users/{user_id}/tasks",
        name="open_tasks",
        title="Open tasks",
        description="The first 100 open tasks of one user.",
        mime_type="application/json",
    )
    task = ResourceTemplate(
        uri_template="todo://users/{user_id}/tasks/{task_id}",
        name="task",
        title="Task",
        description="One task of one user.",
        mime_type="application/json",
    )
    return ListResourceTemplatesResult(resource_templates=[tasks, task])


async def read(
    _context: ServerRequestContext[Any], params: ReadResourceRequestParams
) -> ReadResourceResult:
    """Answer `resources/read`.

    Raises:
        MCPError: If there is no such resource, or the database fails.
    """
    uri = params.uri
    if uri == GUIDE_URI:
        return _contents(uri, "text/markdown", GUIDE)
    if uri == LOGO_URI:
        logo = BlobResourceContents(uri=uri, mime_type="image/png", blob=LOGO)
        return ReadResourceResult(contents=[logo])
    match = USER.fullmatch(uri)
    if match is None:
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    user, number = _user(unquote(match[1])), match[2]
    try:
        value: BaseModel
        if number is None:
            value = await in_thread(list_tasks, ListTasks(user_id=user, limit=100))
        else:
            one = OneTask(user_id=user, task_id=int(number))
            value = await in_thread(read_task, one)
    except NotFoundError as failure:
        raise MCPError(INVALID_PARAMS, f"TASK_NOT_FOUND: {failure}") from failure
    except DatabaseError as failure:
        raise MCPError(INTERNAL_ERROR, f"DATABASE_ERROR: {failure}") from failure
    return _contents(uri, "application/json", value.model_dump_json())


async def list_prompts(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListPromptsResult:
    """Answer `prompts/list`."""
    plan = Prompt(
        name="plan_day",
        title="Plan the day",
        description="Ask for a plan that fits the user's open tasks into one day.",
        arguments=[
            PromptArgument(name="user_id", description="Whose day.", required=True),
            PromptArgument(name="focus", description="A tag to put first."),
        ],
    )
    review = Prompt(
        name="review_week",
        title="Review the week",
        description="Ask what went well, with the guide and the logo at hand.",
        arguments=[PromptArgument(name="tone", description="Strict or kind.")],
    )
    return ListPromptsResult(prompts=[plan, review])


async def get_prompt(
    _context: ServerRequestContext[Any], params: GetPromptRequestParams
) -> GetPromptResult:
    """Answer `prompts/get`.

    Raises:
        MCPError: If there is no such prompt, or its user is no UUID.
    """
    if params.name == "review_week":
        return _review((params.arguments or {}).get("tone", "kind"))
    if params.name != "plan_day":
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name}")
    arguments = params.arguments or {}
    user = _user(arguments.get("user_id", ""))
    request = f"List the open tasks of user {user} and plan today around them."
    if "focus" in arguments:
        request += f" Put tasks tagged {arguments['focus']!r} first."
    message = PromptMessage(role="user", content=TextContent(text=request))
    return GetPromptResult(description="A plan for today", messages=[message])


async def complete(
    _context: ServerRequestContext[Any], params: CompleteRequestParams
) -> CompleteResult:
    """Answer `completion/complete`: the tones of a review."""
    typed = params.argument
    tones = ["kind", "strict"] if typed.name == "tone" else []
    values = [tone for tone in tones if tone.startswith(typed.value)]
    return CompleteResult(completion=Completion(values=values, total=len(values)))


def _review(tone: str) -> GetPromptResult:
    guide = TextResourceContents(uri=GUIDE_URI, mime_type="text/markdown", text=GUIDE)
    return GetPromptResult(
        description="A review of the week",
        messages=[
            PromptMessage(role="user", content=EmbeddedResource(resource=guide)),
            PromptMessage(
                role="user", content=ImageContent(data=LOGO, mime_type="image/png")
            ),
            PromptMessage(
                role="assistant", content=TextContent(text=f"I will be {tone}.")
            ),
            PromptMessage(
                role="user", content=TextContent(text="Review my week, please.")
            ),
        ],
    )


def _user(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as fault:
        raise MCPError(INVALID_PARAMS, "user_id is no UUID") from fault


def _contents(uri: str, mime_type: str, text: str) -> ReadResourceResult:
    part = TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return ReadResourceResult(contents=[part])
