"""Decides, without writing, what has to happen to each file of a package folder."""

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
    Ledger,
    fingerprint,
    read_ledger,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["Plan", "folders_of", "survey"]

_MAX_BYTES = 256 * 1024 * 1024
_ASIDE = "move it away, or choose another folder or name; nothing was written"


@dataclass(slots=True)
class Plan:
    """What stands on the disk, sorted by what has to happen to it."""

    directory: Path
    wanted: Mapping[str, bytes]
    added: list[str] = field(default_factory=list[str])
    changed: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    unchanged: list[str] = field(default_factory=list[str])
    edited: list[str] = field(default_factory=list[str])
    stale: list[str] = field(default_factory=list[str])
    kept: list[Problem] = field(default_factory=list[Problem])
    refused: list[Problem] = field(default_factory=list[Problem])
    old: dict[str, bytes] = field(default_factory=dict[str, bytes])
    owned: dict[str, str] = field(default_factory=dict[str, str])
    respelled: dict[str, str] = field(default_factory=dict[str, str])


def survey(files: Mapping[str, str], directory: Path) -> Plan:
    """Look at a package folder and decide what `output.write` has to do.

    Args:
        files: Path, relative and with "/", to text; one is the manifest of the others.
        directory: The package folder, which may be missing.

    Raises:
        BindgenError: Something foreign or a link stands in the way.
        OSError: The system refuses.
    """
    plan = Plan(directory, _encode(files))
    _refuse(_folder_problems(directory, plan.wanted))
    ledger = _read_ledger(directory)
    known = {**ledger.planned, **ledger.written}
    _refuse(_folder_problems(directory, known))
    plan.respelled = _respelled(directory, plan.wanted, known)
    for path in sorted(plan.wanted):
        _plan_wanted(plan, path, ledger)
    plan.stale = sorted(known.keys() - plan.wanted.keys())
    for path in plan.stale:
        if path not in plan.respelled.values():
            _plan_stale(plan, path, ledger)
    _refuse(plan.refused)
    return plan


def _encode(files: Mapping[str, str]) -> dict[str, bytes]:
    """Return the bytes to write, having checked that no name can do harm."""
    wanted = {path: text.encode() for path, text in files.items()}
    folded = {path.casefold() for path in wanted}
    unsafe = [path for path in wanted if not is_safe(path)]
    hashes = {
        path: fingerprint(data) for path, data in wanted.items() if path != MANIFEST
    }
    complete = not unsafe and len(folded) == len(wanted) and MANIFEST in wanted
    if complete and read_ledger(wanted[MANIFEST]) == Ledger(hashes, {}):
        return wanted
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


def _read_ledger(directory: Path) -> Ledger:
    standing = _standing(directory / MANIFEST, MAX_BYTES)
    if isinstance(standing, bytes):
        return read_ledger(standing)
    if standing:
        _refuse([_in_the_way(directory / MANIFEST, standing)])
    return Ledger({}, {})


def _respelled(
    directory: Path, wanted: Iterable[str], known: Iterable[str]
) -> dict[str, str]:
    """Return wanted paths whose file is one of ours under another case of its name.

    That happens on file systems which hold upper and lower case for the same.
    """
    folded = {path.casefold(): path for path in known}
    found: dict[str, str] = {}
    for path in wanted:
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
                found[path] = other
    return found


def _plan_wanted(plan: Plan, path: str, ledger: Ledger) -> None:
    name = plan.respelled.get(path, path)
    standing = _standing(plan.directory / name, _MAX_BYTES)
    if standing is None:
        plan.added.append(path)
        return
    if isinstance(standing, str):
        plan.refused.append(_in_the_way(plan.directory / name, standing))
        return
    digest = fingerprint(standing)
    ours = name == MANIFEST or _is_ours(name, digest, ledger)
    if standing == plan.wanted[path] and name == path:
        plan.unchanged.append(path)
    elif not ours:
        plan.refused.append(_in_the_way(plan.directory / name, "is not ours"))
    else:
        plan.changed.append(path)
        plan.old[path] = standing
        if name != MANIFEST and not _as_written(name, digest, ledger):
            plan.edited.append(path)
            digest = ledger.written[name]
    if name != MANIFEST:
        plan.owned[name] = digest


def _plan_stale(plan: Plan, path: str, ledger: Ledger) -> None:
    standing = _standing(plan.directory / path, _MAX_BYTES)
    if standing is None:
        return
    digest = fingerprint(standing) if isinstance(standing, bytes) else ""
    if isinstance(standing, bytes) and _as_written(path, digest, ledger):
        plan.removed.append(path)
        plan.old[path] = standing
        plan.owned[path] = digest
    elif path in ledger.written:
        plan.kept.append(
            Problem(
                "",
                f"{plan.directory / path} is no longer generated, and it was edited:"
                " it stays and is yours from now on",
                "remove it, or move what you need from it",
            )
        )


def _is_ours(path: str, digest: str, ledger: Ledger) -> bool:
    return path in ledger.written or ledger.planned.get(path) == digest


def _as_written(path: str, digest: str, ledger: Ledger) -> bool:
    return digest in (ledger.written.get(path), ledger.planned.get(path))


def _standing(path: Path, limit: int) -> bytes | str | None:
    """Return the bytes of a file, None for no file, or why it cannot be one of ours."""
    found = disk.look(path)
    if found is None:
        return None
    if stat.S_ISLNK(found.st_mode):
        return "is a link, and links are not followed"
    if not stat.S_ISREG(found.st_mode):
        return "is not a file"
    if found.st_size > limit:
        return f"has {found.st_size:,} bytes, too many to be ours"
    return disk.read(path)


def _in_the_way(path: Path, reason: str) -> Problem:
    return Problem("", f"{path} is in the way: it {reason}", _ASIDE)


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise BindgenError(*problems)
