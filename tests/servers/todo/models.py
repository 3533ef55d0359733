"""What the todo tools take and return; their schemas follow from these types."""

from datetime import date, datetime
from typing import Annotated, Literal, NotRequired
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

__all__ = [
    "AddTask",
    "Deleted",
    "ListTasks",
    "OneTask",
    "Priority",
    "Task",
    "TaskPage",
    "UpdateTask",
    "Updated",
]

Priority = Literal["low", "normal", "high"]
LARGEST = 2**31 - 1  # of an INTEGER in most databases

UserId = Annotated[UUID, Field(description="Owner of the tasks.")]
TaskId = Annotated[int, Field(ge=1, le=LARGEST, description="Number of the task.")]
Title = Annotated[str, Field(min_length=1, max_length=200, description="What to do.")]
Notes = Annotated[str | None, Field(max_length=2000, description="Anything else.")]
Tag = Annotated[str, Field(min_length=1, max_length=40)]
Tags = Annotated[list[Tag], Field(max_length=20, description="Free labels.")]

CLOSED = ConfigDict(extra="forbid")


class AddTask(BaseModel):
    """A task to add."""

    model_config = CLOSED

    user_id: UserId
    title: Title
    notes: Notes = None
    priority: Priority = "normal"
    tags: Tags = []
    due_on: Annotated[date | None, Field(description="Last day; null for none.")] = None


class ListTasks(BaseModel):
    """Which tasks to list."""

    model_config = CLOSED

    user_id: UserId
    status: Annotated[
        Literal["open", "done", "all"], Field(description="Which tasks to list.")
    ] = "open"
    priority: Annotated[
        Priority | None, Field(description="Only this priority; null for all.")
    ] = None
    tag: Annotated[Tag | None, Field(description="Only tasks with this tag.")] = None
    due_before: Annotated[
        date | None, Field(description="Only tasks due before this day.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=100, description="Tasks to return.")] = 20
    offset: Annotated[int, Field(ge=0, le=LARGEST, description="Tasks to skip.")] = 0


class UpdateTask(TypedDict):
    """Changes to one task; a field left out stays as it is."""

    # A typed dict, for "left out" and null are two things and have no default.
    __pydantic_config__ = CLOSED  # type: ignore[misc] # documented by pydantic

    user_id: UserId
    task_id: TaskId
    title: NotRequired[Title]
    notes: NotRequired[
        Annotated[str | None, Field(max_length=2000, description="Null removes them.")]
    ]
    priority: NotRequired[Priority]
    tags: NotRequired[Tags]
    due_on: NotRequired[
        Annotated[date | None, Field(description="Null removes the due date.")]
    ]


class OneTask(BaseModel):
    """One task of one user."""

    model_config = CLOSED

    user_id: UserId
    task_id: TaskId


class Task(BaseModel):
    """A task."""

    id: int
    user_id: UUID
    title: str
    notes: str | None
    status: Literal["open", "done"]
    priority: Priority
    tags: list[str]
    due_on: date | None
    created_at: datetime
    completed_at: datetime | None


class TaskPage(BaseModel):
    """Some tasks, the oldest first."""

    tasks: list[Task]
    total: Annotated[int, Field(description="Tasks on all pages.")]
    next_offset: Annotated[int | None, Field(description="Null on the last page.")]


class Updated(BaseModel):
    """A task after an update."""

    task: Task
    changed: Annotated[
        list[Literal["title", "notes", "priority", "tags", "due_on"]],
        Field(description="Fields whose value is another than before."),
    ]


class Deleted(BaseModel):
    """What was deleted."""

    task_id: int
    title: str
