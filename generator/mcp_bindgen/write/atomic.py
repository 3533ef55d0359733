"""Replaces one file as a whole, or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from errno import EACCES
from stat import S_IMODE
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem
from mcp_bindgen.write.files import NEW
from mcp_bindgen.write.remedies import remedy

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["replace"]


def replace(path: Path, data: bytes) -> bool:
    """Make a file hold these bytes; folders that are missing above it are made.

    The file keeps its permissions; one that the user may not write to stays as it is.

    Returns:
        Whether that changed anything; a file that holds them is not touched.

    Raises:
        BindgenError: The system refuses; a file that was there is as it was.
    """
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}.tmp"
    try:
        mode = None
        if path.is_file():
            if path.read_bytes() == data:
                return False
            if not os.access(path, os.W_OK):
                raise PermissionError(EACCES, os.strerror(EACCES))
            mode = S_IMODE(path.stat().st_mode)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _write(temporary, data, mode)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or os.strerror(error.errno or 0)
        hint = remedy(error, "choose another path")
        problem = Problem("", f"cannot write {path}: {reason}", hint)
        raise BindgenError(problem) from error
    return True


def _write(path: Path, data: bytes, mode: int | None) -> None:
    """Write a new file, which nobody else can read before it has its permissions."""
    opened = os.open(path, NEW, 0o666 if mode is None else mode)
    with os.fdopen(opened, "wb") as file:
        file.write(data)
    if mode is not None:  # the umask may have taken some away
        path.chmod(mode)
