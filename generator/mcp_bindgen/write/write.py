"""Puts the files of one package on the disk, or shows what that would change.

The order is the safety: everything is staged; then `manifest.json` becomes a journal,
which lists what is ours now and what is about to be; then files are renamed into place
and stale ones removed; then `manifest.json` is the new one. A run killed at any point
leaves each file old or new and a list of both, and the next run ends the work.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.diff import difference
from mcp_bindgen.write.manifest import MANIFEST, Ledger, fingerprint, journal_text
from mcp_bindgen.write.plan import Plan, folders_of, survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["Changes", "check", "write"]

_JOURNAL = ""  # a key beside paths, and never one of them


@dataclass(frozen=True, slots=True)
class Changes:
    """What one run did to a package folder; all names are sorted.

    Attributes:
        added: Files that were not there.
        changed: Files that were replaced.
        removed: Files of ours that the package has no more.
        unchanged: Files that were left as they are, with their time stamp.
        edited: Those of `changed` that somebody had edited since we wrote them.
        problems: Stale files that stay because somebody edited them.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    edited: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def number(self) -> int:
        """How many files are there, gone or another now."""
        return len(self.added) + len(self.changed) + len(self.removed)


def write(files: Mapping[str, str], directory: Path) -> Changes:
    """Make a package folder hold exactly these files and whatever is foreign in it.

    Args:
        files: Path, relative and with "/", to text; one is the manifest of the others.
        directory: The package folder; it and what is missing above it is made.

    Raises:
        BindgenError: Something foreign or a link stands in the way, or the system
            refuses; in the first two cases nothing was written.
    """
    try:
        steps = survey(files, directory)
        disk.sweep(directory)
        if steps.added or steps.changed:  # what is removed changes the manifest
            _apply(steps)
    except OSError as error:
        raise _system(error) from error
    return Changes(
        added=tuple(sorted(steps.added)),
        changed=tuple(sorted(steps.changed)),
        removed=tuple(sorted(steps.removed)),
        unchanged=tuple(sorted(steps.unchanged)),
        edited=tuple(sorted(steps.edited)),
        problems=tuple(steps.kept),
    )


def check(files: Mapping[str, str], directory: Path) -> str:
    """Return as a unified diff what `write` would do, "" for nothing; write nothing.

    Args:
        files: As for `write`.
        directory: As for `write`.

    Raises:
        BindgenError: As for `write`.
    """
    try:
        steps = survey(files, directory)
    except OSError as error:
        raise _system(error) from error
    return "".join(
        difference(
            f"{directory.name}/{path}", steps.old.get(path), steps.wanted.get(path)
        )
        for path in sorted([*steps.added, *steps.changed, *steps.removed])
    )


def _apply(plan: Plan) -> None:
    directory = plan.directory
    made: list[Path] = []
    try:
        disk.make_folder(directory, made)
        with disk.stage(directory, _contents(plan)) as staged:
            if _JOURNAL in staged:
                staged.pop(_JOURNAL).replace(directory / MANIFEST)
            manifest = staged.pop(MANIFEST, None)
            _remove(plan)
            for path, temporary in staged.items():
                disk.make_folder((directory / path).parent, made)
                temporary.replace(directory / path)
            if manifest:
                manifest.replace(directory / MANIFEST)
    except BaseException:
        _remove_empty(reversed(made))
        raise


def _contents(plan: Plan) -> dict[str, bytes]:
    """Return what is to be staged; a journal too, unless the manifest stays as it is.

    Then the manifest lists each file as it will be, before and after.
    """
    contents = {path: plan.wanted[path] for path in (*plan.added, *plan.changed)}
    if MANIFEST in contents:
        planned = {path: fingerprint(data) for path, data in contents.items()}
        del planned[MANIFEST]
        contents[_JOURNAL] = journal_text(Ledger(plan.owned, planned)).encode()
    return contents


def _remove(plan: Plan) -> None:
    """Remove what is stale, then the folders that held it if nothing else is there."""
    for path in (*plan.removed, *plan.respelled.values()):
        (plan.directory / path).unlink()
    folders = {folder for path in plan.stale for folder in folders_of(path)}
    _remove_empty(plan.directory / folder for folder in sorted(folders, reverse=True))


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _system(error: OSError) -> BindgenError:
    name = error.filename2 or error.filename or "the output folder"
    return BindgenError(
        Problem(
            "",
            f"cannot read or write {name}: {error.strerror or type(error).__name__}",
            "fix the folder's permissions, then run the same command; it completes the"
            " interrupted write",
        )
    )
