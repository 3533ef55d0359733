"""Replaces one file as a whole, or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from mcp_bindgen.errors import BindgenError, Problem

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["replace"]


def replace(path: Path, data: bytes) -> bool:
    """Make a file hold these bytes; folders that are missing above it are made.

    Returns:
        Whether that changed anything; a file that holds them is not touched.

    Raises:
        BindgenError: The system refuses; a file that was there is as it was.
    """
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}.tmp"
    try:
        if path.is_file() and path.read_bytes() == data:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or os.strerror(error.errno or 0)
        problem = Problem("", f"cannot write {path}: {reason}", "choose another path")
        raise BindgenError(problem) from error
    return True
