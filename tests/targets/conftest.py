"""Packages of the example servers with every target, and the servers themselves."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp_bindgen.pipeline.generate import generate
from mcp_bindgen.pipeline.settings import Settings

from tests.servers.launch import CATALOG_TOKEN, serve_http, stdio_command

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
TARGETS = (
    *("python", "openai", "langchain"),
    *("agents", "anthropic", "gemini", "pydantic_ai"),
)
RECORDING = ROOT / "generated" / "todo" / "recording.json"
USER = "6f1c2b5e-3d7a-4a89-9c55-0d6a1b2c3d4e"


def names(tools: Any) -> list[str]:
    """Return the names of tools."""
    return [tool.name for tool in tools]


def write(files: dict[str, str], folder: Path) -> None:
    """Write the files of a package."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that Python imports from, with fw_catalog and fw_todo.

    fw_catalog has a copy of the runtime, fw_todo uses the original: `scripts/coverage`
    sees what its tests do there.
    """
    folder = tmp_path_factory.mktemp("packages")
    for name, runtime in (("catalog", ""), ("todo", "mcp_bindgen.runtime")):
        data = (ROOT / "generated" / name / "recording.json").read_bytes()
        made = generate(data, f"fw_{name}", Settings(TARGETS, runtime=runtime))
        write(dict(made.files), folder / f"fw_{name}")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="session")
def todo(packages: Path) -> Any:
    """The package of the todo server."""
    return import_module("fw_todo")


@pytest.fixture(scope="session")
def catalog(packages: Path) -> Any:
    """The package of the catalog server."""
    return import_module("fw_catalog")


@pytest.fixture(scope="session")
def todo_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The todo server over HTTP."""
    with serve_http("todo", cwd=tmp_path_factory.mktemp("todo")) as url:
        yield url


@pytest.fixture
def client(todo: Any, todo_url: str) -> Iterator[Any]:
    """A blocking client of the todo server."""
    with todo.Client.http(todo_url) as client:
        yield client


@pytest.fixture
def catalog_client(catalog: Any, catalog_url: str) -> Iterator[Any]:
    """A blocking client of the catalog server."""
    with catalog.Client.http(catalog_url, token=CATALOG_TOKEN) as client:
        yield client


@pytest.fixture
def stdio_client(todo: Any, tmp_path: Path) -> Iterator[Any]:
    """A blocking client of a todo server of its own, over stdio."""
    with todo.Client.stdio(stdio_command("todo"), cwd=tmp_path) as client:
        yield client
