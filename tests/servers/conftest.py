"""The todo server, and its database as good as new."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.servers.launch import serve_http
from tests.servers.talk import connect_http

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator
    from pathlib import Path

    from mcp import Client


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[str, Path]]:
    """Serve over HTTP; the URL, and the file of the database."""
    file = tmp_path_factory.mktemp("todo") / "tasks.db"
    with serve_http("todo", env={"TODO_DATABASE_URL": f"sqlite:///{file}"}) as url:
        yield url, file


@pytest.fixture
def database(served: tuple[str, Path]) -> Path:
    """The file of the database, which is as good as new."""
    _, file = served
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
        for (table,) in tables.fetchall():
            connection.execute(f"DELETE FROM {table}")
    return file


@pytest.fixture
def url(served: tuple[str, Path], database: Path) -> str:
    assert database.exists()
    return served[0]


@pytest.fixture
async def client(url: str) -> AsyncGenerator[Client]:
    async with connect_http(url) as connected:
        yield connected
