"""Saves a text where the user wants it: a file, a link, a device, a pipe or "-"."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.atomic import replace
from mcp_bindgen.write.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

__all__ = ["save"]

_STDOUT = frozenset({"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
# A link in here leads to an open file, not to a name. The rest of /dev may have regular
# files: /dev/shm is a folder for all users.
_OPEN_FILES = ("/dev/fd/", "/dev/std", "/proc/")
_MOST_LINKS = 40  # as Linux


def save(path: Path, data: bytes) -> bool:
    """Write bytes to the path that the user named.

    A regular file is replaced as a whole, also behind the user's links. A device or a
    named pipe gets the bytes, and stays. "-" is standard output.

    Example: `save(Path("-"), b"{}")`.

    Returns:
        Whether that changed anything; an equal file is not touched.

    Raises:
        BindgenError: The system refuses, or the path is another user's link.
    """
    if os.fspath(path) in _STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return True
    try:
        if _is_stream(path):
            path.write_bytes(data)
            return True
        target = _without_links(path)
    except OSError as error:
        reason = error.strerror or str(error)
        wrong = f"cannot write {path}: {reason}"
        hint = remedy(error, "choose another path")
        raise BindgenError(Problem("", wrong, hint)) from error
    return replace(target, data)


def _is_stream(path: Path) -> bool:
    """Return whether a path is a device, a pipe or the like."""
    is_open = str(path.absolute()).startswith(_OPEN_FILES)
    return path.exists() and (is_open or not path.is_file())


def _without_links(path: Path) -> Path:
    """Return the path that a user's links lead to.

    In a folder that all users may write to, another user's link could lead to any file
    of the user.
    """
    owners: Collection[int] = {os.geteuid(), 0} if hasattr(os, "geteuid") else ()
    for _ in range(_MOST_LINKS):
        if not path.is_symlink():
            return path
        if owners and path.lstat().st_uid not in owners:
            hint = "remove the link, or choose another path"
            raise BindgenError(
                Problem("", f"{path} is a link that another user made", hint)
            )
        path = path.parent / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
