"""Open a fresh session for each call, on the database that the environment names."""

import logging
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import date, datetime
from functools import cache
from typing import Any, TypeVar
from uuid import UUID

import anyio
import anyio.to_thread
from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateTable
from sqlmodel import JSON, Column, Field, Session, SQLModel, create_engine

__all__ = ["DatabaseError", "TaskRow", "in_thread", "session"]

Argument = TypeVar("Argument")
Result = TypeVar("Result")

# SQLite writes one at a time anyway, and in memory it has one connection.
ONE_AT_A_TIME = anyio.CapacityLimiter(1)


class DatabaseError(Exception):
    """The database did not do what was asked of it."""


class TaskRow(SQLModel, table=True):
    """One task as it is stored."""

    # A deleted task's number is never given to another.
    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = Field(default=None, primary_key=True)
    user_id: UUID
    title: str
    notes: str | None
    priority: str
    tags: list[str] = Field(sa_column=Column(JSON, nullable=False))
    due_on: date | None
    created_at: datetime
    completed_at: datetime | None = None


@contextmanager
def session() -> Generator[Session]:
    """Open a session for one call; it ends, and rolls back, with the block.

    Raises:
        DatabaseError: If the database cannot be reached or refuses. It names the
            kind of failure only: a driver's message may hold a password.
    """
    try:
        with Session(_engine(), expire_on_commit=False) as opened:
            yield opened
    except (SQLAlchemyError, ImportError) as failure:
        logging.getLogger(__name__).exception("the database failed")
        raise DatabaseError(type(failure).__name__) from failure


async def in_thread(
    function: Callable[[Argument], Result], argument: Argument
) -> Result:
    """Run a function that uses a session, without holding up the event loop."""
    return await anyio.to_thread.run_sync(function, argument, limiter=ONE_AT_A_TIME)


@cache
def _engine() -> Engine:
    # A failure is not cached: the next call tries again.
    url = make_url(os.environ.get("TODO_DATABASE_URL") or "sqlite:///todo.db")
    options: dict[str, Any] = {}
    if url.get_backend_name() == "sqlite" and url.database in {None, "", ":memory:"}:
        # Each connection would have an empty database of its own.
        options["poolclass"] = StaticPool
    engine = create_engine(url, **options)
    table = SQLModel.metadata.tables["taskrow"]
    with engine.begin() as connection:
        # Another process may be creating it now, so "check, then create" would fail.
        connection.execute(CreateTable(table, if_not_exists=True))
    return engine
