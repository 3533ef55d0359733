"""The list of the files that we wrote into a package, with their hashes."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.json_writer import indented
from mcp_bindgen.paths import is_safe
from mcp_bindgen.runtime.json_values import members
from mcp_bindgen.texts import Texts
from mcp_bindgen.write.files import encoded

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FIRST_VERSION",
    "MANIFEST",
    "MAX_BYTES",
    "OwnedFiles",
    "fingerprint",
    "hash_in",
    "hashes_of",
    "journal_text",
    "line_feeds",
    "manifest_of",
    "manifest_text",
    "read_owned",
    "read_runtime",
    "read_version",
    "with_version",
]

MANIFEST = "manifest.json"
MAX_BYTES = 32 * 1024 * 1024
"""The size of the largest manifest: 10,000 tools need a fifth of it."""

FIRST_VERSION = "1.0.0"
"""The version of a package that was never written before."""

_NAME = "mcp-bindgen"
_VERSION = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}", re.ASCII)
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class OwnedFiles:
    """The files in a package folder that mcp-bindgen wrote, or was about to write.

    Attributes:
        written: Path to hash of each file that was written, edited since or not.
        planned: Path to hash of each file that an interrupted run was about to write;
            a file with another hash is not ours.
        version: The version of the package, which is that of the interrupted run; ""
            for none.
    """

    written: Mapping[str, str]
    planned: Mapping[str, str]
    version: str = ""


def fingerprint(data: bytes) -> str:
    """Return the hash of a file's text as manifests write it."""
    return f"sha256:{hashlib.sha256(line_feeds(data)).hexdigest()}"


def _text_hash(text: str) -> str:
    """Return the hash of a text, of which there is no copy in bytes."""
    if "\r" in text:
        return fingerprint(text.encode())
    digest = hashlib.sha256()
    for part in encoded(text):
        digest.update(part)
    return f"sha256:{digest.hexdigest()}"


def hash_in(files: Mapping[str, str], path: str) -> str:
    """Return the hash of a file's text, made once where the files are `Texts`."""
    if not isinstance(files, Texts):
        return _text_hash(files[path])
    if path not in files.hashes:
        files.hashes[path] = _text_hash(files[path])
    return files.hashes[path]


def line_feeds(data: bytes) -> bytes:
    """Return a file's bytes with our line ends, which Git may have changed."""
    return data.replace(b"\r\n", b"\n") if b"\r" in data else data


def manifest_text(
    files: Mapping[str, str], version: str, extra: Mapping[str, object]
) -> str:
    """Return the text of a package's manifest.

    Args:
        files: Path to text of every file of the package; the manifest does not count.
        version: Our own version.
        extra: The manifest's other members.
    """
    return manifest_of(hashes_of(files), version, extra)


def manifest_of(
    hashes: Mapping[str, str], version: str, extra: Mapping[str, object]
) -> str:
    """Return the text of a package's manifest; `hashes` is what `hashes_of` returns."""
    generator = {"name": _NAME, "version": version}
    return _dump({"generator": generator, **extra, "files": {**hashes}})


def hashes_of(files: Mapping[str, str]) -> dict[str, str]:
    """Return path to hash of every file of a package but the manifest, sorted."""
    return {path: hash_in(files, path) for path in sorted(files) if path != MANIFEST}


def journal_text(owned: OwnedFiles) -> str:
    """Return the manifest for the time while files are replaced."""
    generator = {"name": _NAME}
    written = dict(sorted(owned.written.items()))
    planned = dict(sorted(owned.planned.items()))
    version = {"version": owned.version} if owned.version else {}
    files = {"files": written, "unfinished": planned}
    return _dump({"generator": generator, **version, **files})


def read_version(manifest: bytes) -> str:
    """Return the version of a package, "" where its manifest has none, as `1.2.3`."""
    try:
        return _version(members(json.loads(manifest)))
    except (ValueError, RecursionError):
        return ""


def _version(manifest: Mapping[str, object]) -> str:
    version = manifest.get("version")
    is_one = isinstance(version, str) and _VERSION.fullmatch(version)
    return str(version) if is_one else ""


def read_runtime(data: bytes) -> str:
    """Return the name of a package's shared runtime, "" where it has its own."""
    return str(members(json.loads(data)).get("runtime", ""))


def with_version(files: Mapping[str, str], version: str) -> Texts:
    """Return the files of a package whose manifest has another version.

    Args:
        files: Path to text of every file of the package.
        version: The version, as `1.2.3`.
    """
    manifest = members(json.loads(files[MANIFEST]))
    if manifest.get("version", version) == version:
        return Texts.of(files)
    return Texts.of(files, {MANIFEST: _dump({**manifest, "version": version})})


# A run reads the manifest in the folder three times, and the new one once.
@lru_cache(maxsize=2)
def read_owned(data: bytes) -> OwnedFiles:
    """Read a manifest of an unknown writer.

    Raises:
        BindgenError: It is damaged, or not one of ours.
    """
    try:
        manifest: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _damaged("it is not JSON") from error
    if not isinstance(manifest, dict):
        raise _damaged("it is not a JSON object")
    known = members(cast("object", manifest))
    generator = known.get("generator")
    named = cast("dict[str, object]", generator) if isinstance(generator, dict) else {}
    if named.get("name") != _NAME:
        raise _damaged(f'its "generator" is not {_NAME}')
    return OwnedFiles(
        written=_hashes(known.get("files"), "files"),
        planned=_hashes(known.get("unfinished", {}), "unfinished"),
        version=_version(known),
    )


def _hashes(value: object, member: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise _damaged(f'its "{member}" is not an object')
    for path, digest in cast("dict[str, object]", value).items():
        if not is_safe(path) or path.casefold() == MANIFEST:
            raise _damaged(f"it lists the path {ascii(path)[:80]}")
        if not isinstance(digest, str) or _HASH.fullmatch(digest) is None:
            raise _damaged(f'"{path}" has no SHA-256 hash in it')
    return cast("dict[str, str]", value)


def _damaged(reason: str) -> BindgenError:
    return BindgenError(
        Problem(
            "",
            f"{MANIFEST} in the output folder is damaged, or mcp-bindgen did not write"
            f" it: {reason}",
            "restore it from version control, or choose another folder or name;"
            " nothing was written",
        )
    )


def _dump(manifest: dict[str, object]) -> str:
    return indented(manifest) + "\n"
