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


def add_task(given: AddTask) -> Task:
    """Keep a new task."""
    row = TaskRow(**given.model_dump(), created_at=datetime.now(UTC))
    with session() as opened:
        return _kept(opened, row)


def list_tasks(given: ListTasks) -> TaskPage:
    """Return one page of the user's tasks."""
    query = (
        select(TaskRow)
        .where(TaskRow.user_id == given.user_id)
        .order_by(col(TaskRow.id))
    )
    if given.status != "all":
        done = col(TaskRow.completed_at).is_not(None)
        query = query.where(done if given.status == "done" else ~done)
    if given.priority is not None:
        query = query.where(TaskRow.priority == given.priority)
    if given.due_before is not None:
        query = query.where(col(TaskRow.due_on) < given.due_before)
    with session() as opened:
        rows = opened.exec(query).all()
    # No two databases look into JSON alike, so tags are compared here.
    found = [row for row in rows if given.tag is None or given.tag in row.tags]
    end = given.offset + given.limit
    return TaskPage(
        tasks=[_task(row) for row in found[given.offset : end]],
        total=len(found),
        next_offset=end if end < len(found) else None,
    )


def update_task(given: UpdateTask) -> Updated:
    """Change the fields that are given; null is a value like any other.

    Raises:
        InvalidError: If no field is given.
        NotFoundError: If the user has no such task.
    """
    fields = {
        name: value
        for name, value in given.items()
        if name not in {"user_id", "task_id"}
    }
    if not fields:
        raise InvalidError("give at least one field to change")
    with session() as opened:
        row = _found(opened, given["user_id"], given["task_id"])
        changed = [name for name in fields if getattr(row, name) != fields[name]]
        row.sqlmodel_update(fields)
        task = _kept(opened, row)
    return Updated.model_validate({"task": task, "changed": sorted(changed)})


def read_task(given: OneTask) -> Task:
    """Return one task of a user.

    Raises:
        NotFoundError: If the user has no such task.
        DatabaseError: If the database fails.
    """
    with session() as opened:
        return _task(_found(opened, given.user_id, given.task_id))


def complete_task(given: OneTask) -> Task:
    """Mark a task as done; a done one keeps its time.

    Raises:
        NotFoundError: If the user has no such task.
    """
    with session() as opened:
        row = _found(opened, given.user_id, given.task_id)
        row.completed_at = row.completed_at or datetime.now(UTC)
        return _kept(opened, row)


def delete_task(given: OneTask) -> Deleted:
    """Delete a task.

    Raises:
        NotFoundError: If the user has no such task.
    """
    with session() as opened:
        row = _found(opened, given.user_id, given.task_id)
        opened.delete(row)
        opened.commit()
    return Deleted(task_id=given.task_id, title=row.title)


def _found(opened: Session, user_id: UUID, task_id: int) -> TaskRow:
    row = opened.get(TaskRow, task_id)
    # Another user's task must look like no task.
    if row is None or row.user_id != user_id:
        raise NotFoundError(f"user {user_id} has no task {task_id}")
    return row


def _kept(opened: Session, row: TaskRow) -> Task:
    opened.add(row)
    opened.commit()
    return _task(row)


def _task(row: TaskRow) -> Task:
    status = "open" if row.completed_at is None else "done"
    return Task.model_validate(row.model_dump() | {"status": status})
