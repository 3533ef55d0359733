"""`mcp-bindgen import`: servers of an mcp.json into the settings."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcp_bindgen.cli import screen, settings_file
from mcp_bindgen.cli.config_faults import table_of
from mcp_bindgen.cli.import_checks import readable
from mcp_bindgen.cli.output import format_option, problems_json, show_json
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.mcp_json import (
    ImportedServer,
    imported,
    read_servers,
    servers_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["import_servers"]

_IN_PROJECT = (".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "mcp.json")
_OF_USER = (
    "~/.claude.json",
    "~/.cursor/mcp.json",
    "~/Library/Application Support/Claude/claude_desktop_config.json",
    "~/.config/Claude/claude_desktop_config.json",
    "~/AppData/Roaming/Claude/claude_desktop_config.json",
    "~/.codex/config.toml",
)


@click.command(
    "import",
    epilog="Example: mcp-bindgen import .mcp.json catalog --dry-run. Exit codes:"
    " 0 all imported, 1 a server cannot be imported, 2 nothing was written.",
)
@click.argument("names", nargs=-1, metavar="[FILE] [NAME]...")
@click.option("--dry-run", is_flag=True, help="Show the settings, and write nothing.")
@click.option("--yes", "-y", is_flag=True, help="Write without a question.")
@format_option
@screen.options
def import_servers(
    names: tuple[str, ...], form: str, *, dry_run: bool, yes: bool
) -> int:
    """Take servers from the file of an MCP host into pyproject.toml.

    FILE is a file of Claude, Cursor, VS Code, Codex, FastMCP or the Docker gateway, as
    .mcp.json or claude_desktop_config.json; without FILE, the usual places are
    searched. NAME is a server in it; without NAME, all of them. Secrets are never
    copied: they become ${NAME}, and the command says which variables to export.
    """
    file, held, chosen = _file(names)
    target = settings_file.target_file()
    before = settings_file.read(target)
    known = settings_file.servers_in(before)
    taken = {name: {*_names_of(name, table)} for name, table in known.items()}
    listed = imported(_chosen(held, chosen, file), _project(file), taken)
    servers = [readable(server, target) for server in listed]
    problems = [
        p for server in servers for p in (*server.problems, *_taken(server, known))
    ]
    new = [s for s in servers if s.table and s.name not in known]
    added = _added(new, "")
    _added(new, before)  # refuses settings that cannot get them
    if form == "json":
        show_json(_report(target, new, problems))
    elif added:
        screen.block(added.rstrip("\n"))
    screen.problems(problems)
    for server in new:
        _tell_variables(server)
    number = screen.count(len(new), "server")
    if not new:
        screen.summary(f"nothing to add to {target}")
    elif dry_run or not _agreed(new, target, yes=yes or form == "json"):
        screen.summary(f"nothing was written; {number} to add")
    else:
        settings_file.update(target, partial(_added, new))
        screen.summary(f"{number} added to {target}; next: mcp-bindgen sync")
    return int(bool(problems))


def _names_of(name: str, table: object) -> Iterator[str]:
    """Yield the names of the package and of the recording of a server."""
    settings = table_of(table)
    yield str(settings.get("package", settings.get("name", name)))
    yield Path(str(settings.get("recording", name))).stem


def _added(servers: Sequence[ImportedServer], text: str) -> str:
    """Return settings with more servers; those that are there stay.

    Raises:
        BindgenError: The settings have no known form.
    """
    known = settings_file.servers_in(text)
    new = {s.name: s.table for s in servers if s.name not in known}
    return settings_file.with_servers(text, new)


def _file(names: tuple[str, ...]) -> tuple[Path, dict[str, Any], tuple[str, ...]]:
    """Return the file, its servers, and the names; without a file, search for one.

    Raises:
        BindgenError: There is no file with servers.
    """
    if names and (Path(names[0]).suffix or os.sep in names[0]):
        file = Path(names[0])
        return file, read_servers(_read(file), str(file), Path.cwd()), names[1:]
    searched: list[str] = []
    for path in _host_files():
        if servers := _servers_at(path):
            before = f"; no servers at {', '.join(searched)}" if searched else ""
            screen.progress(f"reading {path}{before}")
            return path, servers, names
        searched.append(str(path))
    hint = "name the file: mcp-bindgen import FILE"
    message = f"no file of an MCP host has servers; searched {', '.join(searched)}"
    raise BindgenError(Problem("", message, hint))


def _servers_at(path: Path) -> dict[str, Any]:
    """Return the servers of a file, {} where it has none or is missing."""
    if not path.is_file():
        return {}
    return servers_of(_read(path), str(path), Path.cwd()) or {}


def _project(file: Path) -> Path:
    """Return the folder where relative paths of a file begin."""
    folder = file.absolute().parent
    return folder.parent if folder.name in {".vscode", ".cursor"} else folder


def _host_files() -> Iterator[Path]:
    here = Path.cwd()
    for folder in (here, *here.parents):
        yield from (folder / name for name in _IN_PROJECT)
    yield from (Path(name).expanduser() for name in _OF_USER)


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        hint = "name a file such as .mcp.json"
        raise BindgenError(Problem("", f"{file}: {reason}", hint)) from error


def _chosen(
    servers: dict[str, Any], names: Sequence[str], file: Path
) -> dict[str, Any]:
    """Return the servers of these names, all without names.

    Raises:
        BindgenError: The file has no server of one of the names.
    """
    problems: list[Problem] = []
    for name in names:
        if name not in servers:
            near = get_close_matches(name, servers, 1)
            hint = (
                f"did you mean {near[0]}?" if near else f"known: {', '.join(servers)}"
            )
            problems.append(Problem("", f"{file}: no server {name[:80]!a}", hint))
    if problems:
        raise BindgenError(*problems)
    for name in servers if not names else ():
        if _is_disabled(servers[name]):
            screen.progress(f"{name}: left out, the file disables it")
    on = (name for name in servers if not _is_disabled(servers[name]))
    return {name: servers[name] for name in dict.fromkeys(names or on)}


def _is_disabled(raw: object) -> bool:
    table = table_of(raw)
    return table.get("disabled") is True or table.get("enabled") is False


def _taken(server: ImportedServer, known: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield a problem if the settings have another server of this name."""
    if server.table and server.name in known and known[server.name] != server.table:
        hint = f"to replace it, delete [tool.mcp-bindgen.servers.{server.name}] first"
        message = f"{server.name}: the settings have another server of this name"
        yield Problem("", message, hint)


def _tell_variables(server: ImportedServer) -> None:
    if server.env_file and server.variables:
        screen.progress(f"{server.name}: {server.env_file} has some of its variables")
    for name in server.variables:
        if not os.environ.get(name):
            screen.progress(
                f"{server.name}: run `export {name}=...` before the next step"
            )


def _agreed(servers: Sequence[ImportedServer], target: Path, *, yes: bool) -> bool:
    """Ask before the settings change, where a person can answer."""
    if not servers or yes or not sys.stdin.isatty():
        return True
    return click.confirm(f"Add this to {screen.line(str(target))}?", err=True)


def _report(
    target: Path, servers: Sequence[ImportedServer], problems: Sequence[Problem]
) -> dict[str, object]:
    return {
        "file": str(target),
        "servers": [
            {"name": s.name, "settings": s.table, "variables": [*s.variables]}
            for s in servers
        ],
        "problems": problems_json(problems),
    }
