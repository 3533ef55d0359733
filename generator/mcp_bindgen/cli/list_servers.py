"""`mcp-bindgen list`: the servers of the settings, their recordings and packages."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import jobs as planned
from mcp_bindgen.cli import screen
from mcp_bindgen.cli.output import (
    feature_cells,
    feature_columns,
    format_option,
    show_json,
    show_table,
)
from mcp_bindgen.errors import BindgenError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.cli.config import Server

__all__ = ["list_servers"]

_HEADER = ("server", "transport", "tools", "version", "recorded", "package", "state")


@click.command("list", epilog="Example: mcp-bindgen list --format json")
@format_option
@screen.options
def list_servers(form: str) -> int:
    """List the servers of the settings: transport, tools, recording and package.

    The state says whether `generate` would change the package now. No server is
    reached, and nothing is written.
    """
    facts = [_facts(server) for server in planned.servers_of(Path.cwd()).values()]
    if form == "json":
        show_json(facts)
    else:
        columns = feature_columns(facts)
        header = [*_HEADER[:3], *columns, *_HEADER[3:]]
        show_table(header, [_row(fact, columns) for fact in facts])
    screen.summary(screen.count(len(facts), "server"))
    return 0


def _facts(server: Server) -> dict[str, Any]:
    """Return the facts of one server as JSON; null for those that are not known."""
    from mcp_bindgen.recording.document import load

    job = planned.for_servers([server], _usual())[0]
    recording, data = None, b""
    with suppress(OSError, BindgenError):
        data = server.recording.read_bytes()
        recording, _ = load(data)
    version = str(recording.server.get("version") or "") if recording else None
    return {
        "name": server.key,
        "transport": _transport(server),
        "tools": len(recording.tools) if recording else None,
        **(recording.feature_counts if recording else {}),
        "version": version,
        "recorded": _time(server) if recording else None,
        "recording": str(planned.shortest(server.recording)),
        "package": job.folder.name,
        "folder": str(job.folder),
        "current": _is_current(server, data) if recording else False,
    }


def _usual() -> Any:
    from mcp_bindgen.pipeline.settings import DEFAULTS

    return DEFAULTS


def _transport(server: Server) -> str | None:
    if server.url:
        return "http"
    return "stdio" if server.command else None


def _time(server: Server) -> str:
    """Return when the recording was last written, in UTC."""
    seconds = int(server.recording.stat().st_mtime)
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _is_current(server: Server, data: bytes) -> bool:
    from mcp_bindgen.pipeline.cache import user_cache
    from mcp_bindgen.pipeline.current import is_current

    (job,) = planned.for_servers([server], _usual())
    return is_current(job, data, user_cache())


def _row(fact: dict[str, Any], columns: Sequence[str]) -> list[str]:
    state = "current" if fact["current"] else "out of date"
    tools = fact["tools"]
    return [
        fact["name"],
        fact["transport"] or "-",
        "-" if tools is None else f"{tools:,}",
        *feature_cells(fact, columns),
        fact["version"] or "-",
        (fact["recorded"] or "-").removesuffix("+00:00").replace("T", " "),
        fact["package"],
        state if tools is not None else "not recorded",
    ]
