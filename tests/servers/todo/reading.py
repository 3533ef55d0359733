"""Offer the todo server's resource, resource template and prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from mcp import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
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
from tests.servers.todo.models import ListTasks
from tests.servers.todo.tasks import list_tasks

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

__all__ = ["get_prompt", "list_prompts", "list_resources", "list_templates", "read"]

GUIDE = """\
# How to use the todo tools

Every task belongs to a user, named by a UUID. Add tasks, list them, complete them.
A failed call says `VALIDATION_ERROR`, `TASK_NOT_FOUND` or `DATABASE_ERROR` first.
"""
GUIDE_URI = "todo://guide"
USER_PREFIX, USER_SUFFIX = "todo://users/", "/tasks"


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
    return ListResourcesResult(resources=[guide])


async def list_templates(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListResourceTemplatesResult:
    """Answer `resources/templates/list`."""
    tasks = ResourceTemplate(
        uri_template=f"{USER_PREFIX}{{user_id}}{USER_SUFFIX}",
        name="open_tasks",
        title="Open tasks",
        description="The first 100 open tasks of one user.",
        mime_type="application/json",
    )
    return ListResourceTemplatesResult(resource_templates=[tasks])


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
    user = uri.removeprefix(USER_PREFIX).removesuffix(USER_SUFFIX)
    if uri != f"{USER_PREFIX}{user}{USER_SUFFIX}":
        raise MCPError(INVALID_PARAMS, "Resource not found", {"uri": uri})
    query = ListTasks(user_id=_user(user), limit=100)
    try:
        page = await in_thread(list_tasks, query)
    except DatabaseError as failure:
        raise MCPError(INTERNAL_ERROR, f"DATABASE_ERROR: {failure}") from failure
    return _contents(uri, "application/json", page.model_dump_json())


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
    return ListPromptsResult(prompts=[plan])


async def get_prompt(
    _context: ServerRequestContext[Any], params: GetPromptRequestParams
) -> GetPromptResult:
    """Answer `prompts/get`.

    Raises:
        MCPError: If there is no such prompt, or its user is no UUID.
    """
    if params.name != "plan_day":
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.name}")
    given = params.arguments or {}
    user = _user(given.get("user_id", ""))
    request = f"List the open tasks of user {user} and plan today around them."
    if "focus" in given:
        request += f" Put tasks tagged {given['focus']!r} first."
    message = PromptMessage(role="user", content=TextContent(text=request))
    return GetPromptResult(description="A plan for today", messages=[message])


def _user(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as fault:
        raise MCPError(INVALID_PARAMS, "user_id is no UUID") from fault


def _contents(uri: str, mime_type: str, text: str) -> ReadResourceResult:
    part = TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return ReadResourceResult(contents=[part])
