"""Do what the todo tools say: each function is one call on one fresh session."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlmodel import col, select

from tests.servers.todo.database import TaskRow, session
from tests.servers.todo.models import (
    AddTask,
    Deleted,
    ListTasks,
    OneTask,
    Task,
    TaskPage,
    Updated,
    UpdateTask,
)

if TYPE_CHECKING:
    from uuid import UUID

    from sqlmodel import Session

__all__ = [
    "InvalidError",
    "NotFoundError",
    "add_task",
    "complete_task",
    "delete_task",
    "list_tasks",
    "read_task",
    "update_task",
]


class NotFoundError(Exception):
    """The user has no such task."""


class InvalidError(Exception):
    """The arguments fit their types, but make no sense."""


def add_task(wanted: AddTask) -> Task:
    """Keep a new task."""
    row = TaskRow(**wanted.model_dump(), created_at=datetime.now(UTC))
    with session() as opened:
        return _as_task(opened, row)


def list_tasks(wanted: ListTasks) -> TaskPage:
    """Return one page of the user's tasks."""
    query = (
        select(TaskRow)
        .where(TaskRow.user_id == wanted.user_id)
        .order_by(col(TaskRow.id))
    )
    if wanted.status != "all":
        done = col(TaskRow.completed_at).is_not(None)
        query = query.where(done if wanted.status == "done" else ~done)
    if wanted.priority is not None:
        query = query.where(TaskRow.priority == wanted.priority)
    if wanted.due_before is not None:
        query = query.where(col(TaskRow.due_on) < wanted.due_before)
    with session() as opened:
        rows = opened.exec(query).all()
    # No two databases look into JSON alike, so tags are compared here.
    matches = [row for row in rows if wanted.tag is None or wanted.tag in row.tags]
    end = wanted.offset + wanted.limit
    return TaskPage(
        tasks=[_task(row) for row in matches[wanted.offset : end]],
        total=len(matches),
        next_offset=end if end < len(matches) else None,
    )


def update_task(wanted: UpdateTask) -> Updated:
    """Change the fields that are given; null is a value like any other.

    Raises:
        InvalidError: If no field is given.
        NotFoundError: If the user has no such task.
    """
    fields = {
        name: value
        for name, value in wanted.items()
        if name not in {"user_id", "task_id"}
    }
    if not fields:
        raise InvalidError("give at least one field to change")
    with session() as opened:
        row = _row(opened, wanted["user_id"], wanted["task_id"])
        changed = [name for name in fields if getattr(row, name) != fields[name]]
        row.sqlmodel_update(fields)
        task = _as_task(opened, row)
    return Updated.model_validate({"task": task, "changed": sorted(changed)})


def read_task(wanted: OneTask) -> Task:
    """Return one task of a user.

    Raises:
        NotFoundError: If the user has no such task.
        DatabaseError: If the database fails.
    """
    with session() as opened:
        return _task(_row(opened, wanted.user_id, wanted.task_id))


def complete_task(wanted: OneTask) -> Task:
    """Mark a task as done; a done one keeps its time.

    Raises:
        NotFoundError: If the user has no such task.
    """
    with session() as opened:
        row = _row(opened, wanted.user_id, wanted.task_id)
        row.completed_at = row.completed_at or datetime.now(UTC)
        return _as_task(opened, row)


def delete_task(wanted: OneTask) -> Deleted:
    """Delete a task.

    Raises:
        NotFoundError: If the user has no such task.
    """
    with session() as opened:
        row = _row(opened, wanted.user_id, wanted.task_id)
        opened.delete(row)
        opened.commit()
    return Deleted(task_id=wanted.task_id, title=row.title)


def _row(opened: Session, user_id: UUID, task_id: int) -> TaskRow:
    row = opened.get(TaskRow, task_id)
    # Another user's task must look like no task.
    if row is None or row.user_id != user_id:
        raise NotFoundError(f"user {user_id} has no task {task_id}")
    return row


def _as_task(opened: Session, row: TaskRow) -> Task:
    opened.add(row)
    opened.commit()
    return _task(row)


def _task(row: TaskRow) -> Task:
    status = "open" if row.completed_at is None else "done"
    return Task.model_validate(row.model_dump() | {"status": status})
