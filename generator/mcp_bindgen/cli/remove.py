"""`mcp-bindgen remove`: takes a server out of the settings, with its files."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen, settings_file
from mcp_bindgen.cli.jobs import for_servers, shortest
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.reach import servers
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import DEFAULTS
from mcp_bindgen.pipeline.versions import version

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_bindgen.cli.config import Server

__all__ = ["remove"]


@click.command(
    epilog="Example: mcp-bindgen remove catalog --yes. Exit codes: 0 removed, 1 a file"
    " stays because somebody edited it, 2 failure."
)
@click.argument("name")
@click.option("--yes", "-y", is_flag=True, help="Remove without a question.")
@format_option
@screen.options
def remove(name: str, form: str, *, yes: bool) -> int:
    """Take server NAME out of the settings; remove its recording and its package.

    Files that mcp-bindgen did not write stay, and so do edited ones.
    """
    from mcp_bindgen.write.remove import remove as remove_package
    from mcp_bindgen.write.undisturbed import undisturbed

    (server,) = servers([name])
    folder = for_servers([server], DEFAULTS)[0].folder
    if not yes and sys.stdin.isatty():
        content = f"{name}, {shortest(server.recording)} and the package {folder}"
        if not click.confirm(f"Remove {screen.line(content)}?", err=True):
            screen.summary("nothing was removed")
            return 0
    file = settings_file.target_file()
    before = settings_file.read(file)
    removed = partial(settings_file.without_server, name=name)
    after = removed(before)
    recording = _has_own_recording(server)
    with undisturbed():
        settings_file.update(file, removed)
        try:
            changes = remove_package(folder, version("mcp-bindgen"))
            if recording:
                _remove_recording(server.recording)
        except BindgenError:
            # So that the same command can finish it.
            again = partial(_restored, name=name, before=before, after=after)
            settings_file.update(file, again)
            raise
    problems = changes.problems if changes else ()
    screen.problems(problems)
    number = changes.number - len(problems) if changes else 0
    if form == "json":
        listed = {"name": name, "files": number, "recording": recording}
        show_json({**listed, "folder": str(folder), "exists": folder.exists()})
    stays = f"; {folder} holds other files and stays" if folder.exists() else ""
    screen.summary(f"{name}: removed from {file}, {number:,} files removed{stays}")
    return int(bool(problems))


def _restored(text: str, name: str, before: str, after: str) -> str:
    """Return settings with the server again; what others have changed since stays."""
    if text == after:
        return before
    table = settings_file.servers_in(before)[name]
    return settings_file.with_server(text, name, table)


def _has_own_recording(server: Server) -> bool:
    """Return whether a server has a recording that can be made again."""
    shared = [s for s in servers() if s.recording == server.recording]
    again = bool(server.url or server.command)
    return again and len(shared) == 1 and _is_ours(server.recording)


def _remove_recording(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        hint = "fix the folder's permissions, then run the same command"
        message = f"cannot remove {file}: {error.strerror}"
        raise BindgenError(Problem("", message, hint)) from error


def _is_ours(file: Path) -> bool:
    """Return whether `record` wrote a file."""
    from mcp_bindgen.recording.document import FORMAT

    try:
        with file.open("rb") as stream:
            return FORMAT.encode() in stream.read(200)
    except OSError:
        return False
