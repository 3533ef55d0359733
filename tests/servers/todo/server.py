"""The todo server: binds tools to functions, and failures to their five codes."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, Tool, ToolAnnotations
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.servers import tooling
from tests.servers.todo import models, reading, tasks
from tests.servers.todo.database import DatabaseError, in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["build"]

Argument = TypeVar("Argument")

WRITES = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, open_world_hint=False
)
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
REPEATS = WRITES.model_copy(update={"idempotent_hint": True})
OVERWRITES = REPEATS.model_copy(update={"destructive_hint": True})
DESTROYS = WRITES.model_copy(update={"destructive_hint": True})


def build() -> Server[Any]:
    """Return the server; the database is first touched by the first call."""
    on_list_tools, on_call_tool = tooling.handlers(_tools(), _unknown)
    return Server(
        "todo",
        version="1.0.0",
        title="To-do list",
        instructions="Tasks belong to a user; pass the same user_id in every call.",
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
        on_list_resources=reading.list_resources,
        on_list_resource_templates=reading.list_templates,
        on_read_resource=reading.read,
        on_list_prompts=reading.list_prompts,
        on_get_prompt=reading.get_prompt,
        on_completion=reading.complete,
    )


def _unknown(name: str) -> CallToolResult:
    return tooling.failed(f"UNKNOWN_TOOL: there is no tool {name[:80]!r}")


def _tools() -> list[tooling.BoundTool]:
    one = TypeAdapter(models.OneTask)
    return [
        _bind(
            "Add a task to a user's list.",
            TypeAdapter(models.AddTask),
            (tasks.add_task, models.Task, WRITES),
        ),
        _bind(
            "List a user's tasks, the oldest first; open ones unless asked otherwise.",
            TypeAdapter(models.ListTasks),
            (tasks.list_tasks, models.TaskPage, READS),
        ),
        _bind(
            "Change a task. What is left out stays; null clears notes or due_on.",
            TypeAdapter(models.UpdateTask),
            (tasks.update_task, models.Updated, OVERWRITES),
        ),
        _bind(
            "Mark a task as done. Doing it twice changes nothing.",
            one,
            (tasks.complete_task, models.Task, REPEATS),
        ),
        _bind(
            "Delete a task for good.",
            one,
            (tasks.delete_task, models.Deleted, DESTROYS),
        ),
    ]


def _bind(
    description: str,
    adapter: TypeAdapter[Argument],
    bound: tuple[Callable[[Argument], BaseModel], type[BaseModel], ToolAnnotations],
) -> tooling.BoundTool:
    action, output, annotations = bound

    async def run(arguments: dict[str, Any]) -> CallToolResult:
        try:
            # Strict, as the schema is: no number for a text, no text for a number.
            parsed = adapter.validate_json(json.dumps(arguments), strict=True)
            result = await in_thread(action, parsed)
        except ValidationError as fault:
            return tooling.failed(f"VALIDATION_ERROR: {_first(fault)}")
        except tasks.InvalidError as fault:
            return tooling.failed(f"VALIDATION_ERROR: {fault}")
        except tasks.NotFoundError as fault:
            return tooling.failed(f"TASK_NOT_FOUND: {fault}")
        except DatabaseError as fault:
            return tooling.failed(f"DATABASE_ERROR: {fault}")
        except Exception as fault:
            # A client learns the kind of a fault of ours; the log has the rest.
            logging.getLogger(__name__).exception("a tool failed")
            return tooling.failed(f"INTERNAL_ERROR: {type(fault).__name__}")
        return tooling.structured(result.model_dump(mode="json"))

    definition = Tool(
        name=action.__name__,
        title=action.__name__.replace("_", " ").capitalize(),
        description=description,
        input_schema=adapter.json_schema(),
        output_schema=output.model_json_schema(mode="serialization"),
        annotations=annotations,
    )
    return tooling.BoundTool(definition, run)


def _first(fault: ValidationError) -> str:
    error = fault.errors(include_url=False, include_input=False)[0]
    location = ".".join(str(step) for step in error["loc"])
    return f"{location}: {error['msg']}"
