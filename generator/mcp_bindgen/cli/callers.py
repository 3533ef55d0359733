"""`mcp-bindgen diff --callers`: the lines of a program that a new server breaks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.cli import config, screen
from mcp_bindgen.contract.as_text import title
from mcp_bindgen.contract.callers import Program, is_named, new_errors
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.settings import Settings, package_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.summary import Compared

__all__ = ["show_callers"]

_CANNOT = 2
_MARKS = ("pyproject.toml", "pyrightconfig.json", "mypy.ini", "setup.cfg", ".git")


def show_callers(
    servers: Sequence[Compared], source: Path, command: Sequence[str]
) -> int:
    """Print each line that only the new packages break, beside its finding.

    Args:
        servers: The comparisons.
        source: The folder of the program.
        command: The type checker with its arguments; alone, it checks the folder.

    Returns:
        0 for no new error, 1 for some, 2 if a recording could not be read as a whole.

    Raises:
        BindgenError: The checker does not run, a recording makes no package, or the
            program uses none of the packages.
    """
    number = problems = 0
    unused: list[str] = []
    here = Path(os.path.abspath(source))  # noqa: PTH100, which leaves no ".." in it
    file = config.find(here)
    root = file.parent if file else _project(here)
    # The command is written as for the folder where the user is.
    folder = Path.cwd() if _is_between(root, Path.cwd(), here) else root
    names = {each.key: each.name for each in config.load(file)} if file else {}
    for each in servers:
        name = package_name(names.get(each.name) or Path(each.label).stem, exact=False)
        program = Program(root, here, name, tuple(command), folder)
        screen.problems(each.report.problems, each.label)
        problems += len(each.report.problems)
        if not is_named(program):
            unused.append(name)
            continue
        screen.progress(f"{each.label}: {' '.join(command)}, with both packages")
        packages = {"old": each.old, "new": each.new}
        changes = each.report.changes
        for caller in new_errors(program, packages, Settings(), changes):
            change = caller.change
            cause = f"{title(change)}  {change.rule}  " if change else ""
            location = f"{caller.file}:{caller.line}"
            screen.spans(
                [(location, "bold"), (f"  {cause}", "red"), (caller.message, "")]
            )
            number += 1
    if unused and len(unused) == len(servers):
        wrong = f"no file in {str(source)!a} names the package {', '.join(unused)}"
        hint = "give the new recording the name of the package, as in catalog.json"
        raise BindgenError(Problem("", wrong, hint))
    screen.summary(f"{screen.count(number, 'new error')}")
    return _CANNOT if problems else int(bool(number))


def _project(source: Path) -> Path:
    """Return the folder of a project without our settings, by the files in it.

    Where the user is in it, no folder outside is asked: it may be their home.
    """
    folders, here = (source, *source.parents), Path.cwd()
    if here in folders:
        folders = folders[: folders.index(here) + 1]
    marked = (each for each in folders if any((each / m).exists() for m in _MARKS))
    return next(marked, here if here in folders else source.parent)


def _is_between(root: Path, folder: Path, source: Path) -> bool:
    return folder.is_relative_to(root) and source.is_relative_to(folder)
