"""Typed calls of a client of FastMCP; skipped without it."""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import TYPE_CHECKING

import pytest

from tests.models.test_models import TODO, project
from tests.packages import ROOT, generate, mypy
from tests.servers.launch import stdio_command

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("fastmcp", reason="the extra `frameworks` is not installed")

RIGHT = """
from typing import cast
from fastmcp import Client
from fastmcp.client.client import CallToolResult
from fastmcp.client.transports import StdioTransport
from todo.models.session import TypedSession

USER = "7d3d6e5e-1c5e-4c62-9a57-6b2cf5b1c001"

async def calls(transport: StdioTransport) -> CallToolResult:
    async with Client(transport) as client:
        typed = cast("TypedSession[CallToolResult]", client)
        return await typed.call_tool("add_task", {"user_id": USER, "title": "Read"})
"""


@pytest.mark.slow
def test_a_client_of_fastmcp_has_typed_calls(tmp_path: Path) -> None:
    src = project(tmp_path, "typeddict")
    options = ("--name", "todo", "--target", "models", "--quiet", "--no-cache")
    assert generate(TODO, "-o", src, *options) == (0, "")
    (src / "right_client.py").write_text(RIGHT)
    (src / "wrong_client.py").write_text(RIGHT.replace('"Read"', "3"))
    code, text = mypy(src)
    assert code == 1
    faults = [line for line in text.splitlines() if ": error:" in line]
    assert {line.split(":")[0] for line in faults} == {"wrong_client.py"}, text
    sys.path.insert(0, str(src))
    try:
        module = importlib.import_module("right_client")
        command, *arguments = stdio_command("todo")
        env = {"TODO_DATABASE_URL": f"sqlite:///{tmp_path / 'todo.db'}"}
        transport = module.StdioTransport(command, arguments, env=env, cwd=str(ROOT))
        result = asyncio.run(module.calls(transport))
        assert result.structured_content["title"] == "Read"
    finally:
        sys.path.remove(str(src))
        for name in [name for name in sys.modules if name.startswith("todo")]:
            del sys.modules[name]
