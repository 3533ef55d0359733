"""A toolbox whose servers a file names: prefixes, health, servers that are down."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from tests.targets.conftest import USER

if TYPE_CHECKING:
    from pathlib import Path

NOBODY = "http://127.0.0.1:9/mcp"


@pytest.fixture
def file(tmp_path: Path, todo_url: str) -> Path:
    """A file of an MCP host that names a server which works, and one which does not."""
    servers = {
        "fw-todo": {"url": todo_url, "prefix": "my"},
        "fw_catalog": {"url": NOBODY, "timeout": 2},
    }
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


def test_a_file_makes_a_toolbox_of_packages(
    todo: Any, catalog: Any, file: Path
) -> None:
    only = ["list_tasks", "get_*"]
    with todo.Toolbox.from_config(file, packages=[todo, catalog], only=only) as box:
        assert [tool.name for tool in box] == ["my_list_tasks"]
        assert [*box.unreachable] == ["fw_catalog"]
        assert not box.run("my_list_tasks", {"user_id": USER}).is_error
        health = box.health()
        assert 0 <= health["fw_todo"] < 60
        assert "nothing listens there" in str(health["fw_catalog"])


def test_the_health_of_servers_in_a_task(todo: Any, catalog: Any, file: Path) -> None:
    async def main() -> Any:
        box = catalog.Toolbox.from_config(file, packages=[catalog, todo])
        async with box:
            return await box.health_async(), len(box)

    health, reachable = anyio.run(main)
    assert isinstance(health["fw_todo"], float)
    assert isinstance(health["fw_catalog"], Exception)
    assert reachable == 5


def test_a_server_that_is_up_again_is_healthy(
    todo: Any, tmp_path: Path, todo_url: str
) -> None:
    box = todo.Toolbox.from_config(
        {"fw_todo": {"url": todo_url}}, packages=[todo], only="list_tasks"
    )
    box._note("fw_todo", OSError("down"))
    assert len(box) == 0
    assert box.health()["fw_todo"] >= 0
    assert len(box) == 1
    box.close()


def test_all_mistakes_of_a_file_are_named(
    todo: Any, catalog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    servers = {"fw_todo": {"url": "https://${NOT_SET}"}, "fw_catalog": {}}
    with pytest.raises(todo.ConfigError) as raised:
        todo.Toolbox.from_config(servers, packages=[todo, catalog])
    assert "NOT_SET is not set" in str(raised.value)
    assert "fw_catalog: expected a url or a command" in str(raised.value)
    with pytest.raises(todo.ConfigError, match="has no server"):
        todo.Toolbox.from_config({"other": {"url": NOBODY}}, packages=[todo])
    named: Any = ["fw_todo"]
    with pytest.raises(
        todo.ConfigError, match="expected generated packages, got fw_todo"
    ):
        todo.Toolbox.from_config(servers, packages=named)


@pytest.mark.parametrize("source", [5, ["mcp.json"], b"mcp.json"])
def test_what_is_neither_a_file_nor_servers_is_named(todo: Any, source: Any) -> None:
    expected = "expected a file or a mapping of servers, got "
    for make in (todo.Client.from_config, todo.AsyncClient.from_config):
        with pytest.raises(todo.ConfigError, match=expected):
            make(source)
    with pytest.raises(todo.ConfigError, match=expected):
        todo.Toolbox.from_config(source, packages=[todo])


def test_a_package_alone_is_no_list_of_packages(todo: Any) -> None:
    with pytest.raises(
        todo.ConfigError, match="expected generated packages, got "
    ) as e:
        todo.Toolbox.from_config({}, packages=todo)
    assert e.value.hint == "write import catalog, and packages=[catalog]"
