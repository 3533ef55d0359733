"""`mcp-bindgen diff --callers`: the lines of a program that a new server breaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.cli import config, screen
from mcp_bindgen.contract.as_text import title
from mcp_bindgen.contract.callers import Program, new_errors
from mcp_bindgen.pipeline.settings import Settings, package_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_bindgen.contract.summary import Compared

__all__ = ["show_callers"]

_CANNOT = 2


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
        BindgenError: The checker does not run, or a recording makes no package.
    """
    number = problems = 0
    here = source.absolute()
    file = config.find(here)
    root = file.parent if file and here.is_relative_to(file.parent) else here.parent
    names = {each.key: each.name for each in config.load(file)} if file else {}
    for each in servers:
        name = package_name(names.get(each.name) or Path(each.label).stem, exact=False)
        screen.progress(f"{each.label}: {' '.join(command)}, with both packages")
        program = Program(root, here, name, tuple(command))
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
        screen.problems(each.report.problems, each.label)
        problems += len(each.report.problems)
    screen.summary(f"{screen.count(number, 'new error')}")
    return _CANNOT if problems else int(bool(number))
