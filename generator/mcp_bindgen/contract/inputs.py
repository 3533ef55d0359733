"""Reads the two sides of a comparison: files, standard input, revisions of git."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from mcp_bindgen.limits import Limits

__all__ = ["EMPTY", "at_head", "older", "read_input"]

EMPTY = b'{"tools": []}'
"""The recording of a server that was not recorded yet."""

_GIT = "git:"
_SECONDS = 60


def read_input(source: str, limits: Limits) -> bytes:
    """Return the bytes of a recording, at most one more than the limit.

    Args:
        source: A path, `-` for standard input, or `git:REV:PATH`, where the path is
            one of the repository, or of this folder if it begins with `./`.
        limits: Says how many bytes are read.

    Raises:
        BindgenError: It cannot be read.
    """
    if source == "-":
        return sys.stdin.buffer.read(limits.bytes + 1)
    if source.startswith(_GIT):
        revision, _, path = source.removeprefix(_GIT).partition(":")
        if not revision or not path or revision.startswith("-"):
            hint = "write git:HEAD:recordings/catalog.json"
            raise BindgenError(Problem("", f"{source[:80]!a} is no git:REV:PATH", hint))
        return _blob(f"{revision}:{path}", Path.cwd(), limits)
    try:
        with Path(source).open("rb") as stream:
            return stream.read(limits.bytes + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such path"
        hint = "write a path, - or git:REV:PATH"
        raise BindgenError(
            Problem("", f"cannot read {source[:200]!a}: {reason}", hint)
        ) from error


def older(since: str, file: Path, limits: Limits) -> bytes:
    """Return the older recording of a file; `EMPTY` where there is none.

    Args:
        since: A folder that has a file of the same name, or `git:REV`.
        file: The recording of today.
        limits: Says how many bytes are read.

    Raises:
        BindgenError: It cannot be read.
    """
    if since.startswith(_GIT):
        return _at(since.removeprefix(_GIT), file, limits)
    before = Path(since) / file.name
    if not Path(since).is_dir():
        hint = "name a folder with older recordings, or a commit, as in git:HEAD~1"
        raise BindgenError(Problem("", f"there is no folder {since[:200]!a}", hint))
    return read_input(str(before), limits) if before.exists() else EMPTY


def at_head(file: Path, limits: Limits) -> bytes:
    """Return a recording as the last commit has it; `EMPTY` where it has none.

    Args:
        file: The recording in the working tree.
        limits: Says how many bytes are read.

    Raises:
        BindgenError: This is no repository of git, or it has no commit.
    """
    return _at("HEAD", file, limits)


def _at(revision: str, file: Path, limits: Limits) -> bytes:
    """Return a recording as a commit has it; `EMPTY` where it has none."""
    folder = next((f for f in file.absolute().parents if f.is_dir()), Path.cwd())
    path = file.absolute().relative_to(folder).as_posix()
    if revision.startswith("-"):
        hint = "name a commit, as in git:HEAD~1"
        raise BindgenError(Problem("", f"{revision[:80]!a} is no commit", hint))
    _git(["rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"], folder)
    # `ls-tree` says nothing, and that without an error, where there is no such file.
    if not _git(["ls-tree", revision, "--", path], folder).strip():
        return EMPTY
    return _blob(f"{revision}:./{path}", folder, limits)


def _blob(name: str, folder: Path, limits: Limits) -> bytes:
    size = _git(["cat-file", "-s", name], folder).strip()
    if size.isdigit() and int(size) > limits.bytes:
        message = f"{name[:200]!a} has {int(size):,} bytes, more than the limit"
        hint = "raise the limit: --limit bytes=NUMBER"
        raise BindgenError(Problem("", message, hint))
    return _git(["cat-file", "blob", name], folder)


def _git(arguments: list[str], folder: Path) -> bytes:
    """Return the output of git.

    Raises:
        BindgenError: There is no git, or it fails.
    """
    try:
        done = subprocess.run(  # noqa: S603, no shell reads these words
            ["git", *arguments],  # noqa: S607, the user's own git
            cwd=folder,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        hint = "install git, or name two files"
        raise BindgenError(Problem("", f"git does not run: {error}", hint)) from error
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip()[:200]
        message = (
            f"git {arguments[0]} {arguments[-1][:200]}: {reason or 'no such commit'}"
        )
        raise BindgenError(Problem("", message, "name a commit and a file in it"))
    return done.stdout
