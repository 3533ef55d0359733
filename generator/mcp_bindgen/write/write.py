"""Writes the files of one package, or shows the changes that this would make.

The order of the steps makes it safe to stop at any time. First, all files go into a
staging folder. Then `manifest.json` becomes a journal: it lists the files that are ours
now, and those that will be. Then stale files are removed, and the new ones renamed to
their paths. Then `manifest.json` becomes the new manifest. A run that is killed leaves
each file old or new, and a list of both; the next run completes the work.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.diff import difference
from mcp_bindgen.write.manifest import (
    MANIFEST,
    OwnedFiles,
    journal_text,
    read_version,
)
from mcp_bindgen.write.plan import NONE_KNOWN, Plan, folders_of, survey
from mcp_bindgen.write.remedies import remedy
from mcp_bindgen.write.undisturbed import undisturbed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["Changes", "check", "outdated", "write"]

_JOURNAL = ""  # the key of the journal among paths, which are never empty
_OTHER_FOLDER = "choose another folder: one whose path has no file and no link"
_NO_FOLDER = (
    errno.EINVAL,
    errno.ENOTDIR,
    errno.EEXIST,
    errno.ELOOP,
    errno.ENAMETOOLONG,
)


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes that one run made in a package folder; all paths are sorted.

    Attributes:
        added: Files that are new.
        changed: Files that were replaced.
        removed: Files of an earlier run that the package no longer has.
        unchanged: Files that already had their text; they and their time stamps stay.
        edited: Those of `changed` that were edited since they were written.
        problems: A problem for each stale file that stays, because it was edited.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    edited: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def number(self) -> int:
        """The number of files that were added, replaced or removed."""
        return len(self.added) + len(self.changed) + len(self.removed)

    def __repr__(self) -> str:
        """Return the numbers of files: their paths would fill a notebook."""
        numbers = (
            f"{each.name}={len(getattr(self, each.name))}" for each in fields(self)
        )
        return f"Changes({', '.join(numbers)})"


def write(
    files: Mapping[str, str],
    directory: Path,
    known: Mapping[str, disk.ReadFile] = NONE_KNOWN,
) -> Changes:
    """Write the files of a package into its folder; files of others stay.

    Args:
        files: Path, relative and with "/", to text; one is the manifest of the others.
        directory: The package folder; it is made if it is missing.
        known: Files of the folder that this process has read, by path.

    Raises:
        BindgenError: A file that mcp-bindgen did not write, or a link, has the path of
            a file of the package (then nothing was written), or the system refuses.
    """
    made: list[Path] = []
    try:
        if disk.look(directory) is None:
            disk.make_folder(directory, made)
        with disk.alone(directory):
            steps = survey(files, directory, known)
            disk.sweep(directory)
            if steps.added or steps.changed:  # a removal changes the manifest
                _apply(steps, made)
    except OSError as error:
        _remove_empty(reversed(made))
        raise _system(error) from error
    except BaseException:
        _remove_empty(reversed(made))
        raise
    return Changes(
        added=tuple(sorted(steps.added)),
        changed=tuple(sorted(steps.changed)),
        removed=tuple(sorted(steps.removed)),
        unchanged=tuple(sorted(steps.unchanged)),
        edited=tuple(sorted(steps.edited)),
        problems=tuple(steps.left_alone),
    )


def check(files: Mapping[str, str], directory: Path) -> str:
    """Return the changes that `write` would make as a unified diff, "" for none.

    Args:
        files: As for `write`.
        directory: As for `write`.

    Raises:
        BindgenError: As for `write`.
    """
    steps = _steps(files, directory)
    paths = sorted([*steps.added, *steps.changed, *steps.removed])
    return "".join(_difference(steps, path) for path in paths)


def _difference(steps: Plan, path: str) -> str:
    """Return the unified diff of one file."""
    text = steps.contents.get(path)
    new = None if text is None else text.encode()
    return difference(f"{steps.directory.name}/{path}", steps.old.get(path), new)


def outdated(files: Mapping[str, str], directory: Path) -> list[str]:
    """Return the changes that `write` would make, as lines: `changed catalog/x.py`.

    Args:
        files: As for `write`.
        directory: As for `write`.

    Raises:
        BindgenError: As for `write`.
    """
    steps = _steps(files, directory)
    ways = (("added", steps.added), ("changed", steps.changed))
    return [
        f"{way} {directory.name}/{path}"
        for way, paths in (*ways, ("removed", steps.removed))
        for path in sorted(paths)
    ]


def _steps(files: Mapping[str, str], directory: Path) -> Plan:
    """Return the changes that `write` would make.

    Raises:
        BindgenError: As for `write`.
    """
    try:
        _refuse_file_above(directory)
        return survey(files, directory)
    except OSError as error:
        raise _system(error) from error


def _refuse_file_above(directory: Path) -> None:
    """Refuse a folder that nobody can make, as `write` finds out when it makes it.

    Raises:
        OSError: A file has the path of a folder around it.
    """
    around = next((each for each in directory.parents if each.exists()), None)
    if around and not around.is_dir():
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(directory))


def _apply(plan: Plan, made: list[Path]) -> None:
    directory = plan.directory
    with disk.stage(directory, _contents(plan)) as staged, undisturbed():
        if _JOURNAL in staged:
            staged.pop(_JOURNAL).replace(directory / MANIFEST)
        manifest = staged.pop(MANIFEST, None)
        _remove(plan)
        for path, temporary in staged.items():
            disk.make_folder((directory / path).parent, made)
            temporary.replace(directory / path)
        if manifest:
            manifest.replace(directory / MANIFEST)


def _contents(plan: Plan) -> dict[str, str]:
    """Return the files to stage, with a journal if the manifest changes.

    A manifest that does not change lists each file as it will be, before and after.
    """
    staged = {path: plan.contents[path] for path in (*plan.added, *plan.changed)}
    if MANIFEST in staged:
        planned = {path: plan.hashes[path] for path in staged if path != MANIFEST}
        version = read_version(staged[MANIFEST].encode())
        owned = OwnedFiles(plan.owned, planned, version)
        staged[_JOURNAL] = journal_text(owned)
    return staged


def _remove(plan: Plan) -> None:
    """Remove stale files, then the folders of them that are empty."""
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
    reason = error.strerror or type(error).__name__
    hint = _OTHER_FOLDER
    if error.errno not in _NO_FOLDER:
        step = remedy(error, "correct the cause")
        hint = f"{step}, then run the same command; it completes the interrupted write"
    problem = Problem("", f"cannot read or write {name}: {reason}", hint)
    return BindgenError(problem)
