"""Plans the changes of each file in a package folder, and writes nothing."""

from __future__ import annotations

import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.paths import is_safe
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.manifest import (
    MANIFEST,
    MAX_BYTES,
    OwnedFiles,
    fingerprint,
    read_owned,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["Plan", "folders_of", "survey"]

_MAX_BYTES = 256 * 1024 * 1024
_ASIDE = "move it away, or choose another folder or name; nothing was written"


@dataclass(slots=True)
class Plan:
    """The changes in a package folder, by kind; paths are relative to the folder.

    Attributes:
        directory: The package folder.
        contents: Path to bytes of each file of the package.
        added: Files to add.
        changed: Files to replace.
        removed: Stale files to remove.
        unchanged: Files that have their bytes already.
        edited: Those of `changed` that somebody edited since they were written.
        stale: Files of an earlier run that the package no longer has.
        left_alone: A problem for each stale file that somebody edited: it stays.
        refused: A problem for each path that somebody else's file has.
        old: Path to bytes of each file that is changed or removed.
        owned: Path to hash of each file that exists and that mcp-bindgen wrote.
        respelled: Path to the path in another case that its file has on the disk.
    """

    directory: Path
    contents: Mapping[str, bytes]
    added: list[str] = field(default_factory=list[str])
    changed: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    unchanged: list[str] = field(default_factory=list[str])
    edited: list[str] = field(default_factory=list[str])
    stale: list[str] = field(default_factory=list[str])
    left_alone: list[Problem] = field(default_factory=list[Problem])
    refused: list[Problem] = field(default_factory=list[Problem])
    old: dict[str, bytes] = field(default_factory=dict[str, bytes])
    owned: dict[str, str] = field(default_factory=dict[str, str])
    respelled: dict[str, str] = field(default_factory=dict[str, str])


def survey(files: Mapping[str, str], directory: Path) -> Plan:
    """Return the changes that `write` in `write/write.py` makes.

    Args:
        files: Path, relative and with "/", to text; one is the manifest of the others.
        directory: The package folder, which may be missing.

    Raises:
        BindgenError: A file that mcp-bindgen did not write, or a link, has the path of
            a file of the package.
        OSError: The system refuses.
    """
    plan = Plan(directory, _encode(files))
    _refuse(_folder_problems(directory, plan.contents))
    owned = _read_owned(directory)
    listed = {**owned.planned, **owned.written}
    _refuse(_folder_problems(directory, listed))
    plan.respelled = _respelled(directory, plan.contents, listed)
    for path in sorted(plan.contents):
        _plan_wanted(plan, path, owned)
    plan.stale = sorted(listed.keys() - plan.contents.keys())
    for path in plan.stale:
        if path not in plan.respelled.values():
            _plan_stale(plan, path, owned)
    _refuse(plan.refused)
    return plan


def _encode(files: Mapping[str, str]) -> dict[str, bytes]:
    """Return the bytes to write; all names are checked.

    Raises:
        BindgenError: A name is unsafe, or the manifest does not list all files.
    """
    contents = {path: text.encode() for path, text in files.items()}
    folded = {path.casefold() for path in contents}
    unsafe = [path for path in contents if not is_safe(path)]
    hashes = {
        path: fingerprint(data) for path, data in contents.items() if path != MANIFEST
    }
    complete = not unsafe and len(folded) == len(contents) and MANIFEST in contents
    if complete:
        owned = read_owned(contents[MANIFEST])
        if (owned.written, owned.planned) == (hashes, {}):
            return contents
    reason = (
        f"the path {ascii(unsafe[0])[:80]} is not allowed"
        if unsafe
        else f"{MANIFEST} does not list the files, or two names differ only in case"
    )
    raise BindgenError(
        Problem(
            "",
            f"the generated files do not fit together: {reason}",
            "this is a fault of mcp-bindgen, please report it; nothing was written",
        )
    )


def _folder_problems(directory: Path, paths: Iterable[str]) -> list[Problem]:
    folders = {directory}
    for path in paths:
        folders.update(directory / parent for parent in folders_of(path))
    return [
        Problem("", f"{folder} {fault}", _ASIDE)
        for folder in sorted(folders)
        if (fault := disk.folder_fault(folder))
    ]


def folders_of(path: str) -> list[str]:
    """Return the folders of a path inside the package, the innermost first."""
    segments = path.split("/")[:-1]
    return ["/".join(segments[:end]) for end in range(len(segments), 0, -1)]


def _read_owned(directory: Path) -> OwnedFiles:
    standing = _standing(directory / MANIFEST, MAX_BYTES)
    if isinstance(standing, bytes):
        return read_owned(standing)
    if standing:
        _refuse([_in_the_way(directory / MANIFEST, standing)])
    return OwnedFiles({}, {})


def _respelled(
    directory: Path, planned: Iterable[str], listed: Iterable[str]
) -> dict[str, str]:
    """Return planned paths whose file is one of ours under another case of its name.

    That happens on file systems which hold upper and lower case for the same.
    """
    folded = {path.casefold(): path for path in listed}
    respelled: dict[str, str] = {}
    for path in planned:
        other = folded.get(path.casefold(), path)
        if other != path:
            here, there = disk.look(directory / path), disk.look(directory / other)
            if (
                here
                and there
                and (here.st_dev, here.st_ino)
                == (
                    there.st_dev,
                    there.st_ino,
                )
            ):
                respelled[path] = other
    return respelled


def _plan_wanted(plan: Plan, path: str, owned: OwnedFiles) -> None:
    name = plan.respelled.get(path, path)
    standing = _standing(plan.directory / name, _MAX_BYTES)
    if standing is None:
        plan.added.append(path)
        return
    if isinstance(standing, str):
        plan.refused.append(_in_the_way(plan.directory / name, standing))
        return
    digest = fingerprint(standing)
    ours = name == MANIFEST or _is_ours(name, digest, owned)
    if standing == plan.contents[path] and name == path:
        plan.unchanged.append(path)
    elif not ours:
        plan.refused.append(
            _in_the_way(plan.directory / name, "mcp-bindgen did not write it")
        )
    else:
        plan.changed.append(path)
        plan.old[path] = standing
        if name != MANIFEST and not _as_written(name, digest, owned):
            plan.edited.append(path)
            digest = owned.written[name]
    if name != MANIFEST:
        plan.owned[name] = digest


def _plan_stale(plan: Plan, path: str, owned: OwnedFiles) -> None:
    standing = _standing(plan.directory / path, _MAX_BYTES)
    if standing is None:
        return
    digest = fingerprint(standing) if isinstance(standing, bytes) else ""
    if isinstance(standing, bytes) and _as_written(path, digest, owned):
        plan.removed.append(path)
        plan.old[path] = standing
        plan.owned[path] = digest
    elif path in owned.written:
        plan.left_alone.append(
            Problem(
                "",
                f"{plan.directory / path} is no longer generated, and was edited: it"
                " stays, and mcp-bindgen leaves it alone from now on",
                "remove it, or move what you need from it",
            )
        )


def _is_ours(path: str, digest: str, owned: OwnedFiles) -> bool:
    return path in owned.written or owned.planned.get(path) == digest


def _as_written(path: str, digest: str, owned: OwnedFiles) -> bool:
    return digest in (owned.written.get(path), owned.planned.get(path))


def _standing(path: Path, limit: int) -> bytes | str | None:
    """Return the bytes of a file, None for no file, or why it is in the way."""
    status = disk.look(path)
    if status is None:
        return None
    if stat.S_ISLNK(status.st_mode):
        return "it is a link, and links are not followed"
    if not stat.S_ISREG(status.st_mode):
        return "it is not a file"
    if status.st_size > limit:
        return f"it has {status.st_size:,} bytes, more than mcp-bindgen writes"
    return disk.read(path)


def _in_the_way(path: Path, reason: str) -> Problem:
    return Problem("", f"{path} is in the way: {reason}", _ASIDE)


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise BindgenError(*problems)
