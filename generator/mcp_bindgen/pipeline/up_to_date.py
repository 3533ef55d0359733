"""Knows a package that needs no work: the same input, and files that stand as written.

What is kept of it holds no text of a file, only what its manifest must be.
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

__all__ = ["Told", "digest_of", "keep", "recall", "standing"]


class Told(NamedTuple):
    """What a run told of a package.

    Attributes:
        files: How many files it has.
        tools: How many tools.
        notes: What is noted of them.
        problems: What was left out.
    """

    files: int
    tools: int
    notes: str
    problems: tuple[Problem, ...]


def digest_of(data: bytes, name: str, wanted: object) -> str:
    """Return one hash of all that a package is made of.

    Args:
        data: The recording.
        name: The import name of the package.
        wanted: What to make, as a value whose `repr` tells all of it.
    """
    return key(data, name, repr(wanted))


def recall(cache: Cache, slot: str, digest: str, place: Path) -> Told | None:
    """Return what was told of a package when it was written, if it still stands so.

    Args:
        cache: Where that is kept.
        slot: Under which name.
        digest: What `digest_of` returns of it.
        place: Its folder.
    """
    entry = cache.read(slot)
    if not isinstance(entry, dict):
        return None
    kept = cast("dict[str, Any]", entry)
    if kept.get("digest") != digest:
        return None
    try:
        if not _stands(place, kept["manifest"]):
            return None
        problems = tuple(Problem(*problem) for problem in kept["problems"])
        return Told(kept["files"], kept["tools"], kept["notes"], problems)
    except (BindgenError, OSError, LookupError, TypeError):
        return None


def keep(cache: Cache, slot: str, digest: str, manifest: str, told: Told) -> None:
    """Keep what was told of a package.

    Args:
        cache: Where to.
        slot: Under which name.
        digest: As for `recall`.
        manifest: Text of the manifest that was written.
        told: What was told.
    """
    problems = [[p.pointer, p.message, p.hint] for p in told.problems]
    entry = {**told._asdict(), "problems": problems, "digest": digest}
    cache.write(slot, {**entry, "manifest": fingerprint(manifest.encode())})


def standing(place: Path) -> dict[str, str]:
    """Return path to hash of each file that stands in a folder as it was written.

    Args:
        place: A package folder; it may be missing.
    """
    try:
        ledger = read_ledger(disk.read(place / MANIFEST))
    except (BindgenError, OSError):
        return {}
    return {p: digest for p, digest in ledger.written.items() if _is(place / p, digest)}


def _is(path: Path, digest: str) -> bool:
    try:
        return fingerprint(disk.read(path)) == digest
    except OSError:
        return False


def _stands(place: Path, manifest: str) -> bool:
    data = disk.read(place / MANIFEST)
    if fingerprint(data) != manifest:
        return False
    ledger = read_ledger(data)
    folders = {place, *(place / f for path in ledger.written for f in folders_of(path))}
    if ledger.planned or disk.look(place / disk.STAGING):
        return False
    return not any(map(disk.folder_fault, folders)) and all(
        _is(place / path, digest) for path, digest in ledger.written.items()
    )
