"""`mcp-bindgen init`: the section of the settings, the folders, a hook for commits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from mcp_bindgen.cli import screen, settings_file
from mcp_bindgen.cli.output import format_option, show_json
from mcp_bindgen.cli.pre_commit import with_hook
from mcp_bindgen.cli.toml_changes import with_line_ends
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.save import save

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["init"]

_HOOKS = ".pre-commit-config.yaml"


@click.command(epilog="Example: mcp-bindgen init --output src")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    help="The folder of the packages  [default: src where there is one, or generated]",
)
@format_option
@screen.options
def init(output: str | None, form: str) -> int:
    """Prepare a project: [tool.mcp-bindgen] in pyproject.toml, and the folders.

    Where the project has a .pre-commit-config.yaml, it gets a hook that refuses a
    commit with packages that are out of date. Existing parts stay.
    """
    file = settings_file.target_file()
    folder = output or ("src" if (file.parent / "src").is_dir() else "generated")
    prepared = partial(settings_file.with_section, output=folder)
    prepared(settings_file.read(file))  # refuses settings that cannot get the section
    made = [each for each in ("recordings", folder) if _make(file.parent / each)]
    changed = [str(file)] if settings_file.update(file, prepared) else []
    changed += _add_hook(file.parent / _HOOKS)
    if form == "json":
        show_json({"file": str(file), "changed": changed, "folders": made})
    listed = ", ".join([*changed, *(f"{each}/" for each in made)])
    done = f"{listed} written" if listed else f"{file} has everything already"
    screen.summary(f"{done}; next: mcp-bindgen add NAME --url URL, or import")
    return 0


def _make(folder: Path) -> bool:
    """Make a folder; return whether it is new.

    Raises:
        BindgenError: The system refuses.
    """
    if folder.is_dir():
        return False
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        hint = "choose another folder with --output"
        message = f"cannot make {folder}: {error.strerror}"
        raise BindgenError(Problem("", message, hint)) from error
    return True


def _add_hook(file: Path) -> list[str]:
    """Add a hook to the file of pre-commit; return the file if that changed it."""
    if not file.is_file():
        return []
    before = settings_file.read(file)
    text = with_hook(before)
    if text is None:
        screen.progress(f"{file}: add a hook for `mcp-bindgen sync --offline --check`")
        return []
    text = with_line_ends(text, before)
    return [str(file)] if save(file, text.encode()) else []
