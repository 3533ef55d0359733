"""Compares a new recording with the package on the disk, for the package's users."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

import click

from mcp_bindgen.cli import screen
from mcp_bindgen.cli.limits import read
from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.existing import read_existing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from mcp_bindgen.contract.summary import Compared
    from mcp_bindgen.pipeline.jobs import Job
    from mcp_bindgen.pipeline.package import Package

__all__ = [
    "Beginning",
    "Begun",
    "allow_empty_option",
    "begin",
    "diff_option",
    "differences",
    "refuse_emptied",
    "show_files",
    "write_changelog",
]

_MOST_FILES = 20
_P = ParamSpec("_P")
_R = TypeVar("_R")


def diff_option(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --diff to a command."""
    return click.option(
        "--diff", is_flag=True, help="Show the changes of files, line by line."
    )(command)


def allow_empty_option(command: Callable[_P, _R]) -> Callable[_P, _R]:
    """Add --allow-empty to a command."""
    return click.option(
        "--allow-empty",
        is_flag=True,
        help="Allow a glob that matches no tool, and a package or a recording that"
        " loses all its tools.",
    )(command)


class Begun(NamedTuple):
    """A job that has begun.

    Attributes:
        job: The job, which knows the package in the folder.
        changes: The changes for the users of the package; None for none.
    """

    job: Job
    changes: Compared | None


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a job begins.

    Attributes:
        shows: Whether to show the changes for the users of the package.
        is_result: Whether that is the result of the command, or only a message.
    """

    shows: bool
    is_result: bool


def begin(job: Job, how: Beginning) -> Begun:
    """Show the changes of a new recording; return the job with the package on the disk.

    Args:
        job: The job of the package.
        how: How to begin.
    """
    existing = read_existing(job.folder)
    changes = _changes(job, existing.recording)
    version = existing.version
    if changes:
        if how.shows:
            _show(changes, is_result=how.is_result)
        if not existing.is_unfinished:
            version = _bumped(version, changes)
    existing = replace(existing, recording=None, version=version)
    return Begun(replace(job, existing=existing), changes)


def _changes(job: Job, made_from: bytes | None) -> Compared | None:
    """Return the graded changes of a package, None for none or no package.

    A recording that cannot be read is reported when the package is made.
    """
    with suppress(BindgenError):
        data = read(job.file, job.settings.limits)
        if made_from is None or made_from == data:
            return None
        from mcp_bindgen.cli.accept import accepted
        from mcp_bindgen.contract.accepted import accept
        from mcp_bindgen.contract.package import package_changes

        names = job.folder.name, str(job.file)
        made = package_changes(*names, made_from, data, job.settings)
        made = accept(made, accepted())
        return made if made.report.changes or made.accepted else None
    return None


def _show(changes: Compared, *, is_result: bool) -> None:
    from mcp_bindgen.cli.graded import DIFF_ALL, show_short, show_text
    from mcp_bindgen.contract.summary import total

    if is_result:
        show_text([changes], total([changes]), everything=False, more=DIFF_ALL)
    else:
        show_short(changes)


def _bumped(version: str, changes: Compared) -> str:
    from mcp_bindgen.contract.changelog import bumped
    from mcp_bindgen.contract.summary import total

    new = bumped(version, total([changes]).bump)
    if new != version:
        screen.progress(f"{changes.name}: version {new}, after {version}")
    return new


def write_changelog(file: Path, written: Sequence[Begun]) -> None:
    """Add changes to the section "Unreleased" of a changelog.

    Args:
        file: The changelog; it is made if it is missing. A device or a pipe gets the
            changes alone, since it has no text before them.
        written: The packages that were written.

    Raises:
        BindgenError: The file cannot be read or written.
    """
    from mcp_bindgen.contract.changelog import with_changes
    from mcp_bindgen.write.save import save

    changes = [each.changes for each in written if each.changes]
    if not changes:
        return
    try:
        text = file.read_text("utf-8") if file.is_file() else ""
    except (OSError, ValueError) as error:
        problem = Problem("", f"cannot read {file}: {error}", "is it UTF-8?")
        raise BindgenError(problem) from error
    if save(file, with_changes(text, changes).encode()):
        screen.summary(f"{file}: {screen.count(len(changes), 'package')} in it")


def refuse_emptied(job: Job, package: Package) -> None:
    """Refuse a package that loses all its tools, or a glob that matches none.

    Raises:
        BindgenError: It does, or there is one.
    """
    hint = "correct the glob, or pass --allow-empty"
    problems = [
        Problem("", f"{package.name}: no tool matches {glob[:80]!a}", hint)
        for glob in package.unmatched
    ]
    if job.existing.tools and not package.catalog.tools:
        had = screen.count(job.existing.tools, "tool")
        message = f"{package.name} would be empty: {job.folder} has {had}"
        hint = f"look at {job.file}, or pass --allow-empty; nothing was written"
        problems.append(Problem("", message, hint))
    if problems:
        raise BindgenError(*problems)


def differences(files: Mapping[str, str], folder: Path, *, diff: bool) -> list[str]:
    """Return the changes of a package's files, for `show_files`.

    Args:
        files: Path to text of every file of the package.
        folder: The folder of the package.
        diff: Whether to return them line by line, as one text.
    """
    from mcp_bindgen.write.write import check, outdated

    if not diff:
        return outdated(files, folder)
    text = check(files, folder).rstrip("\n")
    return [text] if text else []


def show_files(lines: Sequence[str]) -> None:
    """Print which files differ, at most 20 of them."""
    for line in lines[:_MOST_FILES]:
        screen.block(line)
    if len(lines) > _MOST_FILES:
        screen.result(f"and {len(lines) - _MOST_FILES:,} more files (--diff)")
