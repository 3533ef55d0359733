"""A program of a few lines that uses a package that was just generated."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError

if TYPE_CHECKING:
    from mcp_bindgen.cli.config import Server
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["example_program"]


def example_program(server: Server, job: Job) -> str:
    """Return a program that calls a tool which only reads, or lists the tools.

    The server says which tools only read, so that only one without required
    parameters is called.

    Args:
        server: The server.
        job: Its package.
    """
    package = job.folder.name
    line = "    for tool in client.list_tools():\n        print(tool.tool)"
    if function := _readable(server, job):
        line = f"    print(client.{function}())"
    name = "" if package == server.key else f"name={json.dumps(server.key)}"
    return (
        f"from {package} import Client\n\n"
        f"with Client.from_config({name}) as client:\n"
        f"{line}"
    )


def _readable(server: Server, job: Job) -> str:
    """Return the function of a tool that only reads and needs no arguments, or ""."""
    from mcp_bindgen.pipeline.described import described
    from mcp_bindgen.recording.document import load

    try:
        recording, _ = load(server.recording.read_bytes(), job.settings.limits)
        tools = [*described(recording, job.settings)]
    except (OSError, BindgenError):
        return ""
    for tool in tools:
        required = any(parameter["required"] for parameter in tool.parameters)
        if "read-only" in tool.hints and not required:
            return tool.function
    return ""
