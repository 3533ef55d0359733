"""Recognizes a package that is current: its input is the same, its files are unedited.

Its cache entry has no text of a file, only the hash of the manifest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.cache import key
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.manifest import MANIFEST, fingerprint, read_owned
from mcp_bindgen.write.plan import folders_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["Summary", "keep", "recall", "unedited"]


class Summary(NamedTuple):
    """The summary of a package that a run shows.

    Attributes:
        files: The number of files.
        tools: The number of tools.
        notes: The counts of surprising notes, as "1 not enforced", or "".
        problems: A problem for each part that was left out.
        others: The numbers of resources, resource templates and prompts, if any.
    """

    files: int
    tools: int
    notes: str
    problems: tuple[Problem, ...]
    others: Mapping[str, int]


def recall(cache: Cache, job: Job) -> Summary | None:
    """Return the summary of a package that is current, None for others.

    Args:
        cache: The entries of earlier runs.
        job: The job of the package, with its data.
    """
    entry = cache.read(_name(job))
    if not isinstance(entry, dict):
        return None
    members = cast("dict[str, Any]", entry)
    if members.get("inputs") != _inputs(job):
        return None
    try:
        if not _stands(job.folder, members["manifest"]):
            return None
        problems = tuple(Problem(*problem) for problem in members["problems"])
        counted = members["files"], members["tools"], members["notes"]
        summary = Summary(*counted, problems, dict(members["others"]))
        return summary if _is_sound(summary) else None
    except (BindgenError, OSError, LookupError, TypeError, ValueError):
        return None


def _is_sound(summary: Summary) -> bool:
    """Return whether the parts of a summary, which may be planted, can be shown."""
    texts = [summary.notes, *summary.others]
    for problem in summary.problems:
        texts += [problem.pointer, problem.message, problem.hint]
    counts = [summary.files, summary.tools, *summary.others.values()]
    are_texts = all(type(text) is str for text in texts)
    return are_texts and all(type(count) is int for count in counts)


def keep(cache: Cache, job: Job, manifest: str, summary: Summary) -> None:
    """Write the entry of a package that was just written.

    Args:
        cache: The entries of earlier runs.
        job: The job of the package, with its data.
        manifest: The text of the manifest.
        summary: The summary that the run showed.
    """
    problems = [[p.pointer, p.message, p.hint] for p in summary.problems]
    entry = {**summary._asdict(), "problems": problems, "inputs": _inputs(job)}
    entry["manifest"] = fingerprint(manifest.encode())
    cache.write({_name(job): entry})


def _name(job: Job) -> str:
    """Return the name of a package's entry: its folder and its targets."""
    return f"{key(str(job.folder.absolute()), job.settings.targets)[:32]}.summary"


def _inputs(job: Job) -> str:
    """Return one hash of the whole input of a package."""
    return key(job.data, job.folder.name, repr(job.settings))


def unedited(folder: Path) -> dict[str, disk.ReadFile]:
    """Return path to what was seen of each unedited file of a package.

    Args:
        folder: The folder of the package; it may be missing.
    """
    try:
        owned = read_owned(disk.read(folder / MANIFEST))
    except (BindgenError, OSError):
        return {}
    files = ((path, _read(f"{folder}/{path}")) for path in owned.written)
    return {
        path: file for path, file in files if file and file.hash == owned.written[path]
    }


def _read(path: str) -> disk.ReadFile | None:
    try:
        data, stamp = disk.read_stamped(path)
    except OSError:
        return None
    return disk.ReadFile(fingerprint(data), stamp)


def _stands(folder: Path, manifest: str) -> bool:
    """Return whether a package has this manifest, and all files in it."""
    data = disk.read(folder / MANIFEST)
    if fingerprint(data) != manifest:
        return False
    owned = read_owned(data)
    inner = (folder / f for path in owned.written for f in folders_of(path))
    if owned.planned or disk.look(folder / disk.STAGING):
        return False
    return not any(map(disk.folder_fault, {folder, *inner})) and all(
        (file := _read(f"{folder}/{path}")) and file.hash == hash_
        for path, hash_ in owned.written.items()
    )
