"""Knows a package that needs no work: the same input, and files that stand as written.

Its cache entry holds no text of a file, only the hash of the manifest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.pipeline.cache import key
from mcp_bindgen.write import files as disk
from mcp_bindgen.write.manifest import MANIFEST, fingerprint, read_ledger
from mcp_bindgen.write.plan import folders_of

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_bindgen.pipeline.cache import Cache
    from mcp_bindgen.pipeline.jobs import Job

__all__ = ["Summary", "keep", "recall", "standing"]


class Summary(NamedTuple):
    """The summary of a package that a run shows.

    Attributes:
        files: How many files it has.
        tools: How many tools.
        notes: Counts of what a user may stumble over, as a part of a sentence, or "".
        problems: What was left out, and why.
    """

    files: int
    tools: int
    notes: str
    problems: tuple[Problem, ...]


def recall(cache: Cache, job: Job) -> Summary | None:
    """Return the summary of a package that stands on the disk as it would be written.

    Args:
        cache: The entries of earlier runs.
        job: What to make, with its data.
    """
    entry = cache.read(_name(job))
    if not isinstance(entry, dict):
        return None
    known = cast("dict[str, Any]", entry)
    if known.get("inputs") != _inputs(job):
        return None
    try:
        if not _stands(job.folder, known["manifest"]):
            return None
        problems = tuple(Problem(*problem) for problem in known["problems"])
        return Summary(known["files"], known["tools"], known["notes"], problems)
    except (BindgenError, OSError, LookupError, TypeError):
        return None


def keep(cache: Cache, job: Job, manifest: str, summary: Summary) -> None:
    """Write the entry of a package that was just written.

    Args:
        cache: The entries of earlier runs.
        job: What was made, with its data.
        manifest: The text of the manifest.
        summary: What the run showed.
    """
    problems = [[p.pointer, p.message, p.hint] for p in summary.problems]
    entry = {**summary._asdict(), "problems": problems, "inputs": _inputs(job)}
    entry["manifest"] = fingerprint(manifest.encode())
    cache.write({_name(job): entry})


def _name(job: Job) -> str:
    """Return the name of a package's entry: its folder and its targets."""
    return f"{key(str(job.folder.absolute()), job.settings.targets)[:32]}.summary"


def _inputs(job: Job) -> str:
    """Return one hash of all that a package is made of."""
    return key(job.data, job.folder.name, repr(job.settings))


def standing(folder: Path) -> dict[str, str]:
    """Return path to hash of each file of a package that is as it was written.

    Args:
        folder: The folder of the package; it may be missing.
    """
    try:
        ledger = read_ledger(disk.read(folder / MANIFEST))
    except (BindgenError, OSError):
        return {}
    return {p: hash_ for p, hash_ in ledger.written.items() if _is(folder / p, hash_)}


def _is(path: Path, hash_: str) -> bool:
    try:
        return fingerprint(disk.read(path)) == hash_
    except OSError:
        return False


def _stands(folder: Path, manifest: str) -> bool:
    """Tell whether a package has this manifest, and all files that it lists."""
    data = disk.read(folder / MANIFEST)
    if fingerprint(data) != manifest:
        return False
    ledger = read_ledger(data)
    inner = (folder / f for path in ledger.written for f in folders_of(path))
    if ledger.planned or disk.look(folder / disk.STAGING):
        return False
    return not any(map(disk.folder_fault, {folder, *inner})) and all(
        _is(folder / path, hash_) for path, hash_ in ledger.written.items()
    )
