"""`on_list_changed` of a package of a real server: findings against its recording."""

from __future__ import annotations

import json
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeAlias

import anyio
import pytest

from tests.runtime.asking import AskingServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

TOOL = "add_task"
Findings: TypeAlias = list[tuple[str, str, str, str]]
CHANGED = {"method": "notifications/tools/list_changed"}


class Recorded:
    """The package of a server, and the tools in its recording."""

    def __init__(self, folder: Path) -> None:
        self.package: Any = import_module("live_todo")
        self._text = (folder / "live_todo" / "recording.json").read_text()

    @property
    def tools(self) -> list[dict[str, Any]]:
        """New copies of the tools."""
        tools: list[dict[str, Any]] = json.loads(self._text)["tools"]
        return tools

    def with_a_parameter(self) -> list[dict[str, Any]]:
        """Return the tools, one of them with a new parameter that is required."""
        tools = self.tools
        (schema,) = (tool["inputSchema"] for tool in tools if tool["name"] == TOOL)
        schema["properties"]["owner"] = {"type": "string"}
        schema.setdefault("required", []).append("owner")
        return tools

    def without_the_tool(self) -> list[dict[str, Any]]:
        """Return all tools but one."""
        return [tool for tool in self.tools if tool["name"] != TOOL]


@pytest.fixture
def todo(folder: Path) -> Recorded:
    return Recorded(folder)


@pytest.fixture(params=["legacy", "modern"])
def server(request: pytest.FixtureRequest, todo: Recorded) -> Iterator[AskingServer]:
    """Serve the recorded tools."""
    with AskingServer(modern=request.param == "modern") as running:
        running.tools = todo.tools
        yield running


def about_tools(findings: Iterable[Any]) -> Findings:
    """Return the findings about tools; this server has no prompts and no title."""
    return [
        (f.tool, f.pointer, f.rule, f.wire)
        for f in findings
        if f.rule.startswith(("TOOL_", "PARAM_", "RESULT_"))
    ]


def test_findings_of_a_blocking_client(server: AskingServer, todo: Recorded) -> None:
    reports = SimpleQueue[Any]()
    make = todo.package.Client.http
    with make(server.url, on_list_changed=reports.put) as client:
        assert about_tools(client.verify()) == []
        pointer = "/inputSchema/properties/owner"
        added = (TOOL, pointer, "PARAM_ADDED_REQUIRED", "breaking")
        steps: list[tuple[list[dict[str, Any]], Findings]] = [
            (todo.with_a_parameter(), [added]),
            (todo.without_the_tool(), [(TOOL, "", "TOOL_REMOVED", "breaking")]),
            (todo.tools, []),
        ]
        for tools, expected in steps:
            server.tools = tools
            server.tell(CHANGED)
            assert about_tools(reports.get(timeout=20)) == expected


async def _in_a_task(server: AskingServer, todo: Recorded) -> None:
    reports: list[Any] = []
    arrived = anyio.Event()

    async def changed(findings: Any) -> None:
        reports.append(findings)
        arrived.set()

    make = todo.package.AsyncClient.http
    async with make(server.url, on_list_changed=changed) as client:
        assert about_tools(await client.verify()) == []
        server.tools = todo.without_the_tool()
        server.tell(CHANGED)
        with anyio.fail_after(20):
            await arrived.wait()
    assert about_tools(reports[0]) == [(TOOL, "", "TOOL_REMOVED", "breaking")]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_findings_of_an_async_client(
    backend: str, server: AskingServer, todo: Recorded
) -> None:
    anyio.run(_in_a_task, server, todo, backend=backend)
